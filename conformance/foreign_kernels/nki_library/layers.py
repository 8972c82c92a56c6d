"""Kernels of single layers: normalizations, rotary embeddings, convolutions, projections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np

from ..draw import BFLOAT16, Array, Inputs, double, floats, with_values
from ..sample import Arguments, Explanation, Sample, Tolerance
from .launch import Of, library, theirs

__all__ = ["SAMPLES"]

_FP8: Final = np.dtype(ml_dtypes.float8_e4m3)
_OCP: Final = np.dtype(ml_dtypes.float8_e4m3fn)
_TYPES: Final = "core.utils.common_types"
_NO_RANGE: Final = Explanation(
    "fault",
    "mxfp_load_utils.py:123 calls nl.range, which no public nki.language has (API reference): it is Python's.",
    AttributeError,
    "range",
)
_HALVES: Final = Tolerance(4, "float16", "the row's factor, the product with it, with gamma and the sum with beta round to float16")
_PRODUCT: Final = Tolerance(4, "bfloat16", "exact products of bfloat16 are added in float32 and rounded; the bias is added in bfloat16")


def _normalized(input: Array, gamma: Array, beta: Array | None, center: bool, lnc: int) -> Array:
    """Normalize rows, and lay them out as (128, rows, columns / 128), the halves of two cores side by side."""
    rows = double(input).reshape(-1, input.shape[-1])
    rows = rows - rows.mean(-1, keepdims=True) * center
    rows = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * double(gamma) + (0 if beta is None else double(beta))
    parts = rows.reshape(len(rows), lnc, 128, -1)
    result: Array = parts.transpose(2, 0, 1, 3).reshape(128, len(rows), -1)
    return result


def _rms_norm(input: Array, gamma: Array, **_: Any) -> Array:
    return _normalized(input, gamma, None, False, 2)


def _layer_norm(input: Array, gamma: Array, beta: Array, **_: Any) -> Array:
    return _normalized(input, gamma, beta, True, 2)


def _norm_inputs(**more: tuple[int, ...]) -> Inputs:
    return floats(np.float16, input=(32, 1, 1024), gamma=(1, 1024), output=(128, 32, 8), **more)


def _quantize_inputs(norm: str) -> Inputs:
    kind = {"norm_type": Of(_TYPES, f"NormType.{norm}"), "quantization_type": Of(_TYPES, "QuantizationType.ROW")}
    return with_values(
        floats(BFLOAT16, hidden=(1, 130, 512), ln_w=(1, 512)), kargs=Of("core.rmsnorm.rmsnorm_quant", "RmsNormQuantKernelArgs", kind)
    )


def _dequantized(kernel: Callable[..., Any], hidden: Array, ln_w: Array, kargs: Of) -> Array:
    """Quantized rows times their scales, which are the last four bytes of each."""
    out: Array = kernel(hidden, ln_w, kargs.find())
    return double(out[..., :-4]) * np.ascontiguousarray(out[..., -4:]).view(np.float32)


def _rms(hidden: Array, ln_w: Array, **_: Any) -> Array:
    rows = double(hidden)
    result: Array = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * double(ln_w)
    return result


def _unchanged(hidden: Array, **_: Any) -> Array:
    return double(hidden)


def _angles(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Arguments:
    angles = rng.uniform(-np.pi, np.pi, shape)
    return {"cos": np.cos(angles).astype(dtype), "sin": np.sin(angles).astype(dtype)}


def _rope_inputs(dtype: Any) -> Inputs:
    shapes: dict[str, tuple[int, ...]] = {name: (1, heads, 256, 64) for heads, name in ((4, "q"), (2, "k"), (4, "q_out"), (2, "k_out"))}
    return lambda rng: floats(dtype, **shapes)(rng) | _angles(rng, (1, 256, 64), dtype)


def _heads_inputs(rng: np.random.Generator) -> Arguments:
    return floats(x_in=(64, 2, 2, 64))(rng) | _angles(rng, (32, 2, 64), np.float32)


def _depthwise(img_ref: Array, filter_ref: Array, stride: tuple[int, int], **_: Any) -> Array:
    width = filter_ref.shape[-1]
    windows = np.lib.stride_tricks.sliding_window_view(double(img_ref[:, :, 0]), width, axis=-1)[:, :, :: stride[1]]
    result: Array = np.einsum("bcqw,cw->bcq", windows, double(filter_ref[:, 0, 0]))
    return result[:, :, None]


def _convolve(x_in: Array, filters: Array, bias: Array, stride: int, padding: tuple[int, int], dilation: int, **_: Any) -> Array:
    wide = np.pad(double(x_in), ((0, 0), (0, 0), padding))
    taps = len(filters)
    windows = np.lib.stride_tricks.sliding_window_view(wide, dilation * (taps - 1) + 1, axis=-1)[:, :, ::stride, ::dilation]
    result: Array = np.einsum("bclk,kcd->bdl", windows, double(filters)) + double(bias)[:, None]
    return result


def _projection(kind: str, attention: tuple[int, ...], width: int) -> Inputs:
    """Heads' results and the weights of an output projection; quantized, the weights' scales and that of the results."""
    heads = attention[0] * attention[2] if kind.startswith("TKG") else attention[1] * attention[2]

    def inputs(rng: np.random.Generator) -> Arguments:
        values = rng.uniform(-1, 1, attention).astype(BFLOAT16)
        if kind.endswith("NONE"):
            return {"attention": values} | floats(BFLOAT16, weight=(heads, width), bias=(1, width))(rng)
        weights = (rng.uniform(-1, 1, (heads, width)) * 240).astype(_OCP if kind.endswith("MX") else _FP8)
        if kind.endswith("MX"):  # four rows side by side
            weights = weights.reshape(heads // 4, 4, width).transpose(0, 2, 1).reshape(heads, width)
        columns = width if kind.endswith("ROW") else 1
        scales = np.repeat(rng.uniform(0.5, 1.5, (1, columns)).astype(np.float32) / 240, 128, 0)
        many = "s" if kind.startswith("CTE") else ""
        drawn = {"attention": values, "weight": weights, f"weight_scale{many}": scales}
        if "STATIC" in kind:
            drawn[f"input_scale{many}"] = np.full((128, 1), 1 / 240, np.float32)
        return drawn | {"quantization_type": Of(_TYPES, "QuantizationType." + kind.partition("-")[2])}

    return inputs


def _projected(
    rows: Array, weight: Array, bias: Array | None, weight_scale: Array | None, input_scale: Array | None, twice: bool = False
) -> Array:
    """Multiply and rescale; quantization rounds `twice` where the kernel keeps the scaled rows in bfloat16 before it clips them."""
    if input_scale is not None:
        scaled = rows.astype(np.float32) / input_scale[0, 0]
        rows = np.clip(scaled.astype(BFLOAT16) if twice else scaled, -240, 240).astype(weight.dtype)
    factor = (1 if weight_scale is None else double(weight_scale[0])) * (1 if input_scale is None else double(input_scale[0, 0]))
    return double(rows) @ double(weight) * factor + (0 if bias is None else double(bias))


def _context(attention: Array, weight: Array, bias: Array | None = None, **more: Any) -> Array:
    batches, heads, depth, length = attention.shape
    rows = attention.transpose(0, 3, 1, 2).reshape(batches * length, heads * depth)
    if weight.dtype == _OCP:
        weight = weight.reshape(len(weight) // 4, -1, 4).transpose(0, 2, 1).reshape(weight.shape)
    return _projected(rows, weight, bias, more.get("weight_scales"), more.get("input_scales"), twice=True).reshape(batches, length, -1)


def _tokens(attention: Array, weight: Array, bias: Array | None = None, **more: Any) -> Array:
    depth, batches, heads, length = attention.shape
    rows = attention.transpose(1, 3, 2, 0).reshape(batches * length, heads * depth)
    return _projected(rows, weight, bias, more.get("weight_scale"), more.get("input_scale"))


SAMPLES: Final[Sequence[Sample]] = (
    *(
        library(
            f"core/subkernels/{kernel}.py",
            kernel,
            _norm_inputs(**more),
            reference,
            _HALVES,
            lnc=2,
        )
        for kernel, reference, more in (("rmsnorm_tkg", _rms_norm, {}), ("layernorm_tkg", _layer_norm, {"beta": (1, 1024)}))
    ),
    *(
        library(
            "core/rmsnorm/rmsnorm_quant.py",
            "rmsnorm_quant_kernel",
            _quantize_inputs(norm),
            reference,
            Tolerance(1.1, "float8_e4m3", "rows are rounded to float8, relative to their largest element"),
            call=_dequantized,
            case=norm,
            lnc=lnc,
        )
        for norm, reference, lnc in (("RMS_NORM", _rms, 1), ("NO_NORM", _unchanged, 2))
    ),
    *(
        library(
            "core/embeddings/rope_hf.py",
            "rope_hf",
            with_values(_rope_inputs(dtype), backward=backward),
            theirs("rope_hf_torch_ref", "core/embeddings/rope_hf_torch.py"),
            Tolerance(4, np.dtype(dtype).name, "two products and their sum round, and the reference does"),  # type: ignore[arg-type]
            case=f"{np.dtype(dtype).name}-{'backward' if backward else 'forward'}",
            lnc=lnc,
        )
        for dtype, backward, lnc in ((np.float32, False, 1), (BFLOAT16, True, 2))
    ),
    library(
        "core/embeddings/rope.py",
        "RoPE",
        _heads_inputs,
        theirs("rope_torch_ref", "core/embeddings/rope_torch.py"),
        Tolerance(4, "float32", "two products and their sum round, and the reference does"),
    ),
    *(
        library(
            "experimental/conv/conv1d.py",
            "conv1d",
            with_values(
                floats(x_in=(2, 16, 100), filters=(3, 16, 32), bias=(32,)), stride=stride, padding=padding, dilation=dilation
            ),
            _convolve,
            Tolerance(2 * 48, "float32", "48 products are added in float32"),
            case=f"stride{stride}-dilation{dilation}",
        )
        for stride, padding, dilation in ((1, (0, 0), 1), (2, (2, 2), 1), (1, (1, 2), 2))
    ),
    library(
        "experimental/conv/depthwise_conv1d.py",
        "depthwise_conv1d_implicit_gemm",
        with_values(
            floats(BFLOAT16, img_ref=(1, 16, 1, 256), filter_ref=(16, 1, 1, 64)),
            stride=(1, 2),
            padding=((0, 0), (0, 0)),
            feature_group_count=16,
        ),
        _depthwise,
        Tolerance(2, "bfloat16", "a sum of exact products is rounded to bfloat16"),
        lnc=2,
    ),
    *(
        library(
            "core/output_projection/output_projection_cte/output_projection_cte.py",
            "output_projection_cte",
            _projection(f"CTE-{kind}", (1, 2, 64, 512), 512),
            _context,
            _PRODUCT,
            case=f"{kind}-lnc{lnc}",
            lnc=lnc,
            targets=("trn3",) if kind.endswith("MX") else ("trn2", "trn3"),
        )
        for kind, lnc in (("NONE", 1), ("NONE", 2), ("STATIC", 2), ("STATIC_MX", 2))
    ),
    *(
        library(
            "core/output_projection/output_projection_tkg.py",
            "output_projection_tkg",
            _projection(f"TKG-{kind}", (128, 2, 2, 2), 1024),
            _tokens,
            _PRODUCT,
            case=f"{kind}-lnc{lnc}",
            lnc=lnc,
        )
        for kind, lnc in (("NONE", 1), ("NONE", 2), ("STATIC", 2), ("ROW", 2))
    ),
    library(
        "experimental/mxfp_subkernels/mxfp_load_utils.py",
        "mxfp_load_performance_wrapper",
        floats(BFLOAT16, tensor=(128, 512)),
        double,
        explanation=_NO_RANGE,
        targets=("trn3",),
    ),
)
