"""Contractions of quantum chemistry: second-order energies, transforms of integrals, Coulomb and exchange matrices, coupled clusters.

Integrals, orbitals and energies are Arrays that a program such as PySCF made; functions compute where they are. Labels: i, j, k, m, n are
occupied orbitals, a to f virtual ones, p to s any, and P belongs to an auxiliary basis.
"""

from .coupled_cluster import ccsd_doubles_residual
from .integrals import ao_to_mo, coulomb_exchange, density_factor, schwarz_bounds
from .second_order import MP2, MP2Intermediates, df_mp2, df_mp2_intermediates, df_ump2, mp2

__all__ = [
    "MP2", "MP2Intermediates", "ao_to_mo", "ccsd_doubles_residual", "coulomb_exchange", "density_factor", "df_mp2",
    "df_mp2_intermediates", "df_ump2", "mp2", "schwarz_bounds",
]  # fmt: skip
