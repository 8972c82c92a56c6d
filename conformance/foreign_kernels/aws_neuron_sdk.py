"""Kernels of the NKI documentation: example files, and code blocks that are whole kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import ml_dtypes
import numpy as np

from ...backends.simulator import NkiConstraintError, OutOfBoundsError
from .draw import BFLOAT16, BFLOAT16_RESULT, Array, Inputs, double, floats, integers, matmul_blocks, product, with_values
from .sample import Arguments, Explanation, Sample, Theirs, Tolerance

__all__ = ["SAMPLES"]

_EXAMPLES: Final = "nki/examples/"
_START: Final = "nki/get-started/"
_GUIDES: Final = "nki/guides/"
_ALL: Final = ("trn1", "trn2", "trn3")

_ROUNDED: Final = Tolerance(1, "float32", "one rounding of an exact value")
_FUNCTION: Final = Tolerance(2, "float32", "a function of the Scalar Engine, rounded, of a rounded argument")


def _add(a_input: Array, b_input: Array) -> Array:
    return double(a_input) + b_input


def _exp(in_tensor: Array) -> Array:
    return np.exp(double(in_tensor))


def _reciprocal(in_tensor: Array) -> Array:
    return 1 / double(in_tensor)


def _written(name: str) -> Callable[..., Any]:
    """Find the results in what the kernel wrote to an argument."""

    def call(kernel: Any, **arguments: Any) -> Any:
        kernel(**arguments)
        return arguments[name]

    return call


def _transposed_rows(in_tensor: Array, shape2D: tuple[int, int]) -> Array:
    rows = len(in_tensor)
    return in_tensor.reshape(rows, *shape2D).transpose(0, 2, 1).reshape(rows, -1)


def _largest(in_tensor: Array, sz_pool: int) -> Array:
    planes, height, width = in_tensor.shape
    result: Array = in_tensor.reshape(planes, height // sz_pool, sz_pool, width // sz_pool, sz_pool).max((2, 4))
    return result


def _state_space(delta: Array, u: Array, A: Array, B: Array, C: Array) -> Array:
    """Go through the recurrence of Mamba's selective state space, step by step."""
    delta, u, A, B, C = map(double, (delta, u, A, B, C))
    state, result = np.zeros((*delta.shape[:2], A.shape[1])), np.empty(delta.shape)
    for t in range(delta.shape[2]):
        step = delta[:, :, t, None]
        state = np.exp(step * A) * state + step * u[:, :, t, None] * B[:, None, :, t]
        result[:, :, t] = (state * C[:, None, :, t]).sum(-1)
    return result


def _mamba_inputs(length: int) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        shapes = {"u": (1, 128, length), "B": (1, 4, length), "C": (1, 4, length)}
        arguments = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
        delta = rng.uniform(0.01, 0.5, (1, 128, length)).astype(np.float32)
        return arguments | {"delta": delta, "A": -rng.uniform(0.5, 2, (128, 4)).astype(np.float32)}

    return inputs


_MAMBA: Final = Tolerance(16, "float32", "a decaying recurrence of rounded products, summed over four states")


def _example(file: str, kernel: str, inputs: Inputs, reference: Callable[..., Any] | Theirs, **more: Any) -> Sample:
    return Sample(file=_EXAMPLES + file, kernel=kernel, inputs=inputs, reference=reference, **{"targets": _ALL} | more)


_SMALL_MATRICES, _MATRICES, _, _, _BLOCKED = matmul_blocks().values()
_MATMUL: Final = "matrix_multiplication/matrix_multiplication_nki_kernels.py"

