"""Kernels of mixtures of experts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ....backends.simulator import NkiConstraintError, RaceError
from ..draw import BFLOAT16, Array, Inputs, double
from ..sample import Arguments, Explanation, Sample, Tolerance
from .launch import Of, launch, library

__all__ = ["SAMPLES"]

_TYPES: Final = "core.utils.common_types"
_ENTRY: Final = "core.moe.moe_cte.moe_cte"
_TOKENS, _WIDTH, _INNER, _EXPERTS = 256, 512, 256, 4
_LAYERS: Final = Tolerance(6, "bfloat16", "inputs, activations, the experts' results and their weighted sums round to bfloat16")
_BARRIER: Final = Explanation(
    "rule",
    "nisa.core_barrier (API reference): data must be in shared HBM; bwmm_shard_on_I.py:577 gives it a tensor in SBUF.",
    NkiConstraintError,
    "data in shared_hbm",
)
_LEGACY: Final = Explanation(
    "version",
    "router_topk.py:21 imports neuronxcc.nki.typing; since NKI 0.4, to import neuronxcc.nki in a kernel is an error (release notes). "
    "With that name for nki.typing, the router's own tests match.",
    ModuleNotFoundError,
    "neuronxcc",
)
_CLEARED: Final = Explanation(
    "fault",
    "Each core clears half of the affinities' gradient (bwmm_bwd_dropless.py:123), and both scatter into all of it (:688) with no barrier "
    "before (:701 is the first): without the check of races, core 1 clears what core 0 has written of the first block.",
    RaceError,
    "bwmm_bwd_dropless.py:123",
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


def _token_inputs(everyone: bool) -> Inputs:
    """Few tokens: all experts compute for all of them, or each token's two."""

    def inputs(rng: np.random.Generator) -> Arguments:
        tokens, of = 4, ("hidden_states", "gate_up_proj_weight", "down_proj_weight")
        drawn = _blocks("POST_SCALE")(rng)
        hidden, gate_up, down = (drawn[name] for name in of)
        chosen = np.argsort(rng.random((tokens, _EXPERTS)), axis=1)[:, :2]
        weights = np.zeros((tokens, _EXPERTS))
        np.put_along_axis(weights, chosen, rng.uniform(0.2, 1, chosen.shape), 1)
        named = {"hidden_input": hidden[:tokens], "expert_gate_up_weights": gate_up, "expert_down_weights": down}
        named |= {"expert_affinities": weights.astype(BFLOAT16 if everyone else np.float32), "expert_index": chosen.astype(np.int32)}
        named |= {"rank_id": np.zeros((1, 1), np.uint32)} if everyone else {}
        return named | {"is_all_expert": everyone, "expert_affinities_scaling_mode": Of(_TYPES, "ExpertAffinityScaleMode.POST_SCALE")}

    return inputs


def _token_mixed(
    hidden_input: Array, expert_gate_up_weights: Array, expert_down_weights: Array, expert_affinities: Array, **more: Any
) -> Array:
    padded = [np.concatenate([values, values[:1]]) for values in (hidden_input, expert_affinities)]
    return _mixed(
        padded[0],
        padded[1].reshape(-1, 1),
        expert_gate_up_weights,
        expert_down_weights,
        expert_affinities_scaling_mode=more["expert_affinities_scaling_mode"],
    )


def _gradient_inputs(rng: np.random.Generator) -> Arguments:
    """Draw what the forward pass has kept for each block, and the gradient of its result."""
    drawn = _blocks("POST_SCALE")(rng)
    del drawn["expert_affinities_scaling_mode"]
    hidden, places = double(drawn["hidden_states"]), drawn["token_position_to_id"].reshape(_EXPERTS, -1)
    sums = np.einsum("ebh,ehpi->epib", hidden[places], double(drawn["gate_up_proj_weight"]))
    result = np.einsum("eib,eih->ebh", _silu(sums[:, 0]) * sums[:, 1], double(drawn["down_proj_weight"]))
    gradient = rng.standard_normal(hidden.shape)
    gradient[_TOKENS] = 0
    return drawn | {
        "gate_up_proj_act_checkpoint_T": sums.astype(BFLOAT16),
        "down_proj_act_checkpoint": result.astype(BFLOAT16),
        "output_hidden_states_grad": gradient.astype(BFLOAT16),
    }


