"""What a self-test found out about a device."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import Literal, get_args, get_type_hints

__all__ = ["Denormals", "Facts", "Order", "Rounding"]

Rounding = Literal["rounded", "fused", "other"]
Denormals = Literal["keep", "flush", "flush operands", "flush results"]
Order = Literal["sequential", "other"]


@dataclass(frozen=True)
class Facts:
    """
    How a device computes. None is what could not be measured, for the reason in `missing`.

    Parameters
    ----------
    pe_product : {'exact', 'split21', 'other'}
        How the Tensor Engine multiplies float32; ``"split21"`` by three products of halves.
    pe_product_bits : int
        Bits of a product of two float32 that are right, at most 24.
    pe_bfloat16_products, pe_float16_products : bool
        Whether products of these are exact in float32.
    pe_integer_sums : bool
        Whether sums of products of integers are exact while they are below 2²³.
    act_integers : bool
        Whether the Scalar Engine makes the same integers of these sums.
    pe_not_finite : bool
        Whether infinities and NaN among bfloat16 operands give what IEEE arithmetic does.
    pe_accumulator_bits, psum_accumulator_bits, dve_accumulator_bits : int
        Bits of the sum that is kept within a column of the Tensor Engine, in PSUM from one product to the next, and along the free axis on
        the Vector Engine, whatever their order; 29 is at least so many.
    pe_order, dve_order : {'sequential', 'other'}
        Whether these sums are what adding one after the other in float32 gives.
    two_op_tensor_scalar, two_op_scalar_tensor_tensor, two_op_activation : {'rounded', 'fused', 'other'}
        Whether there is a rounding between the operators.
    denormals_pe, denormals_dve, denormals_pool, denormals_act : str
        ``"keep"``, ``"flush"``, ``"flush operands"`` or ``"flush results"``.
    cast_rounding : {'nearest-even', 'other'}
        Casts from float32 to narrower floats and integers.
    cast_overflow : {'saturate', 'other'}
        Casts to integers that do not have the number.
    cast_remainder : bool
        Whether x less x rounded to bfloat16 is exact: nobody simplified it away.
    gpsimd_overflow : {'wrap', 'saturate', 'other'}
        32-bit integers on GpSimd.
    gpsimd_integers : bool
        Whether its 32-bit sums and products are exact.
    dve_integer_bits : int
        Integers up to this power of two are added exactly on the Vector Engine.
    dve_bits : bool
        Whether its bitwise operators, shifts and copies keep all 32 bits.
    random_words : bool
        Whether the kernels of Philox4x32-10 and Threefry2x32-20 give the published words.
    doubles : bool
        Whether kernels of float64 give products with NumPy's bits and exponentials next to NumPy's: 32-bit integers and shifts, two
        operators at once, sums of the Scalar Engine and tables.
    act_out_of_range : {'exact', 'nan', 'other'}
        Square root of 2¹¹⁹ on the Scalar Engine.
    dma_duplicates : {'last', 'other'}
        Which of several writes to one place stays.
    indirect_offsets : {'own', 'first', 'other'}
        Which offsets a group of partitions uses.
    rng_start : int
        First word of a generator that nobody seeded, if every launch draws the same.
    launch_seconds : float
        What a launch that copies one number takes on this machine, the median of several: on a simulated device that is the simulator's
        time.
    missing : dict of str to str
        Why something is None, by probe.
    """

    pe_product: Literal["exact", "split21", "other"] | None = None
    pe_product_bits: int | None = None
    pe_bfloat16_products: bool | None = None
    pe_float16_products: bool | None = None
    pe_integer_sums: bool | None = None
    act_integers: bool | None = None
    pe_not_finite: bool | None = None
    pe_accumulator_bits: int | None = None
    psum_accumulator_bits: int | None = None
    dve_accumulator_bits: int | None = None
    pe_order: Order | None = None
    dve_order: Order | None = None
    two_op_tensor_scalar: Rounding | None = None
    two_op_scalar_tensor_tensor: Rounding | None = None
    two_op_activation: Rounding | None = None
    denormals_pe: Denormals | None = None
    denormals_dve: Denormals | None = None
    denormals_pool: Denormals | None = None
    denormals_act: Denormals | None = None
    cast_rounding: Literal["nearest-even", "other"] | None = None
    cast_overflow: Literal["saturate", "other"] | None = None
    cast_remainder: bool | None = None
    gpsimd_overflow: Literal["wrap", "saturate", "other"] | None = None
    gpsimd_integers: bool | None = None
    dve_integer_bits: int | None = None
    dve_bits: bool | None = None
    random_words: bool | None = None
    doubles: bool | None = None
    act_out_of_range: Literal["exact", "nan", "other"] | None = None
    dma_duplicates: Literal["last", "other"] | None = None
    indirect_offsets: Literal["own", "first", "other"] | None = None
    rng_start: int | None = None
    launch_seconds: float | None = None
    missing: dict[str, str] = field(default_factory=dict)

    def refusal(self, slices: Literal["bfloat16", "float16"], sum_bits: int = 24) -> str:
        """
        Tell why sums of exact products of slices cannot be relied on.

        Examples
        --------
        >>> bits = {"pe_accumulator_bits": 24, "psum_accumulator_bits": 24}
        >>> whole = {"pe_integer_sums": True, "act_integers": True, "pe_not_finite": True}
        >>> found = Facts(pe_bfloat16_products=True, cast_remainder=True, **bits, **whole)
        >>> found.refusal("bfloat16")
        ''
        >>> found.refusal("float16")
        'the self-test did not find products of float16 exact on the Tensor Engine'
        """
        products = {"bfloat16": self.pe_bfloat16_products, "float16": self.pe_float16_products}[slices]
        bits = min(self.pe_accumulator_bits or 0, self.psum_accumulator_bits or 0)
        for good, what in (
            (products, f"products of {slices} exact on the Tensor Engine"),
            (self.pe_integer_sums, "sums of integers exact on the Tensor Engine"),
            (self.act_integers, "integers of these sums exact on the Scalar Engine"),
            (self.pe_not_finite, "infinities and NaN of the Tensor Engine as in IEEE arithmetic"),
            (bits >= sum_bits, f"sums of {sum_bits} bits on the Tensor Engine (but {bits})"),
            (self.cast_remainder, "what a cast leaves exact"),
        ):
            if not good:
                return f"the self-test did not find {what}"
        return ""

    def to_json(self) -> str:
        """Write the facts."""
        return json.dumps(asdict(self), indent=1)

    @staticmethod
    def of_json(text: str) -> Facts:
        """
        Read facts.

        Examples
        --------
        >>> Facts.of_json(Facts(dve_bits=True).to_json()).dve_bits
        True
        """
        data = json.loads(text)
        if not isinstance(data, dict) or set(data) != {item.name for item in fields(Facts)}:
            raise ValueError("these are no facts of a self-test of this version")
        missing = data["missing"]
        if not isinstance(missing, dict) or not all(isinstance(item, str) for pair in missing.items() for item in pair):
            raise ValueError("the facts that are missing have reasons, which are text")
        for name, allowed in _allowed().items():
            value = data[name]
            if type(value) not in allowed and not (isinstance(value, str) and value in allowed):
                raise ValueError(f"{name} is {value!r}, which is no fact of a self-test")
            if isinstance(value, int | float) and not 0 <= value < math.inf:
                raise ValueError(f"{name} is {value!r}, where numbers are finite and not negative")
        return Facts(**data)


@cache
def _allowed() -> dict[str, tuple[object, ...]]:
    """Gather what each fact may be: words, or the type of a number, and None."""
    found = {}
    for name, hint in get_type_hints(Facts).items():
        if name != "missing":
            found[name] = tuple(value for part in get_args(hint) for value in (get_args(part) or (part,)))
    return found
