"""The perceptron's kernels: its entry point does not parse, so the two behind it are called as it calls them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..draw import BFLOAT16, Array, Inputs, double
from ..sample import Arguments, Explanation, Sample, Tolerance
from .launch import Of, library

__all__ = ["SAMPLES"]

_TYPES: Final = "core.utils.common_types"
_DOES_NOT_PARSE: Final = Explanation(
    "fault", "mlp.py:203: a part of the docstring is repeated after its end, which is no Python.", IndentationError, "unexpected indent"
)
_LAYERS: Final = Tolerance(6, "bfloat16", "normalized rows, activations and results round to bfloat16")


def _inputs(rows: int, norm: str) -> Inputs:
    width, inner = 512, 512

    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = {
            "hidden_tensor": rng.standard_normal((1, rows, width)),
            "gate_proj_weights_tensor": rng.standard_normal((width, inner)) / np.sqrt(width),
            "up_proj_weights_tensor": rng.standard_normal((width, inner)) / np.sqrt(width),
            "down_proj_weights_tensor": rng.standard_normal((inner, width)) / np.sqrt(inner),
        }
        if norm != "NO_NORM":
            drawn["normalization_weights_tensor"] = rng.standard_normal((1, width))
        return {name: values.astype(BFLOAT16) for name, values in drawn.items()} | {"normalization_type": Of(_TYPES, f"NormType.{norm}")}

    return inputs


def _perceptron(
    hidden_tensor: Array,
    gate_proj_weights_tensor: Array,
    up_proj_weights_tensor: Array,
    down_proj_weights_tensor: Array,
    normalization_weights_tensor: Array | None = None,
    **_: Any,
) -> Array:
    rows = double(hidden_tensor)
    if normalization_weights_tensor is not None:
        rows = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * double(normalization_weights_tensor)
    gate, up = rows @ double(gate_proj_weights_tensor), rows @ double(up_proj_weights_tensor)
    result: Array = (gate / (1 + np.exp(-gate)) * up) @ double(down_proj_weights_tensor)
    return result


def _entered(function: Callable[..., Any]) -> Callable[..., Any]:
    nl = importlib.import_module("nki.language")
    allocator = importlib.import_module("nkilib_src.nkilib.core.utils.allocator")
    parameters = importlib.import_module("nkilib_src.nkilib.core.mlp.mlp_parameters").MLPParameters

    def mlp(
        hidden_tensor: Any,
        gate_proj_weights_tensor: Any,
        up_proj_weights_tensor: Any,
        down_proj_weights_tensor: Any,
        normalization_type: Any,
        normalization_weights_tensor: Any = None,
    ) -> Any:
        out = nl.ndarray(hidden_tensor.shape, dtype=hidden_tensor.dtype, buffer=nl.shared_hbm)
        of = parameters(
            hidden_tensor=hidden_tensor,
            gate_proj_weights_tensor=gate_proj_weights_tensor,
            up_proj_weights_tensor=up_proj_weights_tensor,
            down_proj_weights_tensor=down_proj_weights_tensor,
            normalization_type=normalization_type,
            normalization_weights_tensor=normalization_weights_tensor,
        )
        manager = (allocator.SbufManager(0, 200 * 1024, allocator.Logger("mlp")),) if function.__name__ == "mlp_tkg" else ()
        function(of, out, None, *manager)
        return out

    return mlp


SAMPLES: Final[Sequence[Sample]] = (
    library("core/mlp/mlp.py", "mlp", _inputs(4, "NO_NORM"), _perceptron, explanation=_DOES_NOT_PARSE),
    *(
        library(
            f"core/mlp/{kernel}/{kernel}.py",
            kernel,
            _inputs(rows, norm),
            _perceptron,
            _LAYERS,
            adapt=_entered,
            case=f"{norm}-lnc{lnc}",
            lnc=lnc,
        )
        for kernel, rows, norm, lnc in (
            ("mlp_cte", 256, "NO_NORM", 1),
            ("mlp_cte", 256, "RMS_NORM", 2),
            ("mlp_tkg", 4, "NO_NORM", 1),
            ("mlp_tkg", 4, "RMS_NORM", 2),
        )
    ),
)