_EXAMPLE_FILES: Final = (
    _example(
        "average_pool2d/average_pool2d_nki_kernels.py",
        "tensor_avgpool_kernel",
        with_values(floats(in_tensor=(16, 12, 18)), pool_size=3),
        Theirs("np_average_pool_2D"),
        tolerance=Tolerance(9 + 2, "float32", "nine terms are added and scaled by a rounded 1/9"),
    ),
    _example(
        "transpose2d/transpose2d_nki_kernels.py",
        "tensor_transpose2D_kernel_",
        lambda rng: {"in_tensor": rng.integers(-100, 100, (5, 12)).astype(np.int8), "shape2D": (3, 4)},
        _transposed_rows,
    ),
    _example("tensor_addition/tensor_addition_nki_kernels.py", "nki_tensor_add", integers(a_input=(256, 1024), b_input=(256, 1024)), _add),
    *(
        _example(f"getting_started_{framework}.py", "nki_tensor_add_kernel", integers(np.float16, a_input=(4, 3), b_input=(4, 3)), _add)
        for framework in ("baremetal", "jax", "torch")
    ),
    _example(
        "index-case-1.py",
        "tensor_split_kernel_",
        lambda _: {"in_tensor": np.arange(20).reshape(4, 5).astype(BFLOAT16)},
        lambda in_tensor: (in_tensor[:, ::2], in_tensor[:, 1::2]),
    ),
    _example("index-case-3.py", "tensor_maxpool_kernel_", with_values(integers(BFLOAT16, in_tensor=(8, 12, 18)), sz_pool=3), _largest),
    _example("layout-pass.py", "tensor_exp_kernel_", floats(in_tensor=(128, 512)), _exp, tolerance=_FUNCTION),
    _example(
        "layout-violation.py",
        "tensor_exp_kernel_",
        floats(in_tensor=(256, 512)),
        _exp,
        explanation=Explanation(
            "rule", "The tiling overview shows it as what fails: 256 partitions exceed the 128 of a tile.", NkiConstraintError, "128"
        ),
    ),
    _example(
        "layout-dynamic-loop.py",
        "tensor_exp_kernel_",
        floats(in_tensor=(200, 512)),
        _exp,
        explanation=Explanation(
            "fault", "Line 24, `nl.load(in_tensor[i_p, 0:sz_f]`, has no closing parenthesis.", SyntaxError, "never closed"
        ),
    ),
    _example(
        "layout-loop.py",
        "tensor_exp_kernel_",
        floats(in_tensor=(256, 512)),
        _exp,
        needs=("torch",),
        explanation=Explanation("package", "It imports torch_neuronx for its decorator.", ModuleNotFoundError, "torch_neuronx"),
    ),
    _example(
        "simulate/nki_simulate_example.py", "add_kernel", integers(a_ptr=(128, 512), b_ptr=(128, 512)), lambda a_ptr, b_ptr: a_ptr + b_ptr
    ),
    _example(_MATMUL, "nki_matmul_basic_", _SMALL_MATRICES, product),
    _example(
        _MATMUL,
        "nki_matmul_basic_",
        floats(BFLOAT16, lhsT=(128, 64), rhs=(128, 512)),
        product,
        tolerance=BFLOAT16_RESULT,
        case="bfloat16",
    ),
    _example(_MATMUL, "nki_matmul_tiled_", _MATRICES, product),
    _example(_MATMUL, "nki_matmul_hoist_load_", _MATRICES, product),
    _example(_MATMUL, "nki_matmul_block_free_dimension_", _MATRICES, product),
    _example(_MATMUL, "nki_matmul_fully_optimized_", _BLOCKED, product),
    *(
        _example("fused_mamba/mamba_nki_kernels.py", f"mamba_v{version}", _mamba_inputs(512), _state_space, tolerance=_MAMBA)
        for version in (1, 2, 3)
    ),
)


# Microscaled matrices: groups of 8 partitions x 4 elements share a scale.

_MX: Final = "nki/deep-dives/src/mxfp-matmul/mx_kernels.py"
_Format = Literal["float8_e5m2", "float8_e4m3fn", "float4_e2m1fn"]


def _scaled(rng: np.random.Generator, element: _Format, columns: int) -> tuple[Array, Array, Array]:
    """Elements (128, 4 * columns), their scales (16, columns), and the values these stand for."""
    dtype = np.dtype(getattr(ml_dtypes, element))
    largest = {"float8_e5m2": 2.0**15, "float8_e4m3fn": 2.0**8, "float4_e2m1fn": 4.0}[element]
    values = rng.uniform(-largest, largest, (16, 8, columns, 4))
    values[:, 0, :, 0] = largest  # so that quantizing the values again finds the same scales
    elements = values.astype(dtype)
    exponents = rng.integers(-12, -8, (16, columns))
    meant = elements.astype(np.float64) * 2.0 ** exponents[:, None, :, None]
    return elements.reshape(128, 4 * columns), (exponents + 127).astype(np.uint8), meant.reshape(128, 4 * columns)


