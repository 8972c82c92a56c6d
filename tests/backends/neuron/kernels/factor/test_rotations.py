"""Singular values of matrices over partitions, against LAPACK in double precision."""

import numpy as np
import pytest

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(8)
U = 2.0**-24
SPLIT = Knobs(pe_product="split21")
FLUSHED = Knobs(two_op="fused", denormals_dve="flush", denormals_act="flush", dve_order="permuted:1")


WAYS = [
    *(("trn1", Knobs(), 7, False), ("trn2", SPLIT, 8, False), ("trn2", FLUSHED, 5, False), ("trn3", Knobs(), 6, False)),
    *(("trn1", FLUSHED, 5, True), ("trn2", SPLIT, 7, True), ("trn3", Knobs(), 4, True)),
]


@pytest.mark.parametrize(("target", "knobs", "order", "is_complex"), WAYS)
def test_rotations(target, knobs, order, is_complex):
    """A full matrix, one that has lost its rank, and one of equal singular values but one."""
    a = RNG.standard_normal((3, order, order)) + (1j * RNG.standard_normal((3, order, order)) if is_complex else 0)
    a[1, :, 1] = a[1, :, 0]
    a[2] = np.eye(order) + 1.0
    a = (a / np.abs(a).max((1, 2), keepdims=True)).astype(np.complex64 if is_complex else np.float32)
    turned = np.swapaxes(a, 1, 2)
    *found, converged = run("SVD", *([turned.real, turned.imag] if is_complex else [turned]), target=target, knobs=knobs)
    if is_complex:
        found = [found[0] + 1j * found[1].astype(float), found[2] + 1j * found[3].astype(float)]
    columns, right = (np.swapaxes(one, 1, 2).astype(complex if is_complex else float) for one in found)
    assert converged.all()
    values = np.sort(np.linalg.norm(columns, axis=1), axis=-1)[:, ::-1]
    wanted, limit = np.linalg.svdvals(a.astype(right.dtype)), 3 * order * U
    assert np.abs(values - wanted).max() <= limit * wanted.max()
    assert np.abs(np.swapaxes(right, 1, 2).conj() @ right - np.eye(order)).max() <= limit
    assert np.abs(a @ right - columns).max() <= limit * wanted.max()


def test_predicted_time():
    assert predict("SVD", (1, 128, 128)).seconds <= 8.2e-3
