"""Contractions that are planned once: orders of products for given shapes, printed, and called again and again."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ._array import Array
from .backends.contraction.notation import Subscripts, as_string, extents_of, read
from .backends.contraction.optimizers import path_asked
from .backends.contraction.paths import Cost, Path, Step, find_path, multiplications, steps_of
from .backends.device import Device, parse_device
from .backends.dtypes import FLOAT32
from .backends.settings import get_default_device
from .creation_functions import zeros
from .linear_algebra_functions import einsum

__all__ = ["ContractExpression", "contract_expression"]


class _Product(NamedTuple):
    """A step, and the extents of its product of matrices."""

    step: Step
    extents: tuple[int, int, int, int]

    def __str__(self) -> str:
        batch, rows, depth, columns = self.extents
        of = f"{batch} of " if batch > 1 else ""
        return f"{','.join(self.step.terms)}->{self.step.output}: {of}{rows} × {depth} by {depth} × {columns}"


class ContractExpression:
    """
    A contraction of Arrays of given shapes, whose order of products is known.

    `contract_expression` makes them. Printed, it lists its products.

    Parameters
    ----------
    subscripts : Subscripts
        The labels of operands and result.
    shapes : sequence of tuple of int
        Of the operands.
    path : tuple of tuple of int
        The order of products, as that of `numpy.einsum_path`.
    sliced : tuple of str, optional
        Labels of which one element after the other is contracted.

    Attributes
    ----------
    path : list
        The order of products, for `numpy.einsum` to take.
    multiplications : int
        Of elements, over all products.
    largest : int
        Elements of the largest intermediate result, or of the result.

    See Also
    --------
    trnarray.contract_expression : Plan a contraction.
    trnarray.einsum : Plan a contraction and compute it.

    Examples
    --------
    >>> import trnarray as xp
    >>> chain = xp.contract_expression("mi,na,mnP->iaP", (96, 16), (96, 80), (96, 96, 128))
    >>> print(chain)
    mi,na,mnP->iaP in 2 products, 34,603,008 multiplications, at most 196,608 elements between
      mi,mnP->inP: 16 × 96 by 96 × 12288
      na,inP->iaP: 80 × 96 by 96 × 2048
    >>> chain(xp.ones((96, 16)), xp.ones((96, 80)), xp.ones((96, 96, 128))).shape
    (16, 80, 128)
    """

    def __init__(self, subscripts: Subscripts, shapes: Sequence[Sequence[int]], path: Path, sliced: tuple[str, ...] = ()) -> None:
        self._subscripts, self._shapes, self._sliced = subscripts, [tuple(shape) for shape in shapes], sliced
        self._extents = extents_of(subscripts.terms, shapes)
        self._count = math.prod(self._extents[label] for label in sliced)
        self._products = _products(subscripts, path, self._extents | dict.fromkeys(sliced, 1))
        self.path: list[Any] = ["einsum_path", *path]

    @property
    def multiplications(self) -> int:
        """Count the multiplications of elements."""
        return self._count * sum(math.prod(product.extents) for product in self._products)

    @property
    def largest(self) -> int:
        """Count the elements of the largest result of a product."""
        return max(_size(product) for product in self._products)

    def __call__(self, *arrays: Array, out: Array | None = None) -> Array:
        """Contract Arrays of the shapes that were planned, and write the result to `out` if it is given."""
        shapes = [tuple(array.shape) for array in arrays]
        if shapes != self._shapes:
            raise ValueError(f"the contraction was planned for operands of shapes {self._shapes}, not {shapes}; plan another one")
        if not self._sliced:
            return einsum(str(self._subscripts), *arrays, optimize=self.path, out=out)
        result = self._by_slices(arrays)
        if out is None:
            return result
        out[...] = result
        return out

    def _by_slices(self, arrays: Sequence[Array]) -> Array:
        """Contract slice by slice: add those of labels that are summed over, and put together those of the result."""
        terms, output = self._subscripts
        rest = Subscripts(*_without(terms, output, self._sliced))
        total: Array | None = None
        for place in itertools.product(*(range(self._extents[label]) for label in self._sliced)):
            at = dict(zip(self._sliced, place, strict=True))
            parts = [array[_index(term, array.shape, at)] for term, array in zip(terms, arrays, strict=True)]
            part = einsum(str(rest), *parts, optimize=self.path)
            if total is None:
                shape = tuple(self._extents[label] for label in output)
                total = zeros(shape, dtype=part.dtype, device=part.device)
            total[_index(output, total.shape, at)] += part
        assert total is not None
        return total

    def __str__(self) -> str:
        count = len(self._products)
        by = f"in {self._count} slices of {''.join(self._sliced)}, each of " if self._sliced else "in "
        head = (
            f"{self._subscripts} {by}{count} product{'s' * (count != 1)}, {self.multiplications:,} multiplications, "
            f"at most {self.largest:,} elements between"
        )
        return "\n  ".join([head, *map(str, self._products)])

    def __repr__(self) -> str:
        return f"<ContractExpression {self._subscripts} of {self._shapes}>"


def contract_expression(
    *subscripts: Any, optimize: Any = "auto", memory_limit: int | None = None, device: Device | str | None = None
) -> ContractExpression:
    """
    Plan a contraction for operands of given shapes.

    Parameters
    ----------
    *subscripts : str and tuple of int
        The subscripts, and the shape of each operand; or each shape with a list of labels, and labels of the result, as `numpy.einsum`
        takes operands.
    optimize : str, sequence or callable, optional
        The order of products, or how to find it, as of `einsum`; "auto" finds the order that is predicted to be the fastest on the device.
    memory_limit : int, optional
        How many elements an intermediate result may have. A contraction that has larger ones is done in slices: one element of some labels
        after the other, as few as suffice.
    device : Device or str, optional
        Where it is to be computed, if that is not the default device.

    Returns
    -------
    ContractExpression
        To call with Arrays, and to print.

    Raises
    ------
    ValueError
        If subscripts and shapes do not fit, or the operands or the result alone exceed the limit.

    See Also
    --------
    trnarray.einsum : Contract Arrays.
    trnarray.explain : Which programs a contraction takes on a device.

    Notes
    -----
    Orders of up to seven operands are compared exactly, and greedy ones of more are improved part by part [1]_ [2]_. On Neuron devices the
    cost of a product is its predicted time: tiles of 128 rows and 128 terms, or loads and stores, whichever takes longer. On ``cpu`` it is
    the number of multiplications. The optimizers of opt_einsum and cotengra can be given as `optimize`.

    References
    ----------
    .. [1] R. Pfeifer, J. Haegeman, F. Verstraete, "Faster identification of optimal contraction sequences for tensor networks",
       Phys. Rev. E 90, 033315 (2014).
    .. [2] J. Gray, S. Kourtis, "Hyper-optimized tensor network contraction", Quantum 5, 410 (2021).

    Examples
    --------
    >>> import trnarray as xp
    >>> print(xp.contract_expression("ij,jk,kl->il", (8, 9), (9, 100), (100, 2)))
    ij,jk,kl->il in 2 products, 1,944 multiplications, at most 18 elements between
      jk,kl->jl: 9 × 100 by 100 × 2
      ij,jl->il: 8 × 9 by 9 × 2
    >>> print(xp.contract_expression("ij,kj,lj,mj->iklm", *[(9, 6)] * 4, memory_limit=700))
    Traceback (most recent call last):
        ...
    ValueError: the result has 6561 elements, more than the limit of 700
    """
    if not subscripts or not isinstance(subscripts[0], str):
        subscripts = as_string(subscripts)
    equation, *shapes = subscripts
    found = read(equation, [len(shape) for shape in shapes], strict=False)
    extents = extents_of(found.terms, shapes)
    cost = _cost(get_default_device() if device is None else parse_device(device))
    path = path_asked(optimize, found, shapes) or find_path(*found, extents, cost)
    sliced: tuple[str, ...] = ()
    if memory_limit is not None:
        sliced = _sliced(found, path, extents, memory_limit)
    return ContractExpression(found, shapes, path, sliced)


def _cost(device: Device) -> Cost:
    if device.target is None:
        return multiplications
    from .backends.neuron.costs import current_costs
    from .backends.neuron.lowering.contraction_costs import ProductCosts

    return ProductCosts(current_costs(device.target), FLOAT32).product


def _products(subscripts: Subscripts, path: Path, extents: Mapping[str, int]) -> list[_Product]:
    return [_Product(step, _extents(step, extents)) for step in steps_of(*subscripts, path)]


def _extents(step: Step, extents: Mapping[str, int]) -> tuple[int, int, int, int]:
    """Find batch, rows, depth and columns; of one operand alone, the rows and what is summed over."""

    def size(labels: Iterable[str]) -> int:
        return math.prod(extents[label] for label in labels)

    first, *others = (set(term) for term in step.terms)
    second, needed = others[0] if others else first, set(step.output)
    both = first & second
    rows, columns = ((size(own & needed - other) if others else 1) for own, other in ((first, second), (second, first)))
    return size(both & needed), rows, size((first | second) - needed if not others else both - needed), columns


def _size(product: _Product) -> int:
    batch, rows, _, columns = product.extents
    return batch * rows * columns


def _without(terms: Sequence[str], output: str, labels: Iterable[str]) -> tuple[tuple[str, ...], str]:
    gone = set(labels)
    first, *others = ("".join(one for one in term if one not in gone) for term in (output, *terms))
    return tuple(others), first


def _index(term: str, shape: Sequence[int], at: Mapping[str, int]) -> tuple[Any, ...]:
    """Index an operand at elements of some labels; an axis of one element is repeated."""
    return (*(slice(None) if label not in at else min(at[label], extent - 1) for label, extent in zip(term, shape, strict=True)), ...)


def _sliced(subscripts: Subscripts, path: Path, extents: Mapping[str, int], limit: int) -> tuple[str, ...]:
    """Choose labels to slice, each the one that adds the fewest multiplications for what it takes from the largest result."""
    result = math.prod(extents[label] for label in subscripts.output)
    if result > limit:
        raise ValueError(f"the result has {result} elements, more than the limit of {limit}")
    chosen: tuple[str, ...] = ()
    while True:
        products = _products(subscripts, path, {**extents, **dict.fromkeys(chosen, 1)})
        largest = max(products, key=_size)
        if _size(largest) <= limit:
            return chosen
        labels = [label for label in largest.step.output if label not in chosen and extents[label] > 1]

        def work(label: str, chosen: tuple[str, ...] = chosen) -> tuple[float, int]:
            rest = _products(subscripts, path, {**extents, **dict.fromkeys((*chosen, label), 1)})
            return extents[label] * sum(math.prod(product.extents) for product in rest), -extents[label]

        chosen = (*chosen, min(labels, key=work))