def _packed(elements: Array) -> Array:
    """Four elements of 8 bits as uint32, or two of 4 bits as uint8."""
    if elements.dtype != np.dtype(ml_dtypes.float4_e2m1fn):
        return elements.view(np.uint32)
    bits = elements.view(np.uint8) & 15
    return bits[:, ::2] | bits[:, 1::2] << 4


def _dequantized(packed: Array, scale: Array, dtype: str) -> Array:
    """Find the values that packed elements and scales stand for, as (128, columns, 4)."""
    if dtype.startswith("float4"):
        bits = np.stack([packed & 15, packed >> 4], -1).reshape(128, -1).astype(np.uint8)
    else:
        bits = packed.view(np.uint8)
    values = bits.view(np.dtype(getattr(ml_dtypes, dtype.removesuffix("_x4")))).astype(np.float64).reshape(16, 8, -1, 4)
    return np.asarray(values * 2.0 ** (scale.astype(np.float64)[:, None, :, None] - 127)).reshape(128, -1, 4)


def _mx_offline(element: _Format) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        arguments: Arguments = {"mx_dtype": f"{element}_x4"}
        for name, columns in (("stationary", 128), ("moving", 512)):
            elements, scales, _ = _scaled(rng, element, columns)
            arguments |= {f"{name}_mx_data": _packed(elements), f"{name}_mx_scale": scales}
        return arguments

    return inputs


def _mx_product(
    stationary_mx_data: Array, stationary_mx_scale: Array, moving_mx_data: Array, moving_mx_scale: Array, mx_dtype: str
) -> Array:
    left = _dequantized(stationary_mx_data, stationary_mx_scale, mx_dtype)
    right = _dequantized(moving_mx_data, moving_mx_scale, mx_dtype)
    return np.asarray(np.einsum("kiq,kjq->ij", left, right))


def _mx_on_device(element: _Format) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        elements, scales, _ = _scaled(rng, element, 128)
        return {
            "stationary_mx_data": _packed(elements),
            "stationary_mx_scale": scales,
            "moving_data_bf16": _scaled(rng, "float8_e5m2", 512)[2].astype(BFLOAT16),
            "stationary_mx_dtype": f"{element}_x4",
            "moving_mx_dtype": "float8_e5m2_x4",
        }

    return inputs


def _mx_mixed_product(
    stationary_mx_data: Array, stationary_mx_scale: Array, moving_data_bf16: Array, stationary_mx_dtype: str, **_: Any
) -> Array:
    left = _dequantized(stationary_mx_data, stationary_mx_scale, stationary_mx_dtype)
    return np.asarray(np.einsum("kiq,kjq->ij", left, double(moving_data_bf16).reshape(128, -1, 4)))


def _mx_strided(use_tensor_copy: bool) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        arguments: Arguments = {"mx_dtype": "float8_e5m2_x4", "use_tensor_copy": use_tensor_copy}
        for name, columns in (("stationary_hbm", 128), ("moving_hbm", 512)):
            values = _scaled(rng, "float8_e5m2", columns)[2].reshape(128, columns, 4)
            arguments[name] = np.ascontiguousarray(values.transpose(2, 0, 1)).reshape(512, columns).astype(BFLOAT16)
        return arguments

    return inputs


def _mx_strided_product(stationary_hbm: Array, moving_hbm: Array, **_: Any) -> Array:
    return double(stationary_hbm).T @ double(moving_hbm)


def _mx(kernel: str, inputs: Inputs, reference: Callable[..., Any], case: str) -> Sample:
    return Sample(file=_MX, kernel=kernel, inputs=inputs, reference=reference, case=case, targets=("trn3",), tolerance=BFLOAT16_RESULT)


_FORMATS: Final[tuple[_Format, ...]] = ("float8_e5m2", "float8_e4m3fn", "float4_e2m1fn")
_MICROSCALED: Final = (
    *(_mx("kernel_offline_quantized_mx_matmul", _mx_offline(element), _mx_product, element) for element in _FORMATS),
    *(_mx("kernel_on_device_quantize_matmul_mx", _mx_on_device(element), _mx_mixed_product, element) for element in _FORMATS),
    *(
        _mx(f"kernel_copy_strided_quantize_matmul_mx{kind}", _mx_strided(copy), _mx_strided_product, "copied" if copy else "dma")
        for kind in ("", "_packed_scale")
        for copy in (True, False)
    ),
)


