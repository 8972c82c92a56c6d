"""
L-BFGS-B of scipy.optimize: the compact form of the matrix, with vectors on the device and inner products of pairs on the host.

A point of a line search is one program and one round: the function, its gradient, and the products of both with the stored pairs. From
these numbers the host makes the coefficients of the next direction. With bounds, the breakpoints of the projected gradient are sorted and
all segments of its path are evaluated at once. Method: Byrd, Lu, Nocedal and Zhu, SIAM J. Sci. Comput. 16 (1995).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .._sparse_linalg.linear_operator import LinearOperator
from .objectives import Objective, Watcher, fetched, resolved
from .operands import xp

__all__ = ["limited_memory"]

_GRADIENT: Final = "CONVERGENCE: NORM OF PROJECTED GRADIENT <= PGTOL"
_REDUCTION: Final = "CONVERGENCE: RELATIVE REDUCTION OF F <= FACTR*EPSMCH"
_FURTHEST: Final = 1e10
_Matrix = npt.NDArray[np.float64]


class _Pairs:
    """The last changes of the gradient (y) and of the point (s) on the device, and their inner products on the host."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.clear()

    def clear(self) -> None:
        """Forget all pairs."""
        self.y: list[Any] = []
        self.s: list[Any] = []
        self.yy = self.sy = self.ss = np.zeros((0, 0))
        self.theta = 1.0
        self._rows: Any = None

    def rows(self) -> Any:
        """Give y and s as rows of one matrix."""
        if self._rows is None:
            self._rows = xp.stack(self.y + self.s)
        return self._rows

    def add(self, y: Any, s: Any, with_y: _Matrix, with_s: _Matrix, inner: tuple[float, float, float]) -> None:
        """Add a pair; the products of y and s with the rows, and among each other (yy, sy, ss), are known."""
        count = len(self.y)
        yy, sy, ss = inner
        rim = [
            (self.yy, with_y[:count], with_y[:count], yy),
            (self.sy, with_y[count:], with_s[:count], sy),  # rows are those of s
            (self.ss, with_s[count:], with_s[count:], ss),
        ]
        grown = [np.block([[known, column[:, None]], [row[None, :], np.full((1, 1), corner)]]) for known, column, row, corner in rim]
        self.y, self.s, self._rows = [*self.y, y], [*self.s, s], None
        if count == self.most:
            self.y, self.s, grown = self.y[1:], self.s[1:], [each[1:, 1:] for each in grown]
        self.yy, self.sy, self.ss = grown
        self.theta = yy / sy

    def direction(self, products: _Matrix, g: Any) -> Any:
        """Multiply the inverse matrix and the gradient, whose products with the rows are known."""
        if not self.y:
            return -g
        count, gamma = len(self.y), 1.0 / self.theta
        upper = np.triu(self.sy)
        a = products[count:]
        v = np.linalg.solve(upper, a)
        middle = (np.diag(np.diag(self.sy)) + gamma * self.yy) @ v - gamma * products[:count]
        u = np.linalg.solve(upper.T, middle)
        weights = xp.asarray(np.concatenate([gamma * v, -u]), dtype=g.dtype, device=g.device)
        return weights @ self.rows() - gamma * g

    def middle(self) -> _Matrix:
        """Give the matrix between W and its transpose, W being y and theta s as columns."""
        lower = np.tril(self.sy, -1)
        return np.linalg.inv(np.block([[-np.diag(np.diag(self.sy)), lower.T], [lower, self.theta * self.ss]]))


class _InverseHessian(LinearOperator):
    """SciPy's `LbfgsInvHessProduct` on the device: products with the approximate inverse Hessian."""

    def __init__(self, pairs: _Pairs, x: Any) -> None:
        super().__init__(x.dtype, (x.shape[0], x.shape[0]))
        self.n_corrs = len(pairs.y)
        self.sk, self.yk = [
            xp.stack(each) if each else xp.zeros((0, x.shape[0]), dtype=x.dtype, device=x.device) for each in (pairs.s, pairs.y)
        ]
        self.rho = 1.0 / xp.sum(self.sk * self.yk, axis=1)

    def _matvec(self, v: Any) -> Any:
        q, alphas = xp.reshape(v, (-1,)), []
        for i in reversed(range(self.n_corrs)):
            alphas.append(self.rho[i] * (self.sk[i] @ q))
            q = q - alphas[-1] * self.yk[i]
        for i in range(self.n_corrs):
            q = q + self.sk[i] * (alphas.pop() - self.rho[i] * (self.yk[i] @ q))
        return q

    def todense(self) -> Any:
        """Give the matrix."""
        return self @ xp.eye(self.shape[0], dtype=self.sk.dtype, device=self.sk.device)


