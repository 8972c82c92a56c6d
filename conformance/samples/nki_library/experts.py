"""Kernels of mixtures of experts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ....backends.simulator import NkiConstraintError
from ..draw import BFLOAT16, Array, Inputs, double
from ..sample import Arguments, Explanation, Sample, Tolerance
from .launch import Of, launch, library

__all__ = ["SAMPLES"]

_TYPES: Final = "core.utils.common_types"
_TOKENS, _WIDTH, _INNER, _EXPERTS = 256, 512, 256, 4
_LAYERS: Final = Tolerance(6, "bfloat16", "inputs, activations, the experts' results and their weighted sums round to bfloat16")
_BARRIER: Final = Explanation(
    "rule",
    "nisa.core_barrier (API reference): data must be in shared HBM; bwmm_shard_on_I.py:577 gives it a tensor in SBUF.",
    NkiConstraintError,
    "data in shared_hbm",
)


def _blocks(mode: str, size: int = 256, **more: Any) -> Inputs:
    """Tokens of two experts each, by blocks of one expert; unused places hold the number of a token that there is not."""

    def inputs(rng: np.random.Generator) -> Arguments:
        chosen = np.argsort(rng.random((_TOKENS, _EXPERTS)), axis=1)[:, :2]
        weights = np.zeros((_TOKENS + 1, _EXPERTS))
        np.put_along_axis(weights[:-1], chosen, rng.uniform(0.2, 1, chosen.shape), 1)
        places = np.full((_EXPERTS, size), _TOKENS, np.int32)
        for expert in range(_EXPERTS):
            mine = np.flatnonzero((chosen == expert).any(1))
            places[expert, : len(mine)] = mine
        hidden = rng.standard_normal((_TOKENS + 1, _WIDTH))
        hidden[_TOKENS] = 0
        drawn = {
            "hidden_states": hidden.astype(BFLOAT16),
            "expert_affinities_masked": weights.reshape(-1, 1).astype(BFLOAT16),
            "gate_up_proj_weight": (rng.standard_normal((_EXPERTS, _WIDTH, 2, _INNER)) / np.sqrt(_WIDTH)).astype(BFLOAT16),
            "down_proj_weight": (rng.standard_normal((_EXPERTS, _INNER, _WIDTH)) / np.sqrt(_INNER)).astype(BFLOAT16),
            "token_position_to_id": places.reshape(-1),
            "block_to_expert": np.arange(_EXPERTS, dtype=np.int32),
            "block_size": size,
            "expert_affinities_scaling_mode": Of(_TYPES, f"ExpertAffinityScaleMode.{mode}"),
        }
        return drawn | more

    return inputs


def _silu(x: Array) -> Array:
    result: Array = x / (1 + np.exp(-x))
    return result


def _mixed(
    hidden_states: Array, expert_affinities_masked: Array, gate_up_proj_weight: Array, down_proj_weight: Array, **more: Any
) -> Array:
    hidden, weights = double(hidden_states[:-1]), double(expert_affinities_masked).reshape(-1, _EXPERTS)[:-1]
    before = more["expert_affinities_scaling_mode"].name.endswith("PRE_SCALE")
    total = np.zeros(hidden.shape)
    for expert in range(_EXPERTS):
        weight = weights[:, expert, None]
        rows = hidden * weight if before else hidden
        gate, up = (rows @ double(gate_up_proj_weight[expert, :, part]) for part in (0, 1))
        total += (_silu(gate) * up) @ double(down_proj_weight[expert]) * (weight != 0 if before else weight)
    return total


def _first(kernel: Callable[..., Any], **arguments: Any) -> Array:
    """Rows of tokens: what is beyond them gathers what padding computes."""
    result = launch(kernel, **arguments)
    rows: Array = (result[0] if isinstance(result, tuple) else result)[:_TOKENS]
    return rows if rows.ndim == 2 else double(rows).sum(1)  # each core has a part of the sum


SAMPLES: Final[Sequence[Sample]] = (
    *(
        library(
            file,
            kernel,
            _blocks(mode, **more),
            _mixed,
            _LAYERS,
            call=_first,
            case=mode,
            lnc=2,
            options={"races": "shard_intermediate" not in kernel, "uninitialized": "nan"},  # there, both cores clear all of the result
            explanation=_BARRIER if kernel.endswith("hybrid") else None,
        )
        for file, kernel, mode, more in (
            ("core/moe/moe_cte/bwmm_shard_on_I.py", "blockwise_mm_baseline_shard_intermediate", "POST_SCALE", {}),
            ("core/moe/moe_cte/bwmm_shard_on_I.py", "blockwise_mm_baseline_shard_intermediate", "PRE_SCALE", {}),
            (
                "core/moe/moe_cte/bwmm_shard_on_I.py",
                "blockwise_mm_baseline_shard_intermediate_hybrid",
                "POST_SCALE",
                {"conditions": np.array([1, 1, 1, 1, 0], np.int32), "num_static_block": 2},
            ),
            ("core/moe/moe_cte/bwmm_shard_on_I.py", "blockwise_mm_shard_intermediate_dropping", "POST_SCALE", {"size": 1024}),
            ("core/moe/moe_cte/bwmm_shard_on_block.py", "bwmm_shard_on_block", "POST_SCALE", {}),
            ("experimental/moe/forward/bwmm_shard_on_H.py", "blockwise_mm_baseline_shard_hidden", "POST_SCALE", {}),
        )
    ),
)
