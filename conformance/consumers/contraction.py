"""Libraries that contract networks of tensors, on Arrays: opt_einsum and cotengra."""

from __future__ import annotations

from collections.abc import Mapping

from .check import Call, numbers

__all__ = ["cotengra_checks", "opt_einsum_checks"]


def opt_einsum_checks() -> Mapping[str, Call]:
    """Import opt_einsum and list the calls."""
    import opt_einsum

    expression = opt_einsum.contract_expression("ab,bc,cd->ad", (3, 4), (4, 5), (5, 6))
    return {
        "contract": lambda xp: opt_einsum.contract("abc,adc,be->de", numbers(xp, 4, 6, 8), numbers(xp, 4, 6, 8), numbers(xp, 6, 5)),
        "contract_named": lambda xp: opt_einsum.contract("ab,bc->ac", numbers(xp, 3, 4), numbers(xp, 4, 5), backend=xp.__name__),
        "contract_trace": lambda xp: opt_einsum.contract("aab,bc->c", numbers(xp, 4, 4, 3), numbers(xp, 3, 2)),
        "expression": lambda xp: expression(numbers(xp, 3, 4), numbers(xp, 4, 5), numbers(xp, 5, 6)),
    }


def cotengra_checks() -> Mapping[str, Call]:
    """Import cotengra and list the calls."""
    import cotengra

    names = [("a", "b", "c"), ("a", "d", "c"), ("b", "e")]
    shapes = [(4, 6, 8), (4, 6, 8), (6, 5)]
    return {
        "einsum": lambda xp: cotengra.einsum("abc,adc,be->de", *(numbers(xp, *shape) for shape in shapes)),
        "array_contract": lambda xp: cotengra.array_contract([numbers(xp, *shape) for shape in shapes], names, ("d", "e")),
        "sliced": lambda xp: cotengra.array_contract_tree(names, ("d", "e"), shapes=shapes).slice(target_slices=2).contract(
            [numbers(xp, *shape) for shape in shapes]
        ),
    }
