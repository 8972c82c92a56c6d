"""NKI kernels inside the wheels of trnblas, trnrand, trnsparse and trntensor, written for NKI 0.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...backends.simulator import NkiConstraintError
from .draw import Array, Inputs, double, integers
from .sample import EXACT, Arguments, Explanation, Sample, Theirs, Tolerance

__all__ = ["SAMPLES"]

_ALL: Final = ("trn1", "trn2", "trn3")
_BLAS: Final = "trnblas/nki/dispatch.py"
_RAND: Final = "trnrand/nki/dispatch.py"
_SPARSE: Final = "trnsparse/nki/kernels.py"
_TENSOR: Final = "trntensor/nki/_kernels.py"


_ACCUMULATES: Final = Explanation(
    "rule",
    "nki.isa.nc_matmul: accumulate=True is only valid after a matmul with accumulate=False, and on NeuronCore-v2 and v3 adding "
    "to a location that a memset initialised is undefined; the kernel adds to nl.zeros.",
    NkiConstraintError,
    "accumulate=True adds to what a matmul",
)
_ADDS_TO_ZEROS: Final = {"trn1": _ACCUMULATES, "trn2": _ACCUMULATES}  # trn3 defines it
_BROADCASTS: Final = Explanation(
    "rule",
    "NKI 0.3 and 0.4 release notes, known issues: binary operations of nki.language need operands of one shape.",
    NkiConstraintError,
    "do not broadcast",
)


def _sample(
    file: str, kernel: str, inputs: Inputs, reference: Callable[..., Any] | Theirs, tolerance: Tolerance = EXACT, **more: Any
) -> Sample:
    needs = ("torch",) if file in (_BLAS, _RAND) else ()
    defaults = {"root": ".", "targets": _ALL, "needs": needs}
    return Sample(file=file, kernel=kernel, inputs=inputs, reference=reference, tolerance=tolerance, **defaults | more)


def _matmul(a: Array, b: Array) -> Array:
    return double(a) @ double(b)


# Energies of second-order perturbation theory: sums of T (2T - T') / (e_i + e_j - e_a - e_b).

_ENERGY: Final = Tolerance(32, "float32", "two sums of 128 to 256 terms whose roundings have either sign, and some ten single ones")


def _orbitals(occupied: int, virtual: int) -> Callable[[np.random.Generator], tuple[Array, Array]]:
    return lambda rng: (rng.uniform(-2, -0.5, occupied).astype(np.float32), rng.uniform(0.2, 3, virtual).astype(np.float32))


def _terms(t: Array, occupied: Array | float, virtual: Array) -> Array:
    """T of shape (a, b) with the sum of two occupied energies, or more of both before."""
    energies = double(virtual)
    gaps = np.asarray(occupied)[..., None, None] - energies[:, None] - energies
    return np.asarray(t * (2 * t - np.swapaxes(t, -1, -2)) / gaps)


def _mp2_inputs(rng: np.random.Generator) -> Arguments:
    occupied, virtual = _orbitals(3, 192)(rng)
    return {
        "T_flat": rng.standard_normal((2 * 192, 3 * 192)).astype(np.float32),
        "eps_occ_chunk": occupied[None, :2],
        "eps_occ_full": occupied[None],
        "eps_vir_col": virtual[:, None],
        "eps_vir_row": virtual[None],
    }


def _mp2(T_flat: Array, eps_occ_chunk: Array, eps_occ_full: Array, eps_vir_row: Array, **_: Any) -> Array:
    t = double(T_flat).reshape(2, 192, 3, 192).transpose(0, 2, 1, 3)
    pairs = double(eps_occ_chunk)[0, :, None] + double(eps_occ_full)[0]
    result: Array = _terms(t, pairs, eps_vir_row[0]).sum(-1).reshape(2, 3, 2, 96).sum(2).transpose(2, 0, 1).reshape(96, 6)
    return result


def _fused_inputs(rng: np.random.Generator) -> Arguments:
    occupied, virtual = _orbitals(2, 256)(rng)
    factors = {name: rng.standard_normal((256, 128)).astype(np.float32) for name in ("b_i", "b_j")}
    return factors | {"eps_occ_sum": occupied.sum()[None, None], "eps_vir_col": virtual[:, None], "eps_vir_row": virtual[None]}


def _fused(b_i: Array, b_j: Array, eps_occ_sum: Array, eps_vir_row: Array, **_: Any) -> Array:
    result: Array = _terms(double(b_i) @ double(b_j).T, double(eps_occ_sum)[0, 0], eps_vir_row[0]).sum(1, keepdims=True)
    return result


def _pairs_inputs(rng: np.random.Generator) -> Arguments:
    occupied, virtual = _orbitals(2, 128)(rng)
    factors = rng.standard_normal((2, 128, 128)).astype(np.float32)
    return {"B": factors, "eps_occ_row": occupied[None], "eps_vir_col": virtual[:, None], "eps_vir_row": virtual[None]}


def _pairs(B: Array, eps_occ_row: Array, eps_vir_row: Array, **_: Any) -> Array:
    t = np.einsum("iap,jbp->ijab", double(B), double(B))
    energies = double(eps_occ_row)[0]
    result: Array = _terms(t, energies[:, None] + energies, eps_vir_row[0]).sum(-1).transpose(2, 0, 1).reshape(128, 4)
    return result


def _one_row_inputs(rng: np.random.Generator) -> Arguments:
    arguments = _pairs_inputs(rng)
    return arguments | {"b_i": arguments["B"][0], "eps_occ_i": arguments["eps_occ_row"][:, :1].copy()}


def _one_row(**arguments: Any) -> Array:
    return _pairs(**arguments)[:, :2]


def _small_mp2_inputs(rng: np.random.Generator) -> Arguments:
    occupied, virtual = _orbitals(2, 64)(rng)
    return {"B": rng.standard_normal((2, 64, 96)).astype(np.float32), "eps_occ": occupied[:, None], "eps_vir": virtual[:, None]}


def _small_mp2(B: Array, eps_occ: Array, eps_vir: Array) -> Array:
    t = np.einsum("iap,jbp->ijab", double(B), double(B))
    energies = double(eps_occ)[:, 0]
    result: Array = _terms(t, energies[:, None] + energies, eps_vir[:, 0]).sum((-1, -2))
    return result


def _transformed(eri: Array, C_occ: Array, C_vir: Array) -> Array:
    return np.asarray(np.einsum("mi,na,mnp->iap", double(C_occ), double(C_vir), double(eri)))


_BLAS_SAMPLES: Final = (
    *(
        _sample(_BLAS, f"_gemm_kernel_{rows}_128_{columns}", integers(a=(256, 256), b=(256, 512)), _matmul, explanation=_ADDS_TO_ZEROS)
        for rows in (64, 128)
        for columns in (128, 256, 512)
    ),
    _sample(_BLAS, "_syrk_kernel", integers(a=(256, 256)), lambda a: double(a) @ double(a).T, explanation=_ADDS_TO_ZEROS),
    _sample(_BLAS, "_mp2_energy_kernel", _mp2_inputs, _mp2, _ENERGY),
    _sample(_BLAS, "_fused_gemm_energy_kernel", _fused_inputs, _fused, _ENERGY, explanation=_ADDS_TO_ZEROS),
    _sample(_BLAS, "_batched_pair_kernel", _pairs_inputs, _pairs, _ENERGY, explanation=_ADDS_TO_ZEROS),
    _sample(
        _BLAS,
        "_j_batched_kernel",
        _one_row_inputs,
        _one_row,
        _ENERGY,
        explanation=Explanation(
            "rule",
            "Architecture guide: engines reach SBUF and PSUM only; the kernel adds eps_occ_i without loading it.",
            NkiConstraintError,
            "HBM is for DMA",
        ),
    ),
)

_TENSOR_SAMPLES: Final = (
    _sample(_TENSOR, "matmul_kernel", integers(a=(256, 256), b=(256, 1024)), _matmul, explanation=_ADDS_TO_ZEROS),
    _sample(_TENSOR, "batched_matmul_kernel", integers(a=(2, 128, 256), b=(2, 256, 64)), _matmul, explanation=_ADDS_TO_ZEROS),
    _sample(_TENSOR, "mp2_energy_kernel", _small_mp2_inputs, _small_mp2, _ENERGY, explanation=_BROADCASTS),
    _sample(
        _TENSOR,
        "ao_to_mo_transform_kernel",
        integers(eri=(128, 128, 3), C_occ=(128, 16), C_vir=(128, 32)),
        _transformed,
        explanation=_ADDS_TO_ZEROS,
    ),
)


# Block-sparse attention: K and V are gathered per block of rows, Q is scaled.

_SOFTMAX: Final = Tolerance(64, "float32", "exponentials of sums of 64 products, and sums of 256 of these; roundings have either sign")


def _attention(rng: np.random.Generator) -> Arguments:
    q, k, v, do = (rng.standard_normal(shape).astype(np.float32) for shape in [(2, 128, 64)] + [(2, 2, 128, 64)] * 3)
    q *= 0.125
    scores = np.einsum("mqd,mkcd->mqkc", double(q), double(k)).reshape(2, 128, 256)
    largest = scores.max(-1, keepdims=True).astype(np.float32)
    denominator = np.exp(scores - largest).sum(-1, keepdims=True).astype(np.float32)
    delta = rng.standard_normal((2, 128, 1)).astype(np.float32)
    return {"q": q, "k": k, "v": v, "do": do, "max": largest, "denominator": denominator, "delta": delta}


def _arguments(**names: str) -> Inputs:
    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = _attention(rng)
        return {name: drawn[of] for name, of in names.items()}

    return inputs


_FORWARD: Final = {"q_scaled_blocks": "q", "k_gathered_pad": "k", "v_gathered_pad": "v", "row_max": "max", "row_denom": "denominator"}


def _stats(q_scaled_blocks: Array, k_gathered_pad: Array) -> tuple[Array, Array]:
    scores = np.einsum("mqd,mkcd->mkqc", double(q_scaled_blocks), double(k_gathered_pad))
    largest = scores.max(-1, keepdims=True)
    return largest, np.exp(scores - largest).sum(-1, keepdims=True)


def _weights(q: Array, k: Array, largest: Array, denominator: Array) -> Array:
    scores = np.einsum("mqd,mkcd->mkqc", double(q), double(k))
    return np.asarray(np.exp(scores - double(largest)[:, None]) / double(denominator)[:, None])


def _attended(q_scaled_blocks: Array, k_gathered_pad: Array, v_gathered_pad: Array, row_max: Array, row_denom: Array) -> Array:
    weights = _weights(q_scaled_blocks, k_gathered_pad, row_max, row_denom)
    return np.asarray(np.einsum("mkqc,mkcd->mqd", weights, double(v_gathered_pad)).reshape(256, 64))


def _gradient_of_q(
    q_scaled_blocks: Array,
    k_gathered_pad: Array,
    v_gathered_pad: Array,
    do_gathered_pad: Array,
    D_blocks: Array,
    row_max: Array,
    row_denom: Array,
) -> Array:
    weights = _weights(q_scaled_blocks, k_gathered_pad, row_max, row_denom)
    slopes = np.einsum("mkqd,mkcd->mkqc", double(do_gathered_pad), double(v_gathered_pad)) - double(D_blocks)[:, None]
    return np.asarray(np.einsum("mkqc,mkcd->mqd", weights * slopes, double(k_gathered_pad)).reshape(256, 64))


def _columns(rng: np.random.Generator) -> Arguments:
    """Draw the same as seen from the columns: each block of K meets two of Q."""
    drawn = _attention(rng)
    gathered = {
        name: np.ascontiguousarray(np.broadcast_to(drawn[name][:, None], (2, 2, 128, 1))) for name in ("delta", "max", "denominator")
    }
    return {
        "k_blocks": drawn["k"][0],
        "v_blocks": drawn["v"][0],
        "q_gathered_col": drawn["k"][::-1] * np.float32(0.125),
        "do_gathered_col": drawn["do"],
        "D_gathered_col": gathered["delta"],
        "row_max_gathered_col": gathered["max"],
        "row_denom_gathered_col": gathered["denominator"],
    }


def _gradients_of_k_and_v(
    k_blocks: Array,
    v_blocks: Array,
    q_gathered_col: Array,
    do_gathered_col: Array,
    D_gathered_col: Array,
    row_max_gathered_col: Array,
    row_denom_gathered_col: Array,
) -> tuple[Array, Array]:
    q, do = double(q_gathered_col), double(do_gathered_col)
    scores = np.einsum("kmqd,kcd->kmqc", q, double(k_blocks))
    weights = np.exp(scores - row_max_gathered_col) / row_denom_gathered_col
    slopes = np.einsum("kmqd,kcd->kmqc", do, double(v_blocks)) - D_gathered_col
    gradients = np.einsum("kmqc,kmqd->kcd", weights * slopes, q), np.einsum("kmqc,kmqd->kcd", weights, do)
    return gradients[0].reshape(256, 64), gradients[1].reshape(256, 64)


def _block_sparse(blocks_pad: Array, b_gathered: Array) -> Array:
    return np.asarray(np.einsum("mkrc,mkcn->mrn", double(blocks_pad), double(b_gathered)).reshape(-1, b_gathered.shape[-1]))


def _screened_inputs(rng: np.random.Generator) -> Arguments:
    bounds = rng.uniform(0, 1, (256, 1)).astype(np.float32)
    return integers(a=(256, 256), b=(256, 64))(rng) | {"q": bounds, "threshold_sqrt": 0.25}


def _screened(a: Array, q: Array, threshold_sqrt: float, b: Array) -> Array:
    return double(np.where(q * q.T > np.float32(threshold_sqrt), a, 0)) @ double(b)


_SPARSE_SAMPLES: Final = (
    _sample(
        _SPARSE,
        "_bsr_spmm_kernel",
        integers(blocks_pad=(2, 3, 128, 128), b_gathered=(2, 3, 128, 64)),
        _block_sparse,
        explanation=_ADDS_TO_ZEROS,
    ),
    _sample(_SPARSE, "_screened_spmm_kernel", _screened_inputs, _screened, explanation=_BROADCASTS),
    _sample(_SPARSE, "_attn_stats_kernel", _arguments(q_scaled_blocks="q", k_gathered_pad="k"), _stats, _SOFTMAX, explanation=_BROADCASTS),
    _sample(_SPARSE, "_attn_out_kernel", _arguments(**_FORWARD), _attended, _SOFTMAX, explanation=_BROADCASTS),
    _sample(
        _SPARSE,
        "_attn_bwd_dq_kernel",
        _arguments(**_FORWARD, do_gathered_pad="do", D_blocks="delta"),
        _gradient_of_q,
        _SOFTMAX,
        explanation=_BROADCASTS,
    ),
    _sample(_SPARSE, "_attn_bwd_dkdv_kernel", _columns, _gradients_of_k_and_v, _SOFTMAX, explanation=_BROADCASTS),
    _sample(_SPARSE, "_spmm_dense_kernel", integers(a=(256, 256), b=(256, 512)), _matmul, explanation=_ADDS_TO_ZEROS),
)


# Random numbers, in Python's integers.

_MASK: Final = 2**32 - 1
_NORMAL: Final = Tolerance(16, "float32", "a square root times a cosine of a rounded angle up to 2 pi")


def _philox_inputs(rng: np.random.Generator) -> Arguments:
    drawn = {name: rng.integers(0, 2**31, (16, 1)).astype(np.int32) for name in ("key_lo_ref", "key_hi_ref")}
    return drawn | {"counter_lo_ref": np.arange(16, dtype=np.int32)[:, None]}


def _philox(counter_lo_ref: Array, key_lo_ref: Array, key_hi_ref: Array) -> Array:
    result = []
    for counter, low, high in zip(counter_lo_ref[:, 0], key_lo_ref[:, 0], key_hi_ref[:, 0], strict=True):
        c, k = [int(counter), 0, 0, 0], [int(low), int(high)]
        for _ in range(10):
            first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [second >> 32 ^ c[1] ^ k[0], second & _MASK, first >> 32 ^ c[3] ^ k[1], first & _MASK]
            k = [(k[0] + 0x9E3779B9) & _MASK, (k[1] + 0xBB67AE85) & _MASK]
        result.append(c)
    return np.array(result, np.int64).astype(np.uint32).view(np.int32)


def _box_muller(uniforms_ref: Array) -> Array:
    u = double(uniforms_ref)
    radius, angle = np.sqrt(-2 * np.log(u[:, ::2])), 2 * np.pi * u[:, 1::2]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1).reshape(u.shape)


def _threefry_inputs(rng: np.random.Generator) -> Arguments:
    names = [f"{kind}{i}_ref" for kind in "ck" for i in range(4)]
    return {name: rng.integers(0, 2**24, (16, 1)).astype(np.int32) for name in names}


def _threefry_words(words: list[int]) -> list[int]:
    """Twenty rounds as their reference has them: it repeats the first four pairs of rotations, where the published cipher has eight."""
    x, key = words[:4], words[4:]
    key.append(key[0] ^ key[1] ^ key[2] ^ key[3] ^ 0x1BD11BDA)
    rotations = [(10, 26), (11, 21), (13, 27), (23, 5)] * 2
    for turn in range(20):
        if turn % 4 == 0:
            x = [(x[i] + key[(turn // 4 + i) % 5] + (turn // 4) * (i == 3)) & _MASK for i in range(4)]
        partner = 1 if turn % 2 == 0 else 3
        for i, rotation in zip((0, 2), rotations[turn % 8], strict=True):
            j = (i + partner) % 4
            x[i] = (x[i] + x[j]) & _MASK
            x[j] = ((x[j] << rotation | x[j] >> 32 - rotation) & _MASK) ^ x[i]
    return [(x[i] + key[(5 + i) % 5] + 5 * (i == 3)) & _MASK for i in range(4)]


def _threefry(**words: Array) -> Array:
    """Give the low 24 bits of each word, as a fraction."""
    ordered = np.concatenate([words[name] for name in sorted(words)], 1)
    return np.array([[word % 2**24 / 2**24 for word in _threefry_words(list(map(int, row)))] for row in ordered])


def _threefry_normal(**words: Array) -> Array:
    return _box_muller(np.maximum(_threefry(**words), 1e-7))


def _sobol(directions: Callable[[], Any], gray_ref: Array) -> Array:
    def point(code: int, vectors: Sequence[int]) -> int:
        value = 0
        for k, vector in enumerate(vectors):
            value ^= vector * (code >> k & 1)
        return value

    return np.array([[point(int(code), vectors) / 2**24 for vectors in directions()] for code in gray_ref[:, 0]])


def _halton(indices_ref: Array) -> Array:
    def inverse(index: int, base: int) -> float:
        value, scale = 0.0, 1.0
        while index:
            index, digit = divmod(index, base)
            scale /= base
            value += digit * scale
        return value

    return np.array([[inverse(int(i), base) for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)] for i in indices_ref[:, 0]])


_RAND_SAMPLES: Final = (
    _sample(
        _RAND,
        "philox4x32_kernel",
        _philox_inputs,
        _philox,
        explanation=Explanation(
            "fault",
            "Words are converted by nl.copy from int32 to uint32 and back. A copy between dtypes converts values through "
            "float32 and saturates (release notes of NKI 0.6), so that words over 2**31 and bits under 2**-24 of them are lost. "
            "Uniforms made of its words have mean 0.30 on the simulator; its authors found 0.31 on Trainium, where 0.50 is right.",
        ),
    ),
    _sample(
        _RAND, "box_muller_kernel", lambda rng: {"uniforms_ref": rng.uniform(0.01, 1, (128, 2)).astype(np.float32)}, _box_muller, _NORMAL
    ),
    _sample(_RAND, "threefry4x32_kernel", _threefry_inputs, _threefry),
    _sample(_RAND, "threefry_normal_kernel", _threefry_inputs, _threefry_normal, _NORMAL),
    _sample(
        _RAND,
        "sobol_gray_code_kernel",
        lambda rng: {"gray_ref": rng.integers(0, 2**24, (128, 1)).astype(np.int32)},
        Theirs("_init_sobol_directions", call=_sobol),
    ),
    _sample(
        _RAND,
        "halton_kernel",
        lambda _: {"indices_ref": np.arange(1, 129, dtype=np.int32)[:, None]},
        _halton,
        Tolerance(8, "float32", "sums of up to 22 terms, each less than half of the one before"),
    ),
)

SAMPLES: Final[Sequence[Sample]] = (*_BLAS_SAMPLES, *_RAND_SAMPLES, *_SPARSE_SAMPLES, *_TENSOR_SAMPLES)