# Code blocks of the documents.


def _block(file: str, kernel: str, inputs: Inputs, reference: Callable[..., Any], occurrence: int = 0, **more: Any) -> Sample:
    return Sample(file=file, kernel=kernel, occurrence=occurrence, inputs=inputs, reference=reference, **{"targets": _ALL} | more)


_ADDENDS: Final = integers(a_input=(128, 64), b_input=(128, 64))
_SCHEDULING: Final = _GUIDES + "how-to-scheduling-apis.rst"
_OPTIMIZATION: Final = _GUIDES + "tutorials/kernel-optimization.rst"
_PATTERNS: Final = "nki/deep-dives/nki-aps.rst"
_MIGRATION: Final = "nki/migration/index.rst"
_TILING: Final = _START + "about/tiling-overview.rst"
_OUT_OF_BOUNDS: Final = "neuron-runtime/nrtpy/tutorial-debug-neff-nrtpy.rst"
_THREE: Final = floats(a=(64, 32), b=(64, 32), c=(64, 32))
_POSITIVE: Final[Inputs] = lambda rng: {"in_tensor": rng.uniform(0.5, 2, (256, 512)).astype(np.float32)}  # noqa: E731
_SHAPES_ARE_TUPLES: Final = "It compares a shape with a list, which no tuple equals; the API says that NkiTensor.shape is a tuple."


def _three_exponentials(a: Array, b: Array, c: Array) -> tuple[Array, ...]:
    return tuple(map(_exp, (a, b, c)))


def _reciprocals(input: Array) -> Array:
    return 1 / double(input)


def _first_element_down(src_tensor: Array) -> Array:
    """Its pattern takes one element of a row, and its indices name row 0 for all."""
    result = np.zeros_like(src_tensor)
    result[:, 0] = src_tensor[0, 0]
    return result


def _in_order(kernel: Any) -> Any:
    """Give the two kernels of the guide their schedules."""
    chain = [(f"act{i}", f"act{i - 1}") for i in (1, 2)]
    return kernel.with_schedule([("plus1", ["recip"])] if "t" in kernel.function.__code__.co_varnames[:1] else chain)