def _gradient(
    hidden_states: Array, expert_affinities_masked: Array, gate_up_proj_weight: Array, down_proj_weight: Array, **more: Any
) -> tuple[Array, Array, Array, Array]:
    hidden, weights = double(hidden_states[:-1]), double(expert_affinities_masked).reshape(-1, _EXPERTS)[:-1]
    gradient, gate_up, down = (double(array) for array in (more["output_hidden_states_grad"][:-1], gate_up_proj_weight, down_proj_weight))
    of_hidden, of_weights, of_gate_up, of_down = (np.zeros(array.shape) for array in (hidden, weights, gate_up, down))
    for expert in range(_EXPERTS):
        mine = np.flatnonzero(weights[:, expert])
        x, dy, weight = hidden[mine], gradient[mine], weights[mine, expert, None]
        gate, up = x @ gate_up[expert, :, 0], x @ gate_up[expert, :, 1]
        of_weights[mine, expert] = (dy * ((_silu(gate) * up) @ down[expert])).sum(-1)
        of_down[expert] = (_silu(gate) * up).T @ (dy * weight)
        inner = (dy * weight) @ down[expert].T
        slope = 1 / (1 + np.exp(-gate))
        sides = (inner * up * slope * (1 + gate * (1 - slope)), inner * _silu(gate))
        for side, values in enumerate(sides):
            of_gate_up[expert, :, side] = x.T @ values
            of_hidden[mine] += values @ gate_up[expert, :, side].T
    return of_hidden, of_weights, of_gate_up, of_down


def _gradient_of_tokens(kernel: Callable[..., Any], **arguments: Any) -> list[Array]:
    of_hidden, of_weights, *others = launch(kernel, **arguments)
    return [of_hidden[:_TOKENS], of_weights.reshape(-1, _EXPERTS)[:_TOKENS], *others]


def _nothing(_: np.random.Generator) -> Arguments:
    """Draw no arguments: the file does not even import."""
    return {}


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
            options={"races": "shard_intermediate" not in kernel},  # there, both cores clear all of the result
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
    library(
        "core/moe/moe_cte/moe_cte.py",
        "moe_cte",
        _blocks("POST_SCALE", spec=Of(_ENTRY, "MoECTESpec", {"implementation": Of(_ENTRY, "MoECTEImplementation.shard_on_block")})),
        _mixed,
        _LAYERS,
        call=_first,
        lnc=2,
    ),
    *(
        library(
            "core/moe/moe_tkg/moe_tkg.py",
            "moe_tkg",
            _token_inputs(everyone),
            _token_mixed,
            _LAYERS,
            case="all" if everyone else "selected",
            lnc=2,
            options={} if everyone else {"uninitialized": "nan"},  # gathers from all partitions, and a few have tokens
        )
        for everyone in (True, False)
    ),
    library(
        "experimental/moe/bwd/blockwise_mm_backward.py",
        "blockwise_mm_bwd",
        _gradient_inputs,
        _gradient,
        Tolerance(8, "bfloat16", "kept activations, their gradients and results round to bfloat16"),
        call=_gradient_of_tokens,
        lnc=2,
        explanation=_CLEARED,
    ),
    *(
        library(file, kernel, _nothing, _mixed, explanation=_LEGACY, lnc=2)
        for file, kernel in (
            ("core/router_topk/router_topk.py", "router_topk"),
            ("core/moe_block/moe_block_tkg.py", "moe_block_tkg"),
        )
    ),
)
