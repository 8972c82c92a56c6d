"""einops on Arrays."""

from __future__ import annotations

from collections.abc import Mapping

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import einops and list the calls."""
    import einops

    return {
        "rearrange": lambda xp: einops.rearrange(numbers(xp, 4, 6, 8), "a (b d) c -> b a c d", d=3),
        "rearrange_list": lambda xp: einops.rearrange([numbers(xp, 4, 6), numbers(xp, 4, 6)], "n a b -> a n b"),
        "reduce_mean": lambda xp: einops.reduce(numbers(xp, 4, 6, 8), "a b c -> a c", "mean"),
        "reduce_max": lambda xp: einops.reduce(numbers(xp, 4, 6, 8), "a (b d) c -> a b", "max", d=2),
        "reduce_any": lambda xp: einops.reduce(numbers(xp, 4, 6) > 0.9, "a b -> b", "any"),
        "reduce_call": lambda xp: einops.reduce(numbers(xp, 4, 6), "a b -> b", lambda x, axes: x.std(axis=axes)),
        "repeat": lambda xp: einops.repeat(numbers(xp, 4, 6), "a b -> a r b", r=3),
        "einsum": lambda xp: einops.einsum(numbers(xp, 4, 6, 8), numbers(xp, 4, 5, 8), "a b c, a d c -> a b d"),
        "pack": lambda xp: einops.pack([numbers(xp, 4, 6), numbers(xp, 4, 2, 3)], "a *")[0],
        "unpack": lambda xp: einops.unpack(numbers(xp, 4, 8), [[2], [3, 2]], "a *"),
    }
