"""Quantum chemistry beside PySCF 2.14's results, and beside sums over all indices in float64."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import trnarray as xp
from trnarray import chemistry

DEVICES = ["cpu", "sim:trn2"]
# By PySCF: energies of second order in hartree, of the basis cc-pVDZ with cc-pVDZ-RI, and STO-3G where it says small.
WATER, HYDROXYL = -0.20398838280274087, -0.1509932729054052
SMALL, COUPLED = -0.035545651646918267, -0.04943856302915348
# Of the same basis, and of aug-cc-pVDZ with aug-cc-pVDZ-RI; glycine is one of suite `chemistry`.
MOLECULES = {"methane": -0.16395763267761063, "ammonia": -0.18922949716035248, "water_augmented": -0.2218709255798182}
DATA = Path(__file__).parents[2] / "docs" / "data"


@pytest.fixture(scope="module")
def molecules():
    with np.load(DATA / "molecules.npz") as file:
        return dict(file)


@pytest.fixture(autouse=True)
def no_fallback():
    with xp.config(fallback="error"):
        yield


def on(device, array, dtype=np.float64):
    return xp.asarray(array.astype(dtype), device=device)


def back(array):
    return np.asarray(array.to_device("cpu"))


def square(packed):
    """Unpack lower triangles, the first axis."""
    count = int((2 * len(packed)) ** 0.5)
    full = np.empty((count, count, *packed.shape[1:]))
    rows, columns = np.tril_indices(count)
    full[rows, columns] = full[columns, rows] = packed
    return full


@pytest.fixture(scope="module")
def water(molecules):
    """B of occupied and virtual orbitals, by NumPy, and energies."""
    three, metric = square(molecules["water_three_index"]), molecules["water_metric"]
    orbitals, energies = molecules["water_coefficients"], molecules["water_energies"]
    moved = np.einsum("mi,na,mnP->iaP", orbitals[:, :5], orbitals[:, 5:], three, optimize=True)
    return np.linalg.solve(np.linalg.cholesky(metric), moved.reshape(-1, len(metric)).T).T.reshape(moved.shape), energies[:5], energies[5:]


def brute(b, e, v):
    """The definition, of all four indices at once."""
    repulsion = np.einsum("iaP,jbP->iajb", b, b, optimize=True)
    gaps = e[:, None, None, None] + e[None, None, :, None] - v[None, :, None, None] - v
    return repulsion, repulsion / gaps


@pytest.mark.parametrize(
    ("device", "dtype", "error"), [("cpu", "f8", 1e-9), ("cpu", "f4", 1e-6), ("sim:trn2", "f4", 1e-6), ("sim:trn2", "f8", 1e-9)]
)
def test_water_is_within_a_nanohartree_or_a_microhartree_of_pyscf(water, device, dtype, error):
    b, e, v = water
    parts = chemistry.df_mp2(*[on(device, array, dtype) for array in (b, e, v)])
    repulsion, amplitudes = brute(b, e, v)
    direct, exchange = np.sum(repulsion * amplitudes), np.sum(repulsion.transpose(0, 3, 2, 1) * amplitudes)
    assert abs(float(parts.energy) - WATER) < error
    assert abs(float(parts.opposite_spin) - direct) < error
    assert abs(float(parts.scs) - (1.2 * direct + (direct - exchange) / 3)) < error
    assert abs(float(parts.sos) - 1.3 * direct) < error


@pytest.mark.parametrize(("device", "dtype", "error"), [("cpu", "f8", 1e-9), ("cpu", "f4", 1e-6), ("sim:trn2", "f4", 1e-6)])
@pytest.mark.parametrize(("molecule", "energy"), MOLECULES.items(), ids=list(MOLECULES))
def test_molecules_are_within_a_nanohartree_or_a_microhartree_of_pyscf(molecule, energy, device, dtype, error):
    """Factors are rotated among auxiliary functions so that they are triangular, and rounded to 34 bits, which keeps energies to 2e-12."""
    with np.load(DATA / "factors.npz") as file:
        b, energies = file[f"{molecule}_factor"], file[f"{molecule}_energies"]
    parts = chemistry.df_mp2(*[on(device, array, dtype) for array in (b, energies[: len(b)], energies[len(b) :])])
    assert abs(float(parts.energy) - energy) < error


def test_from_integrals_of_atomic_orbitals_in_float64(molecules):
    orbitals, energies = molecules["water_coefficients"], molecules["water_energies"]
    arrays = square(molecules["water_three_index"]), molecules["water_metric"], orbitals[:, :5], orbitals[:, 5:]
    factor = chemistry.density_factor(*[on("cpu", array) for array in arrays])
    found = chemistry.df_mp2(factor, on("cpu", energies[:5]), on("cpu", energies[5:]))
    assert abs(float(found.energy) - WATER) < 1e-9


@pytest.mark.parametrize("count", [1, 2, 3, 16])
def test_each_pair_counts_once(count):
    rng = np.random.default_rng(count)
    b, e, v = rng.standard_normal((count, 3, 4)), -1 - rng.random(count), 1 + rng.random(3)
    repulsion, amplitudes = brute(b, e, v)
    expected = np.sum((2 * repulsion - repulsion.transpose(0, 3, 2, 1)) * amplitudes)
    assert float(chemistry.df_mp2(*[on("cpu", array) for array in (b, e, v)]).energy) == pytest.approx(expected, rel=1e-13)
    assert float(chemistry.mp2(*[on("cpu", array) for array in (repulsion, e, v)]).energy) == pytest.approx(expected, rel=1e-13)
    found = chemistry.df_mp2(*[on("sim:trn2", array, "f4") for array in (b, e, v)])
    assert float(found.energy) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("device", "dtype", "error"), [("cpu", "f8", 1e-9), ("sim:trn2", "f4", 1e-6)])
def test_a_radical_is_within_a_nanohartree_or_a_microhartree_of_pyscf(molecules, device, dtype, error):
    b = tuple(on(device, molecules[f"hydroxyl_factor_{spin}"], dtype) for spin in (0, 1))
    energies = [molecules[f"hydroxyl_energies_{spin}"] for spin in (0, 1)]
    below = tuple(on(device, one[: len(factor)], dtype) for one, factor in zip(energies, b, strict=True))
    above = tuple(on(device, one[len(factor) :], dtype) for one, factor in zip(energies, b, strict=True))
    assert abs(float(chemistry.df_ump2(b, below, above).energy) - HYDROXYL) < error


def test_amplitudes_of_four_indices_are_never_stored():
    """Of 24 occupied and 160 virtual orbitals they have 59 MB; in HBM lie the factor twice, and matrices of some pairs."""
    held = xp.memory("sim:trn2").used  # by other tests
    b, e, v = (xp.ones(shape, dtype=xp.float32, device="sim:trn2") for shape in ((24, 160, 200), (24,), (160,)))
    xp.synchronize()
    text = str(xp.explain(chemistry.df_mp2(b, e, v).energy))
    assert "loop of 24 turns" in text
    most, unit = re.search(r"HBM taken at most: ([\d.]+) ([kMG]?B)", text).groups()
    assert float(most) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit] < held + 2 * b.nbytes + 48 * 160 * 160 * 4


@pytest.mark.parametrize("device", DEVICES)
def test_intermediates_of_gradients(device):
    rng = np.random.default_rng(8)
    b, e, v = rng.standard_normal((3, 4, 5)), -1 - rng.random(3), 1 + rng.random(4)
    dtype, near = (np.float64, 1e-12) if device == "cpu" else (np.float32, 2e-5)
    found = chemistry.df_mp2_intermediates(*[on(device, array, dtype) for array in (b, e, v)])
    _, amplitudes = brute(b, e, v)
    t = amplitudes.transpose(0, 2, 1, 3)
    adapted = 2 * t - t.transpose(0, 1, 3, 2)
    scale = np.abs(t).sum()
    assert np.allclose(back(found.occupied), -2 * np.einsum("ikab,jkab->ij", adapted, t), rtol=0, atol=near * scale)
    assert np.allclose(back(found.virtual), 2 * np.einsum("ijac,ijbc->ab", adapted, t), rtol=0, atol=near * scale)
    assert np.allclose(back(found.factor), np.einsum("ijab,jbP->iaP", adapted, b), rtol=0, atol=near * scale)
    if device == "cpu":  # derivatives with respect to energies, by differences
        def energy(below, above):
            return float(chemistry.mp2(on("cpu", np.einsum("iaP,jbP->iajb", b, b)), on("cpu", below), on("cpu", above)).energy)

        assert np.sum(b * back(found.factor)) == pytest.approx(energy(e, v), rel=1e-12)
        for place in range(4):
            step = 1e-5 * (np.arange(4) == place)
            assert (energy(e, v + step) - energy(e, v - step)) / 2e-5 == pytest.approx(back(found.virtual)[place, place], rel=1e-6)


@pytest.mark.parametrize("device", DEVICES)
def test_transform_of_four_indices_and_canonical_energy(molecules, device):
    dtype, error = (np.float64, 1e-9) if device == "cpu" else (np.float32, 1e-6)
    orbitals, energies = molecules["small_coefficients"], molecules["small_energies"]
    occupied, virtual = on(device, orbitals[:, :5], dtype), on(device, orbitals[:, 5:], dtype)
    moved = chemistry.ao_to_mo(on(device, molecules["small_repulsion"], dtype), (occupied, virtual, occupied, virtual))
    exact = np.einsum("pqrs,pi,qj,rk,sl->ijkl", molecules["small_repulsion"], *[orbitals[:, :5], orbitals[:, 5:]] * 2)
    assert np.allclose(back(moved), exact, rtol=0, atol=1e-12 if device == "cpu" else 1e-5)
    found = chemistry.mp2(moved, on(device, energies[:5], dtype), on(device, energies[5:], dtype))
    assert abs(float(found.energy) - SMALL) < error


@pytest.mark.parametrize(("device", "threshold"), [("cpu", 0.0), ("cpu", 1e-10), ("cpu", 1e-2), ("sim:trn2", 0.0)])
def test_coulomb_and_exchange_matrices(molecules, device, threshold):
    dtype = np.float64 if device == "cpu" else np.float32
    three, metric = square(molecules["water_three_index"]), molecules["water_metric"]
    factor = np.linalg.solve(np.linalg.cholesky(metric), three.reshape(-1, len(metric)).T).T.reshape(three.shape)
    orbitals = molecules["water_coefficients"][:, :5]
    coulomb, exchange = chemistry.coulomb_exchange(on(device, factor, dtype), on(device, orbitals, dtype), threshold=threshold, block=10)
    near = 1e-9 if device == "cpu" else 1e-4
    assert np.allclose(back(coulomb), square(molecules["water_j"]), rtol=0, atol=max(near, 24**2 * threshold))
    assert np.allclose(back(exchange), square(molecules["water_k"]), rtol=0, atol=max(near, 24**2 * threshold))


def test_screening_leaves_out_what_is_small():
    rng = np.random.default_rng(9)
    decay = np.exp(-np.abs(np.subtract.outer(np.arange(40), np.arange(40))))
    factor = rng.standard_normal((40, 40, 6)) * decay[:, :, None]
    factor += factor.transpose(1, 0, 2)
    orbitals = rng.standard_normal((40, 3))
    density = 2 * orbitals @ orbitals.T
    coulomb = np.einsum("mnP,rsP,rs->mn", factor, factor, density)
    exchange = np.einsum("mrP,nsP,rs->mn", factor, factor, density)
    bounds = back(chemistry.schwarz_bounds(on("cpu", factor)))
    assert np.all(np.abs(np.einsum("mnP,rsP->mnrs", factor, factor)) <= np.multiply.outer(bounds, bounds) * (1 + 1e-12))
    for threshold, block in itertools.product((0.0, 1e-8, 1e-4), (7, 40)):
        found = chemistry.coulomb_exchange(on("cpu", factor), on("cpu", orbitals), threshold=threshold, block=block)
        for one, exact in zip(found, (coulomb, exchange), strict=True):
            assert np.allclose(back(one), exact, rtol=0, atol=1e-10 + 1600 * threshold * np.abs(density).max())


@pytest.mark.parametrize("device", DEVICES)
def test_the_doubles_equation_holds_for_amplitudes_of_pyscf(molecules, device):
    """In spin orbitals, built here from integrals of atomic ones; and the energy of these amplitudes is PySCF's."""
    coefficients, spatial = molecules["ghf_coefficients"], molecules["small_repulsion"]
    half = len(spatial)
    parts = [coefficients[:half], coefficients[half:]]
    mixed = sum(np.einsum("pqrs,pi,qj,rk,sl->ikjl", spatial, a, a, b, b, optimize=True) for a, b in itertools.product(parts, parts))
    repulsion = mixed - mixed.transpose(0, 1, 3, 2)
    t1, t2 = molecules["t1"], molecules["t2"]
    count = len(t1)
    o, v = slice(0, count), slice(count, None)
    energy = np.einsum("ijab,ijab->", t2, repulsion[o, o, v, v]) / 4 + np.einsum("ia,jb,ijab->", t1, t1, repulsion[o, o, v, v]) / 2
    assert abs(energy - COUPLED) < 1e-9
    fock = np.diag(molecules["ghf_energies"])
    dtype, near = (np.float64, 1e-8) if device == "cpu" else (np.float32, 2e-6)
    residual = chemistry.ccsd_doubles_residual(*[on(device, array, dtype) for array in (repulsion, fock, t1, t2)])
    if device != "cpu":
        assert len(xp.explain(residual).steps) == 1
    assert np.max(np.abs(back(residual))) < near
    other = back(chemistry.ccsd_doubles_residual(*[on("cpu", array) for array in (repulsion, fock, t1, 1.01 * t2)]))
    assert np.max(np.abs(other)) > 1e-4
