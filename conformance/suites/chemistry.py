"""Suite ``chemistry``: energies of second order of molecules in float64 and float32, beside those of PySCF, which makes the integrals."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np

import trnarray as xp

from ...backends.device import Device
from ..pytest_process import check_packages
from ..report import Report
from ..suite import SuiteError

__all__ = ["MOLECULES", "Molecule", "add_arguments", "run"]


class Molecule(NamedTuple):
    """
    A molecule, and what PySCF 2.14 found.

    Attributes
    ----------
    atoms : str
        Elements and places in ångström.
    basis : str
        Of orbitals; the auxiliary basis is the one for second order that belongs to it.
    energy : float
        Of second order, density-fitted, in hartree.
    """

    atoms: str
    basis: str
    energy: float


_WATER: Final = "O 0 0 0.1173; H 0 0.7572 -0.4692; H 0 -0.7572 -0.4692"
_METHANE: Final = "C 0 0 0; H 0.6276 0.6276 0.6276; H -0.6276 -0.6276 0.6276; H -0.6276 0.6276 -0.6276; H 0.6276 -0.6276 -0.6276"
_AMMONIA: Final = "N 0 0 0.1173; H 0 0.9377 -0.2738; H 0.8121 -0.4689 -0.2738; H -0.8121 -0.4689 -0.2738"
_GLYCINE: Final = (
    "N 1.9283 0.1086 0; C 0.7186 -0.6931 0; C -0.5659 0.1262 0; O -0.5853 1.3353 0; O -1.6704 -0.648 0; H -2.432 -0.045 0; "
    "H 0.6951 -1.3454 0.8777; H 0.6951 -1.3454 -0.8777; H 1.9506 0.7135 0.8133; H 1.9506 0.7135 -0.8133"
)
MOLECULES: Final = {
    "water": Molecule(_WATER, "cc-pvdz", -0.20398838271520117),
    "methane": Molecule(_METHANE, "cc-pvdz", -0.16395763267761063),
    "ammonia": Molecule(_AMMONIA, "cc-pvdz", -0.18922949716035248),
    "glycine": Molecule(_GLYCINE, "cc-pvdz", -0.8175866080238334),
    "water, augmented": Molecule(_WATER, "aug-cc-pvdz", -0.2218709255798182),
}
"""By name; the energies are those of these places."""

_LIMITS: Final = {"float64": 1.0, "float32": 1000.0}  # nanohartree


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--only", metavar="PATTERN", default="*", help="the molecules, as 'glycine'")


def run(report: Report, device: Device, options: Namespace) -> None:
    """Compute energies from integrals of atomic orbitals, and hold them against PySCF's of this run and those that are kept."""
    chosen = {name: molecule for name, molecule in MOLECULES.items() if fnmatchcase(name, options.only)}
    if not chosen:
        raise SuiteError(f"no molecule is named {options.only}; name one of: {', '.join(MOLECULES)}")
    check_packages("integrals need", {"pyscf": "pyscf"})
    for name, molecule in chosen.items():
        three_index, metric, orbitals, energies, occupied, energy = _by_pyscf(molecule)
        report.hold(f"{name}: PySCF beside the energy that is kept", 1e9 * abs(energy - molecule.energy), _LIMITS["float64"], "nHa")
        for dtype, limit in _LIMITS.items():
            found = _energy(device, dtype, three_index, metric, orbitals, energies, occupied)
            report.hold(f"{name}, {dtype}", 1e9 * abs(found - energy), limit, "nHa")


def _by_pyscf(molecule: Molecule) -> tuple[Any, ...]:
    """Give ``(mn|P)``, ``(P|Q)``, orbitals, their energies, how many are occupied, and the energy of second order."""
    gto, scf, df = (import_module(f"pyscf.{module}") for module in ("gto", "scf", "df"))
    second_order = import_module("pyscf.mp.dfmp2")
    made = gto.M(atom=molecule.atoms, basis=molecule.basis, verbose=0)
    field = scf.RHF(made)
    field.conv_tol = 1e-12
    field.kernel()
    fitted = second_order.DFMP2(field)
    fitted.with_df = df.DF(made, auxbasis=f"{molecule.basis}-ri")
    energy = float(fitted.kernel()[0])
    auxiliary = df.addons.make_auxmol(made, f"{molecule.basis}-ri")
    three_index, metric = df.incore.aux_e2(made, auxiliary), auxiliary.intor("int2c2e")
    return three_index, metric, field.mo_coeff, field.mo_energy, made.nelectron // 2, energy


def _energy(device: Device, dtype: str, three_index: Any, metric: Any, orbitals: Any, energies: Any, occupied: int) -> float:
    """Compute it on a device from B in the dtype, which is made in float64 on the host."""
    arrays = [xp.asarray(item, device="cpu") for item in (three_index, metric, orbitals[:, :occupied], orbitals[:, occupied:])]
    factor = np.asarray(xp.chemistry.density_factor(*arrays))
    operands = [xp.asarray(item.astype(dtype), device=device) for item in (factor, energies[:occupied], energies[occupied:])]
    with xp.config(fallback="error"):
        return float(xp.chemistry.df_mp2(*operands).energy)