_BLOCKS: Final = (
    _block(_START + "nki-language-guide.rst", "nki_tensor_add_kernel", _ADDENDS, _add),
    *(
        _block(
            _START + "nki-language-guide.rst",
            kernel,
            lambda rng: {"a_input": rng.standard_normal((256, 512)).astype(np.float32), "a_output": np.zeros((256, 512), np.float32)},
            reference,
            call=_written("a_output"),
        )
        for kernel, reference in (
            ("relu_kernel", lambda a_input, **_: np.maximum(a_input, 0)),
            ("scale_kernel", lambda a_input, **_: a_input * 0.5),
        )
    ),
    _block(_START + "quickstart-implement-run-kernel.rst", "nki_tensor_add_kernel", _ADDENDS, _add, 1),
    *(
        _block(
            _START + "about/nki-dma-overview.rst",
            "tensor_exp_kernel_isa",
            floats(BFLOAT16, in_tensor=shape),
            _exp,
            occurrence,
            tolerance=BFLOAT16_RESULT,
        )
        for occurrence, shape in enumerate([(4, 4096), (128, 128)])
    ),
    _block(
        _TILING,
        "tensor_kernel",
        lambda rng: {"in_tensor": rng.uniform(0.5, 2, (128, 512)).astype(np.float32)},
        _reciprocal,
        tolerance=_ROUNDED,
        explanation=Explanation("fault", "Its docstring is indented less than the statements after it.", IndentationError),
    ),
    _block(_TILING, "tensor_exp_kernel_", _POSITIVE, _reciprocal, tolerance=_ROUNDED),
    _block(_TILING, "tensor_exp_kernel_", _POSITIVE, _reciprocal, 1, tolerance=_ROUNDED, case="whole tiles"),
    _block(
        _TILING,
        "tensor_exp_kernel_",
        lambda rng: {"in_tensor": rng.uniform(0.5, 2, (200, 64)).astype(np.float32)},
        _reciprocal,
        1,
        tolerance=_ROUNDED,
        case="ragged",
        explanation=Explanation(
            "fault",
            "It is said to take any shape, but its last tile is a DMA from 72 rows to a tile of 128 and back: "
            "nisa.dma_copy wants as many elements on both sides.",
            NkiConstraintError,
            "dma_copy",
        ),
    ),
    *(
        _block(
            _START + "about/lnc.rst",
            "lnc_test",
            lambda rng: {"input": rng.uniform(0.5, 2, (2, 128, 128)).astype(np.float32)},
            _reciprocals,
            1,
            tolerance=_ROUNDED,
            lnc=lnc,
            targets=_ALL if lnc == 1 else ("trn2", "trn3"),
        )
        for lnc in (1, 2)
    ),
    _block(
        _SCHEDULING,
        "kernel",
        lambda rng: {"t": rng.uniform(0.5, 2, (64, 32)).astype(np.float32)},
        lambda t: 1 / double(t) + double(t) + 1,
        adapt=_in_order,
        tolerance=Tolerance(3, "float32", "three rounded operations"),
    ),
    _block(_SCHEDULING, "kernel", _THREE, _three_exponentials, 1, adapt=_in_order, tolerance=_FUNCTION),
    *(_block(_SCHEDULING, "loop", _THREE, _three_exponentials, occurrence, tolerance=_FUNCTION) for occurrence in (0, 1)),
    _block(
        _GUIDES + "nki_simulator.rst",
        "bad_kernel",
        lambda _: {"a_ptr": np.ones((256, 512), np.float32)},
        lambda a_ptr: a_ptr,
        # Its block runs it, too.
        prelude="import numpy as np\nimport nki\nimport nki.language as nl\ndata = np.ones((256, 512), np.float32)\n",
        explanation=Explanation("rule", "The guide shows it as what fails: 256 partitions exceed 128.", NkiConstraintError, "128"),
    ),
    *(
        _block(_OPTIMIZATION, "matrix_multiply_kernel", inputs, product, occurrence)
        for occurrence, inputs in enumerate([_SMALL_MATRICES, _MATRICES, _MATRICES, _MATRICES, _BLOCKED])
    ),
    _block(
        _GUIDES + "use-neuron-profile.rst",
        "nki_matmul",
        _BLOCKED,
        product,
        needs=("torch",),
        explanation=Explanation("package", "Its code block imports torch_neuronx.", ModuleNotFoundError, "torch_neuronx"),
    ),
    _block(_PATTERNS, "scalar_dynamic_select", floats(A=(4, 128, 512)), lambda A: A[3]),
    _block(
        _PATTERNS,
        "scalar_dynamic_dma",
        floats(A=(512, 512)),
        lambda A: A[384:, :256],
        explanation=Explanation("fault", _SHAPES_ARE_TUPLES, AssertionError),
    ),
    _block(_PATTERNS, "gather_rows", floats(A=(128, 512)), lambda A: A[::2]),
    _block(_PATTERNS, "indirect_vector_dynamic_dma", floats(A=(128, 512)), lambda A: A[::2]),
    _block(
        _MIGRATION,
        "indirect_scalar_dynamic_dma",
        floats(A=(512, 512)),
        lambda A: A[384:, :256],
        explanation=Explanation("fault", _SHAPES_ARE_TUPLES, AssertionError),
    ),
    _block(_MIGRATION, "indirect_vector_dynamic_dma", floats(A=(128, 512)), lambda A: A[::2]),
    _block(_MIGRATION, "sb_blocks_migrated", floats(inp=(8, 128, 512)), lambda inp: inp),
    _block(_MIGRATION, "sb_blocks_migrated", floats(inp=(8, 128, 512)), lambda inp: inp, 1),
    _block(_MIGRATION, "sb_blocks_migrated_incorrect", floats(inp=(8, 128, 512)), lambda inp: inp),
    _block(
        _OUT_OF_BOUNDS,
        "oob_dma_kernel",
        floats(src_tensor=(128, 512)),
        lambda src_tensor: src_tensor,
        explanation=Explanation(
            "fault", "The tutorial gathers row 99999 of 128 to show how the runtime reports it.", OutOfBoundsError, "99999"
        ),
    ),
    _block(_OUT_OF_BOUNDS, "fixed_dma_kernel", floats(src_tensor=(128, 512)), _first_element_down),
)

SAMPLES: Final[Sequence[Sample]] = (*_EXAMPLE_FILES, *_MICROSCALED, *_BLOCKS)
