"""Singular values of matrices over partitions, against LAPACK in double precision."""

import numpy as np
import pytest

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

RNG = np.random.default_rng(8)
U = 2.0**-24
SPLIT = Knobs(pe_product="split21")
FLUSHED = Knobs(two_op="fused", denormals_dve="flush", denormals_act="flush", dve_order="permuted:1")


WAYS = [("trn1", Knobs(), 7), ("trn2", SPLIT, 8), ("trn2", FLUSHED, 5), ("trn3", Knobs(), 34)]


@pytest.mark.parametrize(("target", "knobs", "order"), WAYS)
def test_rotations(target, knobs, order):
    """A full matrix, one that has lost its rank, and one of equal singular values but one."""
    a = RNG.standard_normal((3, order, order))
    a[1, :, 1] = a[1, :, 0]
    a[2] = np.eye(order) + 1.0
    a = (a / np.abs(a).max((1, 2), keepdims=True)).astype(np.float32)
    columns, right, converged = run("SVD", np.swapaxes(a, 1, 2), target=target, knobs=knobs)
    columns, right, limit = np.swapaxes(columns, 1, 2).astype(float), np.swapaxes(right, 1, 2).astype(float), 5 * order * U
    assert converged.all()
    values = np.sort(np.linalg.norm(columns, axis=1), axis=-1)[:, ::-1]
    wanted = np.linalg.svdvals(a.astype(float))
    assert np.abs(values - wanted).max() <= limit * wanted.max()
    assert np.abs(np.swapaxes(right, 1, 2) @ right - np.eye(order)).max() <= limit
    assert np.abs(a @ right - columns).max() <= limit * wanted.max()


def test_predicted_time():
    assert predict("SVD", (1, 128, 128)).seconds <= 8.2e-3