def _bounded(x: Any, g: Any, limits: tuple[Any, Any], pairs: _Pairs) -> Any:
    """Find the minimum of the quadratic model within bounds: along the projected gradient, then among the variables that are free."""
    lower, upper = limits
    theta, dtype, device = pairs.theta, x.dtype, x.device
    eps = float(xp.finfo(dtype).eps)
    to = xp.where(g < 0, upper, lower)
    t = xp.where(g == 0, math.inf, (x - to) / xp.where(g == 0, 1.0, g))
    d = xp.where(t > 0, -g, 0.0)
    order = xp.argsort(t)
    ts, ds = t[order], d[order]
    start = xp.concatenate([xp.zeros_like(ts[:1]), ts])  # of the segments, in which so many variables are at bounds
    start = xp.where(xp.isinf(start), 0.0, start)
    width = xp.concatenate([ts - start[:-1], xp.full_like(ts[:1], math.inf)])

    def after(terms: Any) -> Any:
        sums = xp.flip(xp.cumsum(xp.flip(terms, axis=0), axis=0), axis=0)
        return xp.concatenate([sums, xp.zeros_like(sums[:1])], axis=0)

    free_squares = after(ds * ds)
    slope, bend = free_squares * (theta * start - 1.0), theta * free_squares
    steepest = bend[0]
    if pairs.y:
        w = xp.concatenate([xp.stack(pairs.y, axis=1), theta * xp.stack(pairs.s, axis=1)], axis=1)
        middle = xp.asarray(pairs.middle(), dtype=dtype, device=device)
        p = after(ds[:, None] * w[order])
        passed = xp.cumsum(xp.where(xp.isinf(width), 0.0, width)[:, None] * p, axis=0)
        c = xp.concatenate([xp.zeros_like(passed[:1]), passed[:-1]], axis=0)
        turned = p @ middle
        slope, bend = slope - xp.sum(turned * c, axis=1), bend - xp.sum(turned * p, axis=1)
    ahead = xp.maximum(-slope / xp.maximum(bend, xp.maximum(eps * steepest, float(xp.finfo(dtype).tiny))), 0.0)
    stop = xp.argmax(xp.astype(ahead < width, xp.int32), axis=0)
    reach = start[stop] + ahead[stop]
    fixed = t <= start[stop]
    cauchy = xp.where(fixed & (d != 0), to, x + reach * d)
    if not pairs.y:
        return cauchy - x
    free = xp.where(fixed, 0.0, 1.0)
    residual = free * (w @ (middle @ (c[stop] + ahead[stop] * p[stop])) - g - theta * (cauchy - x))
    held = w * free[:, None]
    system = xp.eye(middle.shape[0], dtype=dtype, device=device) - middle @ (held.T @ w) / theta
    inner = xp.linalg.solve(system, middle @ (held.T @ residual))
    step = (residual + held @ inner / theta) / theta
    found = xp.minimum(xp.maximum(cauchy + step, lower), upper)
    room = xp.where(step > 0, upper - cauchy, cauchy - lower)
    share = xp.minimum(1.0, xp.min(xp.where(step == 0, math.inf, room / xp.where(step == 0, 1.0, xp.abs(step)))))
    return xp.where((found - x) @ g > 0, cauchy + share * step, found) - x


