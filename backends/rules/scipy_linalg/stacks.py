"""Rules of single matrices, over stacks of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...nesting import replace
from ...promotion import PromotionTable
from ..signature import Dynamic, Rule, Signature, broadcast_shapes, refused, signature_of

__all__ = ["over_factors", "over_stacks", "without_stacks"]


def over_stacks(rule: Rule, axes: Sequence[int]) -> Rule:
    """Apply a rule over stacks of its first operands, each of which has so many axes, or fewer."""
    if isinstance(rule, Dynamic):
        return rule

    def stacked(promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Any:
        known = [None if item is None else signature_of(promotion, item) for item in operands[: len(axes)]]
        stack = broadcast_shapes(*[one.shape[:-most] for one, most in zip(known, axes, strict=False) if one is not None])
        if 0 in stack:
            raise refused()
        if not stack:
            return rule(promotion, *operands, **parameters)
        cores = [None if one is None else Signature(one.shape[-most:], one.dtype) for one, most in zip(known, axes, strict=False)]
        found = rule(promotion, *cores, *operands[len(cores) :], **parameters)
        return replace(found, Signature, lambda one: Signature(stack + one.shape, one.dtype))

    return stacked


def over_factors(rule: Rule) -> Rule:
    """Apply the rule of equations over stacks of factors, the first of a pair, and of right-hand sides, which may be one vector."""

    def stacked(promotion: PromotionTable, factor: Any, b: Any, *rest: Any, **parameters: Any) -> Any:
        if not isinstance(factor, (tuple, list)) or len(factor) != 2:
            raise refused()
        known, other = (signature_of(promotion, item) for item in (factor[0], b))
        stack = broadcast_shapes(known.shape[:-2], other.shape[:-2])
        if 0 in stack:
            raise refused()
        cores = [Signature(one.shape[-2:], one.dtype) for one in (known, other)]
        found = rule(promotion, (cores[0], factor[1]), cores[1], *rest, **parameters)
        return replace(found, Signature, lambda one: Signature(stack + one.shape, one.dtype))

    return stacked


def without_stacks(rule: Rule, axes: Sequence[int]) -> Rule:
    """Leave stacks to the host, of which not every SciPy takes all."""
    if isinstance(rule, Dynamic):
        return rule

    def single(promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Any:
        for item, most in zip(operands, axes, strict=False):
            if item is not None and len(signature_of(promotion, item).shape) > most:
                raise refused()
        return rule(promotion, *operands, **parameters)

    return single
