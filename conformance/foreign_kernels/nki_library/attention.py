"""Kernels of attention: of a context, of tokens, its gradient, and the projections before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..draw import BFLOAT16, Array, Inputs, double, floats
from ..sample import Arguments, Sample, Tolerance
from .launch import Of, library

__all__ = ["SAMPLES"]

_TYPES: Final = "core.utils.common_types"
_WEIGHTS: Final = Tolerance(4, "bfloat16", "queries, exponentials and the result round to bfloat16, and averages do not make that worse")


def _mask(rows: int, columns: int, causal: bool, window: int = 0) -> Array:
    """Which keys a query sees; queries are the last of the columns."""
    distance = np.arange(rows)[:, None] + columns - rows - np.arange(columns)
    seen = distance >= 0 if causal else np.ones_like(distance, dtype=bool)
    return seen & (distance < window) if window else seen


def _softmax(scores: Array, sink: Array | None = None) -> Array:
    """Weights of keys; a sink is one more score, which has a weight and no value."""
    top = scores.max(-1, keepdims=True) if sink is None else np.maximum(scores.max(-1, keepdims=True), sink)
    weights = np.exp(scores - top)
    rest = 0 if sink is None else np.exp(sink - top)
    result: Array = weights / (weights.sum(-1, keepdims=True) + rest)
    return result


def _heads(values: Array, count: int) -> Array:
    """Repeat keys and values for the queries that share them."""
    return np.repeat(values, count // len(values), axis=0)


def _context(
    q: Array,
    k: Array,
    v: Array,
    scale: float = 1.0,
    causal_mask: bool = True,
    sliding_window: int = 0,
    k_prior: Array | None = None,
    v_prior: Array | None = None,
    prior_used_len: Array | None = None,
    sink: Array | None = None,
    tp_out: bool = False,
    **_: Any,
) -> Array:
    used = 0 if prior_used_len is None else int(prior_used_len[0])
    keys, values = double(k), double(v)
    if k_prior is not None and v_prior is not None:
        keys = np.concatenate([double(k_prior)[:, :, :used], keys], 2)
        values = np.concatenate([double(v_prior)[:, :used], values], 1)
    scores = double(q) @ _heads(keys, len(q)) * scale
    scores = np.where(_mask(q.shape[1], keys.shape[2], causal_mask, sliding_window), scores, -np.inf)
    result: Array = _softmax(scores, None if sink is None else double(sink)[:, :, None]) @ _heads(values, len(q))
    return result.transpose(0, 2, 1) if tp_out else result


def _context_inputs(length: int = 256, prior: int = 0, sink: bool = False, **more: Any) -> Inputs:
    shapes: dict[str, tuple[int, ...]] = {"q": (2, length, 64), "k": (1, 64, length), "v": (1, length, 64)}
    if prior:
        shapes |= {"k_prior": (1, 64, prior), "v_prior": (1, prior, 64)}

    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = floats(BFLOAT16, **shapes)(rng)
        drawn["q"] = (drawn["q"] / 8).astype(BFLOAT16)
        if prior:
            drawn["prior_used_len"] = np.array([prior - 40], np.int32)
        if sink:
            drawn |= floats(np.float32, sink=(2, 1))(rng)
        return drawn | more

    return inputs


def _gradient_inputs(causal: bool, heads: int, dtype: Any = BFLOAT16) -> Inputs:
    length, depth = 256, 64
    shapes = dict.fromkeys(("q_ref", "dy_ref"), (1, heads, depth, length)) | dict.fromkeys(("k_ref", "v_ref"), (1, 1, depth, length))

    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = floats(dtype, **shapes)(rng)
        q, k, v = (double(drawn[name])[0] for name in ("q_ref", "k_ref", "v_ref"))
        scores = np.where(_mask(length, length, causal), q.transpose(0, 2, 1) @ k / np.sqrt(depth), -np.inf)
        result = _softmax(scores) @ v.transpose(0, 2, 1)
        sums = np.log(np.exp(scores).sum(-1)).reshape(1, heads, -1, 128).transpose(0, 1, 3, 2)
        drawn |= {"o_ref": result.transpose(0, 2, 1)[None].astype(dtype), "lse_ref": sums.astype(np.float32)}
        return drawn | {"use_causal_mask": causal, "mixed_precision": True}

    return inputs


def _gradient(
    q_ref: Array, k_ref: Array, v_ref: Array, dy_ref: Array, use_causal_mask: bool, **_: Any
) -> tuple[Array, Array, Array]:
    q, k, v, dy = (double(array)[0] for array in (q_ref, k_ref, v_ref, dy_ref))
    depth, length = q.shape[1:]
    scores = np.where(_mask(length, length, use_causal_mask), q.transpose(0, 2, 1) @ k / np.sqrt(depth), -np.inf)
    weights = _softmax(scores)
    down = dy.transpose(0, 2, 1) @ v
    inner = weights * (down - (down * weights).sum(-1, keepdims=True)) / np.sqrt(depth)
    dq, dk, dv = k @ inner.transpose(0, 2, 1), (q @ inner).sum(0), (dy @ weights).sum(0)
    return dq[None], dk[None, None], dv[None, None]


def _qkv_inputs(rows: int, norm: str, residual: bool, rope: bool = False) -> Inputs:
    width, depth, heads = 512, 128, 4
    shapes: dict[str, tuple[int, ...]] = {"input": (1, rows, width), "bias": (1, depth * heads)}
    shapes |= {"gamma_norm_weights": (1, width)} if norm == "RMS_NORM" else {}
    shapes |= {"mlp_prev": (1, rows, width), "attention_prev": (1, rows, width)} if residual else {}
    of: dict[str, Any] = {"fused_norm_type": Of(_TYPES, f"NormType.{norm}"), "fused_residual_add": residual}
    of |= {"d_head": depth, "num_q_heads": 2, "num_kv_heads": 1}

    def inputs(rng: np.random.Generator) -> Arguments:
        weights = rng.standard_normal((width, depth * heads)) / np.sqrt(width)
        drawn = floats(BFLOAT16, **shapes)(rng) | {"fused_qkv_weights": weights.astype(BFLOAT16)} | of
        if rope:
            angles = np.tile(rng.uniform(-np.pi, np.pi, (1, rows, depth // 2)), 2)
            drawn |= {"fused_rope": True, "cos_cache": np.cos(angles).astype(BFLOAT16), "sin_cache": np.sin(angles).astype(BFLOAT16)}
        return drawn

    return inputs


def _qkv(input: Array, fused_qkv_weights: Array, bias: Array, **more: Any) -> Array:
    rows = double(input) + sum(double(more[name]) for name in ("mlp_prev", "attention_prev") if name in more)
    if "gamma_norm_weights" in more:
        rows = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * double(more["gamma_norm_weights"])
    result: Array = rows @ double(fused_qkv_weights) + double(bias)
    if "cos_cache" in more:
        depth, heads = more["d_head"], more["num_q_heads"] + more["num_kv_heads"]
        parts = result[..., : heads * depth].reshape(*result.shape[:2], heads, depth)
        turned = np.concatenate([-parts[..., depth // 2 :], parts[..., : depth // 2]], -1)
        parts = parts * double(more["cos_cache"])[:, :, None] + turned * double(more["sin_cache"])[:, :, None]
        result[..., : heads * depth] = parts.reshape(*result.shape[:2], -1)
    return result


SAMPLES: Final[Sequence[Sample]] = (
    *(
        library("core/attention/attention_cte.py", "attention_cte", inputs, _context, _WEIGHTS, case=case, lnc=lnc)
        for case, lnc, inputs in (
            ("causal", 1, _context_inputs()),
            ("full", 2, _context_inputs(causal_mask=False, scale=0.5)),
            ("window", 1, _context_inputs(sliding_window=100)),
            ("prefix", 1, _context_inputs(prior=256, sink=True)),
        )
    ),
    *(
        library(
            "core/attention/attention_bwd.py",
            "attention_bwd",
            _gradient_inputs(causal, heads),
            _gradient,
            Tolerance(8, "bfloat16", "weights, their gradients and results round to bfloat16"),
            case=case,
        )
        for case, causal, heads in (("causal", True, 1), ("full", False, 1))
    ),
    *(
        library(
            "core/qkv/qkv.py",
            "qkv",
            _qkv_inputs(rows, norm, residual, rope),
            _qkv,
            Tolerance(4, "bfloat16", "normalized rows and the result round to bfloat16"),
            case=case,
            lnc=lnc,
            options={"races": rows > 4},  # both cores store all of a small result, which is the same on both
        )
        for case, lnc, rows, norm, residual, rope in (
            ("context", 1, 256, "RMS_NORM", True, False),
            ("rope", 2, 256, "NO_NORM", False, True),
            ("tokens", 2, 4, "RMS_NORM", False, False),
        )
    ),
)