def limited_memory(objective: Objective, x: Any, options: Mapping[str, Any], watcher: Watcher, limits: tuple[Any, Any] | None) -> Any:
    """Minimize; all bounds leave room."""
    from scipy.optimize import OptimizeResult
    from scipy.optimize._dcsrch import DCSRCH

    pairs = _Pairs(options["maxcor"])
    ftol, gtol = options["ftol"], options["gtol"]
    boxed = limits is not None and bool(xp.all(xp.isfinite(limits[0]) & xp.isfinite(limits[1])))

    def projected(x: Any, g: Any) -> Any:
        if limits is not None:
            g = xp.where(g < 0, xp.maximum(x - limits[1], g), xp.minimum(x - limits[0], g))
        return xp.max(xp.abs(g))

    f = objective.value(x)
    g = objective.gradient(x, f)
    value, size, square = fetched(f, projected(x, g), g @ g)
    nit, status, message = 0, 0, _GRADIENT
    products = np.zeros(0)
    while size > gtol:
        p = pairs.direction(products, g) if limits is None else _bounded(x, g, limits, pairs)
        longest, first = (_FURTHEST if limits is None or nit else 1.0), 1.0
        if not nit and not boxed:
            length = math.sqrt(square) if limits is None else math.sqrt(fetched(p @ p)[0])
            first = min(1.0 / length, longest) if length else 1.0

        def evaluated(alpha: float, x: Any = x, p: Any = p, g: Any = g, value: float = value) -> tuple[Any, Any, Any, list[float], _Matrix]:
            there = x + alpha * p
            if limits is not None:
                there = xp.minimum(xp.maximum(there, limits[0]), limits[1])
            f = objective.value(there)
            ahead = objective.gradient(there, f)
            y = ahead - g
            room = xp.full_like(f, _FURTHEST)
            if limits is not None:
                to = xp.where(p < 0, limits[0], limits[1]) - x
                room = xp.min(xp.where(p == 0, _FURTHEST, to / xp.where(p == 0, 1.0, p)))
            table = [xp.stack([f, ahead @ p, g @ p, projected(there, ahead), ahead @ ahead, y @ y, p @ p, room, y @ ahead])]
            if pairs.y:
                table.append(xp.reshape(pairs.rows() @ xp.stack([ahead, y, p], axis=1), (-1,)))
            found = xp.concatenate(table)._host().astype(float)
            first = found[:9].tolist()
            first[0] = resolved(first[0], value, alpha * (first[1] + first[2]) / 2, x)
            return there, ahead, y, first, found[9:].reshape(-1, 3)

        alpha, tried = first, 0
        there, ahead, y, numbers, table = evaluated(alpha)
        if limits is not None and nit:
            longest = min(max(numbers[7], 1.0), _FURTHEST)
        search = DCSRCH(None, None, 1e-3, 0.9, 0.1, 0.0, longest)
        alpha, _, _, task = search._iterate(first, value, numbers[2], b"START")
        while task[:2] == b"FG" and tried < options["maxls"]:
            if tried:
                there, ahead, y, numbers, table = evaluated(alpha)
            tried += 1
            step = alpha
            alpha, _, _, task = search._iterate(alpha, numbers[0], numbers[1], task)
            alpha = float(alpha)
        if task[:4] not in {b"CONV", b"WARN"}:
            if pairs.y:
                pairs.clear()
                products = np.zeros(0)
                continue
            nit += 1
            status, message = 2, "ABNORMAL: "
            break
        before, slope = value, numbers[2]
        old, x, g, value, size, square = x, there, ahead, numbers[0], numbers[3], numbers[4]
        nit += 1
        if watcher.halts(x, value):
            status, message = 2, "STOP: CALLBACK REQUESTED HALT"
            break
        if nit >= options["maxiter"]:
            status, message = 1, "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
            break
        if objective.nfev > options["maxfun"]:
            status, message = 1, "STOP: TOTAL NO. OF F,G EVALUATIONS EXCEEDS LIMIT"
            break
        if size <= gtol:
            break
        if before - value <= ftol * max(abs(before), abs(value), 1.0):
            message = _REDUCTION
            break
        products = table[:, 0]
        inner = (numbers[1] - slope) * step
        if inner > float(np.finfo(np.float64).eps) * -slope * step:
            count = len(pairs.y)
            pairs.add(y, x - old, table[:, 1], step * table[:, 2], (numbers[5], inner, step * step * numbers[6]))
            kept = slice(1 if count == len(pairs.y) else 0, None)
            products = np.concatenate([[*products[:count], numbers[8]][kept], [*products[count:], step * numbers[1]][kept]])
    return OptimizeResult(
        fun=value, jac=g, nfev=objective.nfev, njev=objective.njev, nit=nit, status=status, message=message, x=x, success=status == 0,
        hess_inv=_InverseHessian(pairs, x),
    )  # fmt: skip
