"""The three NeuronCore generations, as data."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["TARGETS", "Target", "find_target"]

KIB, GIB = 1 << 10, 1 << 30


class Target(NamedTuple):
    """
    One generation of NeuronCore.

    Attributes
    ----------
    name : str
        Of the chip.
    generation : int
        2, 3 or 4, as in `nki.isa.nc_version`.
    aliases : tuple of str
        Other names, lower case.
    sbuf_bytes : int
        SBUF per partition.
    sbuf_usable : int
        What of it a kernel may use.
    psum_bytes : int
        PSUM per partition.
    psum_bank_bytes : int
        Of one PSUM bank.
    hbm_bytes : int
        Of the chip.
    cores : int
        Physical cores per chip.
    clock_ghz : dict
        By engine.
    moving_max : int
        Elements of a matmul's moving operand, per partition, with a float32 destination.
    lnc : tuple of int
        Logical-core sizes a kernel may be launched with.
    """

    name: str
    generation: int
    aliases: tuple[str, ...]
    sbuf_bytes: int
    sbuf_usable: int
    psum_bytes: int
    psum_bank_bytes: int
    hbm_bytes: int
    cores: int
    clock_ghz: dict[str, float]
    moving_max: int
    lnc: tuple[int, ...]

    @property
    def psum_banks(self) -> int:
        """
        PSUM banks per partition.

        Returns
        -------
        int
            8 on every generation.
        """
        return self.psum_bytes // self.psum_bank_bytes


PARTITIONS: Final = 128
HBM_TENSOR_MAX: Final = 2 * GIB
REGISTERS: Final = 64
# Engine limits of the architecture guides: dims of an on-chip free pattern, their counts and strides.
PATTERN_DIMS: Final = 4
PATTERN_COUNT_MAX: Final = 2**16 - 1
PATTERN_STRIDE_MAX: Final = 2**15 - 1

TARGETS: Final[dict[str, Target]] = {
    "trn1": Target(
        "trn1",
        2,
        ("inf2", "gen2"),
        192 * KIB,
        180224,
        16 * KIB,
        2 * KIB,
        32 * GIB,
        2,
        {"tensor": 2.8, "vector": 1.12, "scalar": 1.4, "gpsimd": 1.4},
        512,
        (1,),
    ),
    "trn2": Target(
        "trn2",
        3,
        ("gen3",),
        224 * KIB,
        212984,
        16 * KIB,
        2 * KIB,
        96 * GIB,
        8,
        {"tensor": 2.4, "vector": 0.96, "scalar": 1.2, "gpsimd": 1.2},
        512,
        (1, 2),
    ),
    "trn3": Target(
        "trn3",
        4,
        ("gen4",),
        256 * KIB,
        245752,
        16 * KIB,
        2 * KIB,
        144 * GIB,
        8,
        {"tensor": 2.4, "vector": 1.2, "scalar": 1.2, "gpsimd": 1.2},
        4096,
        (1, 2),
    ),
}
_NAMES: Final = {name: row for row in TARGETS.values() for name in (row.name, *row.aliases)}


def find_target(name: str) -> Target:
    """
    Look a target up.

    Parameters
    ----------
    name : str
        A chip or generation, such as ``"trn2"``, ``"inf2"`` or ``"gen4"``.

    Returns
    -------
    Target
        The row of the table.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> find_target("gen3").name
    'trn2'
    """
    if name.lower() not in _NAMES:
        raise ValueError(f"no target {name!r}; use one of {', '.join(_NAMES)}")
    return _NAMES[name.lower()]
