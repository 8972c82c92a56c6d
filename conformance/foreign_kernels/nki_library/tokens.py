"""Kernels of token generation whose tensors are partly on chip: wrapped, they take and return HBM tensors."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ..draw import BFLOAT16, Array, Inputs, floats
from ..sample import Arguments, Sample, Tolerance
from .launch import Of, library, theirs

__all__ = ["SAMPLES"]

_BATCHES, _HEADS, _ACTIVE, _PRIOR, _DEPTH = 2, 2, 4, 256, 64


def _config(**more: Any) -> Of:
    shapes = {"bs": _BATCHES, "q_head": _HEADS, "s_active": _ACTIVE, "curr_sprior": _PRIOR, "full_sprior": _PRIOR, "d_head": _DEPTH}
    return Of("core.attention.attention_tkg_utils", "AttnTKGConfig", shapes | more)


def _manager() -> Any:
    """Make the library's allocator, with all of SBUF but what the compiler needs."""
    allocator, language = importlib.import_module("nkilib_src.nkilib.core.utils.allocator"), importlib.import_module("nki.language")
    manager = allocator.SbufManager(0, language.tile_size.total_available_sbuf_size - 16 * 1024, allocator.Logger("sample"))
    manager.open_scope()
    return manager


def _attention(function: Callable[..., Any]) -> Callable[..., Any]:
    nl, nisa = importlib.import_module("nki.language"), importlib.import_module("nki.isa")

    def attention(q: Any, k_active: Any, v_active: Any, k_prior: Any, v_prior: Any, mask: Any, cfg: Any) -> Any:
        out = nl.ndarray((_BATCHES, _HEADS, _DEPTH, _ACTIVE), dtype=q.dtype, buffer=nl.shared_hbm)
        manager = _manager()
        on_chip = [manager.alloc_stack(tensor.shape, dtype=tensor.dtype, buffer=nl.sbuf) for tensor in (q, k_active)]
        for tile, tensor in zip(on_chip, (q, k_active), strict=True):
            nisa.dma_copy(tile, tensor)
        function(*on_chip, v_active, k_prior, v_prior, mask, out, cfg, manager)
        return out

    return attention


def _attention_inputs(transposed: bool) -> Inputs:
    keys = (_BATCHES, 1, _PRIOR, _DEPTH) if transposed else (_BATCHES, 1, _DEPTH, _PRIOR)
    shapes: dict[str, tuple[int, ...]] = {"q": (_DEPTH, _BATCHES * _HEADS * _ACTIVE), "k_active": (_DEPTH, _BATCHES * _ACTIVE)}
    shapes |= {"v_active": (_BATCHES, 1, _ACTIVE, _DEPTH), "k_prior": keys, "v_prior": (_BATCHES, 1, _PRIOR, _DEPTH)}

    def inputs(rng: np.random.Generator) -> Arguments:
        drawn = floats(BFLOAT16, **shapes)(rng)
        drawn["q"] = (drawn["q"] / 8).astype(BFLOAT16)
        lengths = rng.integers(20, _PRIOR - _ACTIVE, _BATCHES)
        mask = np.zeros((_PRIOR, _BATCHES, _HEADS, _ACTIVE), np.uint8)
        for batch, length in enumerate(lengths):
            mask[:length, batch] = 1
        mask[-_ACTIVE:] = np.triu(np.ones((_ACTIVE, _ACTIVE), np.uint8))[:, None, None, :]  # the active keys are the last
        return drawn | {"mask": mask, "cfg": _config(tp_k_prior=transposed, qk_in_sb=True)}

    return inputs


def _attention_reference(function: Any, **arguments: Any) -> Array:
    torch = importlib.import_module("torch")
    out = torch.zeros(_BATCHES, _HEADS, _DEPTH, _ACTIVE)
    arguments["cfg"] = arguments["cfg"].find()
    result: Array = function[1](**arguments, out=out, sbm=None)[0]
    return result


SAMPLES: Final[Sequence[Sample]] = (
    *(
        library(
            "core/attention/attention_tkg.py",
            "attention_tkg",
            _attention_inputs(transposed),
            theirs("attention_tkg_torch_ref", "core/attention/attention_tkg_torch.py", _attention_reference),
            Tolerance(4, "bfloat16", "exponentials and the result round to bfloat16"),
            adapt=_attention,
            case="transposed" if transposed else "",
            lnc=lnc,
        )
        for transposed, lnc in ((False, 1), (True, 2))
    ),
)
