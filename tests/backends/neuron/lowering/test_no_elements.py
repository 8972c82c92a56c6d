"""Calls on arrays without elements: results of NumPy's shapes, or its errors."""

import warnings

import numpy as np
import pytest

import trnarray as xp

NONE, COLUMN, EMPTY = np.ones(0, np.bool), np.zeros((0, 1), np.float32), np.zeros((0, 0), np.float32)
CALLS = {
    "nanquantile": lambda ns, a: ns.nanquantile(a(NONE), 0.5),
    "quantile": lambda ns, a: ns.quantile(a(NONE), 0.5),
    "nanpercentile": lambda ns, a: ns.nanpercentile(a(NONE), 50),
    "percentile": lambda ns, a: ns.percentile(a(np.ones((3, 0), np.bool)), 50, axis=1),
    "percentile of bool": lambda ns, a: ns.percentile(a(np.ones((3, 0), np.bool)), 50, axis=0),
    "repeat": lambda ns, a: ns.repeat(a(COLUMN), -1),
    "repeat along": lambda ns, a: ns.repeat(a(COLUMN), -1, axis=0),
    "repeat along one": lambda ns, a: ns.repeat(a(COLUMN), -1, axis=1),
    "take": lambda ns, a: ns.take(a(EMPTY), a(np.array(0)), axis=-1),
    "take of rows": lambda ns, a: ns.take(a(EMPTY), a(np.array([0])), axis=0),
    "take of columns": lambda ns, a: ns.take(a(np.zeros((3, 0), np.float32)), a(np.array([0])), axis=1),
    "average": lambda ns, a: ns.average(a(COLUMN), axis=1),
    "average down": lambda ns, a: ns.average(a(COLUMN), axis=0),
    "average with weights": lambda ns, a: ns.average(a(COLUMN), axis=1, weights=a(COLUMN)),
    "average with weights down": lambda ns, a: ns.average(a(COLUMN), axis=0, weights=a(COLUMN)),
}


def outcome(call, ns, make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(ns, make).shape
        except (TypeError, ValueError, IndexError, ArithmeticError) as error:
            return type(error)


@pytest.mark.parametrize("name", CALLS)
def test_shapes_or_errors_are_numpys(name):
    assert outcome(CALLS[name], xp, lambda x: xp.asarray(x, device="sim:trn2")) == outcome(CALLS[name], np, np.asarray)


STACK = np.zeros((0, 1, 1), np.float32)
MATRICES = {
    "cond": lambda ns, a: ns.linalg.cond(a(STACK)),
    "qr": lambda ns, a: ns.linalg.qr(a(STACK)).R,
    "qr of a wide one": lambda ns, a: ns.linalg.qr(a(STACK.astype(np.float64)), mode="r"),
    "qr in no mode": lambda ns, a: ns.linalg.qr(a(STACK), mode="no"),
    "matrix_rank": lambda ns, a: ns.linalg.matrix_rank(a(STACK)),
    "svd": lambda ns, a: ns.linalg.svd(a(STACK)).S,
    "lstsq of other lengths": lambda ns, a: ns.linalg.lstsq(a(np.eye(2)), a(np.ones((3, 2)))),
    "lstsq of nothing": lambda ns, a: ns.linalg.lstsq(a(np.eye(3, 2, dtype=np.float32)), a(np.ones((3, 0), np.float32)))[0],
    "residuals of nothing": lambda ns, a: ns.linalg.lstsq(a(np.eye(3, 2, dtype=np.int32)), a(np.ones((3, 0), np.float32)))[1],
    "solve of nothing by what is singular": lambda ns, a: ns.linalg.solve(a(np.zeros((1, 1), np.float32)), a(np.zeros((1, 0), np.float32))),
    "solve of nothing": lambda ns, a: ns.linalg.solve(a(np.eye(2, dtype=np.float32)), a(np.zeros((2, 0), np.float32))),
}


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_without_elements_and_what_is_wrong_need_no_host(name):
    with xp.config(fallback="error"):
        assert outcome(MATRICES[name], xp, lambda x: xp.asarray(x, device="sim:trn2")) == outcome(MATRICES[name], np, np.asarray)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.float64, np.complex128])
@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (2, 3, 0)])
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr_factors(dtype, shape, mode):
    with xp.config(fallback="error"):
        factors = xp.linalg.qr(xp.asarray(np.zeros(shape, dtype), device="sim:trn2"), mode=mode)
        for found, wanted in zip(factors, np.linalg.qr(np.zeros(shape, dtype), mode=mode), strict=True):
            assert found.dtype == dtype
            np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), wanted)
