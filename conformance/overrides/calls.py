"""How each of NumPy's overridable functions is called: a line per function, its calls separated by bars; long ones go on.

A call is what stands between the parentheses; `operands.Operands` says what the names in it are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["CALLS"]

_CREATION: Final = """
arange: 5, like=v | 2, 11, 3, like=v | 1.0, 2.0, 0.25, dtype=dt, like=M
array: M, dtype=dt, ndmin=3, like=v | v, copy=False, like=v | [[1, 2], [3, 4.5]], like=M
asanyarray: v, like=v | M, dtype=dt, order='F', like=v
asarray: v, like=v | [1, 2, 3], dtype=dt, like=v | M, order='F', like=v
ascontiguousarray: M, like=v | M.T, dtype=dt, like=v
asfortranarray: M, like=v | T, dtype=dt, like=v
copy: M | M.T, order='K' | T, 'F'
diag: v | M, k=1 | v, k=-2
diagflat: v | M, k=1
empty: (2, 0), like=v | 0, dtype=dt, order='F', like=M
empty_like: new((0, 3)) | new((2, 0)), dtype='float32', order='F' | v, shape=(0, 2)
eye: 3, like=v | 3, 4, k=1, dtype=dt, like=M
frombuffer: bytes(16), dtype='int16', like=v | bytes(range(16)), dtype='float32', count=2, offset=4, like=M
fromfile: path('12345678'), dtype='int16', like=v | path('1 2 3'), sep=' ', count=2, like=M
fromfunction: add, (3, 4), like=v | add, (2, 2), dtype=dt, like=v
fromiter: range(4), dtype=dt, like=v | iter([1, 2, 3]), 'int64', count=2, like=M
fromstring: '1 2 3', sep=' ', like=v | '4,5', dtype=dt, sep=',', like=v
full: (2, 3), 7, like=v | (2, 2), 1, dtype=dt, order='F', like=v | 3, v[0], like=v
full_like: M, 3 | M, 2, dtype='complex64', order='F' | v, v[1], shape=(2, 2)
genfromtxt: text('1 2 3;4 5 6'), like=v | text('1,,3;4,5,6'), delimiter=',', filling_values=9, usecols=(0, 1), like=M
geomspace: v[2], 1000.0, num=4 | v[2], f[3], num=3 | abs(M) + 1, abs(N) + 2, 3, axis=1, endpoint=False
identity: 3, like=v | 2, dtype=dt, like=M
linspace: v, w, 5 | v, w, num=3, axis=1, endpoint=False | v[0], w[0], 4, retstep=True | v, w, 3, dtype='float32'
loadtxt: text('1 2 3;4 5 6'), like=v | text('1,2,3;4,5,6'), delimiter=',', usecols=(0, 2), unpack=True, ndmin=2, like=M
logspace: f[0], f[1], num=4 | v, f, 3, base=2.0, axis=-1 | 0, 2, num=3, base=f
meshgrid: v, w | v, i, s, indexing='ij', sparse=True | v, w, copy=False
ones: (2, 3), like=v | 4, dtype=dt, order='F', like=M
ones_like: M | M, dtype='int8', order='C' | v, shape=(2, 2)
require: v, requirements=['C', 'W'], like=v | M, dt, 'F', like=v
tri: 3, like=v | 2, 4, k=1, dtype=dt, like=M
tril: Q | T, k=-1
tril_indices_from: Q | M, k=-1
triu: Q | T, k=1
triu_indices_from: Q | M, k=1
vander: v | w, N=3, increasing=True
zeros: (2, 3), like=v | 4, dtype=dt, order='F', like=M
zeros_like: M | M, dtype='float32', order='F' | v, shape=(2, 0)
"""

_MANIPULATION: Final = """
append: v, w | M, N, axis=0 | v, [1, 2]
array_split: v, 4 | M, [1, 3], axis=1
astype: M, 'complex128' | M, 'float32', copy=False | v, dt, copy=False
atleast_1d: v[0] | v[0], M | v
atleast_2d: v | v[0], M
atleast_3d: v | M, T
block: [[M, N], [N, M]] | [v, w] | [[Q, P], [v[:3], v[3:]]]
broadcast_arrays: v, M[:, :1] | v[0], M
broadcast_to: v, (2, 6) | M[:1], shape=(3, 4)
column_stack: [v, w] | (Q, P[:, 0])
concatenate: [v, w] | (M, N), axis=1 | [M, N], axis=None | [v, w], out=new(12) | [v, f], dtype='complex128', casting='unsafe'
delete: v, 1 | M, [0, 2], axis=1 | v, slice(1, 4) | M, i[:2], axis=0 | v, c
dsplit: T, 2 | T, [1, 3]
dstack: [v, w] | (M, N)
expand_dims: M, 1 | M, axis=(0, -1)
flip: M | T, axis=(0, 2)
fliplr: M | T
flipud: M | v
hsplit: M, 2 | v, [2, 3]
hstack: [v, w] | (M, N), dtype='complex128' | (v, f), dtype='float32', casting='unsafe'
insert: v, 2, 9 | M, 1, v[:3], axis=1 | v, i[:3], w[:3] | M, [0, 2], N[:2], axis=0
matrix_transpose: M | T
moveaxis: T, 0, -1 | T, [0, 1], [2, 0]
pad: v, 2 | M, ((1, 0), (2, 1)), mode='edge' | M, 1, 'constant', constant_values=3 | v, (2, 3), mode='reflect' |
    v, 2, 'linear_ramp', end_values=(5, 1) | M, 1, 'wrap'
ravel: M | T, order='F' | T, 'K'
repeat: v, 3 | M, [1, 0, 2], axis=0 | M, i[:4], 1
reshape: M, (4, 3) | M, (2, -1), order='F' | T, -1, copy=True
resize: v, (2, 5) | M, new_shape=(2, 2)
roll: v, 2 | M, shift=(1, -1), axis=(0, 1)
rollaxis: T, 2 | T, 1, start=3
rot90: M | T, k=3, axes=(1, 2)
split: v, 3 | M, [1, 2], axis=1
squeeze: new((1, 3, 1)) | new((1, 3, 1)), axis=0
stack: [v, w] | (M, N), axis=-1 | [v, w], 1, out=new((6, 2)) | [v, f], dtype='complex128', casting='unsafe'
swapaxes: T, 0, 2 | M, axis1=1, axis2=0
tile: v, 2 | M, (2, 1, 3)
transpose: M | T, (1, 2, 0) | T, axes=(2, -2, 0)
trim_zeros: new(5) | v - v[3] | s, 'f'
unstack: M | T, axis=1
vsplit: M, 3 | T, [1]
vstack: [v, w] | (M, N), dtype='complex128' | (v, f), dtype='float32', casting='unsafe'
"""

_SELECTION: Final = """
argmax: v | M, axis=1 | M, axis=0, keepdims=True | M, 1, out=new(3, 'int64')
argmin: v | M, axis=1 | M, axis=0, keepdims=True | M, 1, out=new(3, 'int64')
argpartition: v, 2 | M, (1, 2), axis=1 | M, 3, axis=None
argsort: v, kind='stable' | M, axis=0, stable=True | M, axis=None, kind='stable'
argwhere: v | M > 0
choose: i, [v, w, s] | i, (v, w, s), out=new(6) | i + 2, [v, w], mode='wrap'
compress: c, v | [True, False, True], M, axis=0 | c[:4], M, axis=1, out=new((3, 2))
copyto: v, w | M, N, where=b | v, f, casting='unsafe' | v, 1
count_nonzero: M | M, axis=0 | M, axis=(0, 1), keepdims=True | b, axis=1
diag_indices_from: Q | new((2, 2, 2))
diagonal: M | T, offset=1, axis1=1, axis2=2
extract: b, M | c, v
fill_diagonal: Q, 5 | M, v[:3] | new((7, 3)), 2, wrap=True
flatnonzero: M | v - 1
intersect1d: v, w | M, N, assume_unique=False, return_indices=True
isin: v, w | M, [1, 2], invert=True | v, w, assume_unique=True, kind='sort'
ix_: v[:0], i | i, c | i[:2], i[2:]
lexsort: (v, w) | (w, s, v), axis=0 | M, -1
nonzero: v | M | T
partition: v, 2 | M, (1, 2), axis=1 | M, 4, axis=None
place: v, c, w | M, b, [1, 2, 3]
put: v, [0, 2], [7, 8] | M, i, w, mode='clip' | v, 9, 1, mode='wrap'
put_along_axis: M, i[:4].reshape(1, 4), 7, 0 | M, i[:3].reshape(3, 1), N[:, :1], axis=1 | v, i, w, None
putmask: v, c, w | M, b, N | v, v > 1, [1, 2]
ravel_multi_index: (i, i), (3, 4) | (i, i + 2), dims=(3, 4), mode='clip', order='F' | [i, i, i], (3, 3, 3)
searchsorted: s, v | s, v, side='right' | v, w, sorter=k | s, v[0]
select: [v > 1, w > 2], [v, w], default=7 | [c], [v] | [b, ~b], [M, N]
setdiff1d: v, w | v, [1, 2], assume_unique=True
setxor1d: v, w | s, [1, 2, 9], assume_unique=False
sort: v | M, axis=0, kind='stable' | M, axis=None | M, stable=True
sort_complex: v | M
take: v, i | M, [0, 2], axis=1 | M, i, mode='clip' | v, i[:3], out=new(3) | M, 1, 0
take_along_axis: M, k[:4].reshape(1, 4) % 3, axis=0 | v, i, None
union1d: v, w | M, [1, 9]
unique: v | v, return_index=True, return_inverse=True, return_counts=True | M, axis=0 | v, equal_nan=False, return_counts=True
unique_all: v | M
unique_counts: v | M
unique_inverse: v | M
unique_values: v | s
unravel_index: i, (2, 3) | k, shape=(3, 4), order='F' | 5, (i[2], 3) | k.reshape(2, 3), (6,)
where: b, M, N | c, v, 0 | M > 0 | [True, False], v[:2], w[0]
"""

_STATISTICS: Final = """
all: b | M, axis=1, keepdims=True | M, axis=0, where=b | M, axis=0, out=new(4, 'bool')
allclose: M, N | M, M, rtol=1e-3, equal_nan=True | v, 1
amax: M | M, axis=1, keepdims=True | M, axis=0, out=new(4) | M, 1, initial=1, where=b
amin: M | M, axis=1, keepdims=True | M, axis=0, out=new(4) | M, 1, initial=1, where=b
any: b | M, axis=1, keepdims=True | M, axis=0, where=b | M, axis=0, out=new(4, 'bool')
around: f | M, decimals=1 | M, -1, out=new((3, 4))
array_equal: M, N | M, M | M, M, equal_nan=True | v, M
array_equiv: M, N | v, [v, v]
average: v | M, axis=1, weights=[1, 2, 3, 4] | M, axis=0, weights=f[:3] | v, weights=w, returned=True | M, axis=1, keepdims=True
bincount: i | i, minlength=5 | i, weights=f | i, v
clip: v, 1, 2 | M, N, None | M, a_max=N, a_min=0, out=new((3, 4)) | v, min=1, max=w
convolve: v, w | v, w[:3], mode='same' | v, [1, 2], 'valid'
corrcoef: M | v, w | M, rowvar=False
correlate: v, w | v, w[:3], mode='full' | v, [1, 2], 'same'
cov: M | v, w, ddof=0 | M, rowvar=False, bias=True | M, fweights=i[:4] + 1, aweights=f[:4]
cumprod: v | M, axis=1 | M, axis=0, dtype='complex128', out=new((3, 4), 'complex128')
cumsum: v | M, axis=1 | M, axis=0, dtype='complex128', out=new((3, 4), 'complex128')
cumulative_prod: v | M, axis=1, include_initial=True | M, axis=0, dtype='complex128'
cumulative_sum: v | M, axis=1, include_initial=True | M, axis=0, dtype='complex128'
diff: v | M, n=2, axis=0 | v, prepend=1, append=w | M, axis=1, prepend=N
digitize: v, s | f, [0, 1, 2], right=True
ediff1d: v | v, to_end=w, to_begin=w[0]
gradient: v | M | M, 2.0, axis=1 | v, f.cumsum() | M, edge_order=2, axis=(0, 1)
histogram: v | v, bins=4, range=(0, 3), weights=f | f, bins=s | v, 'auto', density=True
histogram2d: v, w | v, w, bins=[2, 3], range=[[0, 3], [0, 5]], weights=f | f, v, bins=(s, 3), density=True
histogram_bin_edges: v | v, bins=3, range=(0, 6) | f, 'fd', weights=None
histogramdd: M, 2 | [v, w], bins=(2, 3) | M[:, :2], bins=[s, 3], range=[None, (0, 4)], weights=f[:3], density=True
interp: f, s, v | v, s, f, left=-1, right=9 | [0.5, 1.5], [0, 2], v[:2], period=4
max: M | M, axis=1, keepdims=True | M, axis=0, out=new(4) | M, 1, initial=1, where=b
mean: M | M, axis=1, keepdims=True | M, axis=0, dtype='complex128' | M, 0, out=new(4) | M, where=b, axis=1
median: v | M, axis=1, keepdims=True | M, axis=0, out=new(4) | M, (0, 1), overwrite_input=True
min: M | M, axis=1, keepdims=True | M, axis=0, out=new(4) | M, 1, initial=1, where=b
nanargmax: v | n, axis=1 | n, axis=0, keepdims=True | n, 1, out=new(3, 'int64')
nanargmin: v | n, axis=1 | n, axis=0, keepdims=True | n, 1, out=new(3, 'int64')
nancumprod: n | n, axis=1 | n, axis=0, dtype='complex128', out=new((3, 4), 'complex128')
nancumsum: n | n, axis=1 | n, axis=0, dtype='complex128', out=new((3, 4), 'complex128')
nanmax: n | n, axis=1, keepdims=True | n, axis=0, out=new(4) | n, 1, initial=1, where=b
nanmean: n | n, axis=1, keepdims=True | n, axis=0, dtype='complex128' | n, 0, out=new(4) | n, where=b, axis=1
nanmedian: n | n, axis=1, keepdims=True | n, axis=0, out=new(4)
nanmin: n | n, axis=1, keepdims=True | n, axis=0, out=new(4) | n, 1, initial=1, where=b
nanpercentile: n, 30 | n, [10, f[1]], axis=1, keepdims=True | n, 50, axis=0, out=new(4) | n, 40, method='lower'
nanprod: n | n, axis=1, keepdims=True | n, axis=0, dtype='complex128' | n, 0, out=new(4) | n, where=b, axis=1, initial=2
nanquantile: n, 0.3 | n, [0.1, 0.5], axis=1, keepdims=True | n, 0.5, axis=0, out=new(4) | n, 0.4, method='higher'
nanstd: n | n, axis=1, keepdims=True, ddof=1 | n, axis=0, out=new(4) | n, where=b, axis=1 | n, axis=1, mean=new((3, 1)) + 1
nansum: n | n, axis=1, keepdims=True | n, axis=0, dtype='complex128' | n, 0, out=new(4) | n, where=b, axis=1, initial=2
nanvar: n | n, axis=1, keepdims=True, ddof=1 | n, axis=0, out=new(4) | n, where=b, axis=1 | n, axis=1, correction=1
percentile: v, 30 | M, [10, f[1]], axis=1, keepdims=True | M, 50, axis=0, out=new(4) | v, 40, method='inverted_cdf', weights=f
prod: M | M, axis=1, keepdims=True | M, axis=0, dtype='complex128' | M, 0, out=new(4) | M, where=b, axis=1, initial=2
ptp: M | M, axis=1, keepdims=True | M, axis=0, out=new(4)
quantile: v, 0.3 | M, [0.1, 0.5], axis=1, keepdims=True | M, 0.5, axis=0, out=new(4) | v, f[:2] / 9, method='inverted_cdf', weights=f
round: f | M, decimals=1 | M, -1, out=new((3, 4))
std: M | M, axis=1, keepdims=True, ddof=1 | M, axis=0, out=new(4) | M, where=b, axis=1 | M, axis=1, mean=new((3, 1)) + 1, correction=1
sum: M | M, axis=1, keepdims=True | M, axis=0, dtype='complex128' | M, 0, out=new(4) | M, where=b, axis=1, initial=2
trapezoid: v | M, axis=0 | v, x=f | M, dx=0.5, axis=1
var: M | M, axis=1, keepdims=True, ddof=1 | M, axis=0, out=new(4) | M, where=b, axis=1 | M, axis=1, mean=new((3, 1)) + 1, correction=1
"""

_MATHEMATICS: Final = """
angle: h | M, deg=True | v
apply_along_axis: total, 0, M | sorted_pair, axis=1, arr=T | total, 1, b
apply_over_axes: sum_over, T, [0, 2] | sum_over, M, axes=(1,)
can_cast: dt, 'float32' | dt, 'complex128', casting='safe' | M.dtype, 'int8', 'same_kind' | v, dt
common_type: v, f | h, M | new(2, 'float32')
cross: v[:3], w[:3] | Q, P, axis=0 | Q, v[:3], axisa=1, axisb=0, axisc=0
dot: v, w | M, N.T | Q, P, out=new((3, 3)) | 2, v | T, M.T
einsum: 'ij,kj->ik', M, N | M, [0, 1], N, [0, 1] | 'ii->i', Q | 'ij,jk,kl', Q, P, Q, optimize=True | 'i,i', v, w, dtype='complex128' |
    'ij->j', M, out=new(4)
einsum_path: 'ij,jk,kl->il', Q, P, Q | 'ij,jk,kl->il', Q, P, M, optimize='optimal'
fix: f | v | f, out=new(6, 'float64')
i0: v | f
imag: h | v | M
inner: v, w | M, N | 2, v
iscomplex: h | v
iscomplexobj: h | v
isclose: M, N | v, w, rtol=0.5, atol=0.1, equal_nan=True | v, 1
isneginf: f | v | f, out=new(6, 'bool')
isposinf: f | v | f, out=new(6, 'bool')
isreal: h | v
isrealobj: h | v
kron: v, w | Q, M | 2, M
may_share_memory: v, w | M, M.T | v, v[2:], max_work=1
min_scalar_type: v | v[0] | new(2, 'int16')
nan_to_num: n | n, nan=7, posinf=8 | n, copy=False, neginf=1
ndim: v | T
outer: v, w | M, v, out=new((12, 6)) | v, [1, 2]
packbits: b | b, axis=0, bitorder='little' | u
piecewise: v, [v < 1, v > 2], [1, 2, 3] | f, [f > 1], [total, 5] | v, [c, ~c], [negate, 7]
poly: v | Q
polyadd: v, w | v, [1, 2]
polyder: v | w, m=2
polydiv: w, v[:3] | v, [2, 1]
polyfit: f, w, 2 | f[:4], M[0], 1 | f, w, 1, w=f, cov='unscaled' | f, w, deg=1, full=True
polyint: v | w, m=2, k=[1, 2]
polymul: v, w | v, [1, 2]
polysub: v, w | v, [1, 2]
polyval: v, w | v, M | [1, 2, 3], v
real: h | v | M
real_if_close: h | h + 0 | v, tol=100
result_type: v, f | v[0], 'float32' | M, 1, 2.5 | v, dt
roots: w | v[:3] | [1, -3, 2, v[4]]
shape: M | v[0]
shares_memory: v, w | M, M.T | v[:4], v[2:] | v[:2], v[3:], max_work=-1
sinc: v | f
size: M | M, 1 | T, axis=0
tensordot: M, N, 2 | T, M, axes=([1, 2], [0, 1]) | Q, P, axes=1
trace: M | T, offset=1, axis1=1, axis2=2 | T, dtype='complex128' | T, 0, 0, 1, None, new(4)
unpackbits: u | u.reshape(2, 2), axis=1, count=5, bitorder='little' | u, count=-3
unwrap: f * 4 | v, discont=2, period=3 | M, axis=0
vdot: v, w | M, N | h, h
"""

_TEXT_AND_FILES: Final = """
array2string: M | f, precision=2, separator=', ', suppress_small=True | M, max_line_width=20, threshold=3, edgeitems=1 |
    v, formatter={'all': hexadecimal}
array_repr: M | f, precision=2 | v, max_line_width=12, suppress_small=True
array_str: M | f, precision=2 | v, max_line_width=12, suppress_small=True
save: file(), M | file(), v, allow_pickle=False
savetxt: file(), v | file(), M, fmt='%.3e', delimiter=', ', header='a', footer='b', comments='# ', newline='; '
savez: file(), v, w | file(), v, b=M
savez_compressed: file(), v | file(), a=M, b=N
"""

_LINALG: Final = """
linalg.cholesky: P | P, upper=True
linalg.cond: Q | Q, p=1 | P, 'fro'
linalg.cross: Q, P | v[:3], w[:3] | Q, P, axis=0
linalg.det: Q | new((2, 3, 3))
linalg.diagonal: Q | T, offset=1
linalg.eig: Q | P
linalg.eigh: P | P, UPLO='U'
linalg.eigvals: Q | P
linalg.eigvalsh: P | P, UPLO='U'
linalg.inv: Q | P
linalg.lstsq: M.T, v[:4] | M.T, N.T, rcond=1e-3 | P, Q, rcond=None
linalg.matmul: M, N.T | Q, v[:3] | T, M.T
linalg.matrix_norm: M | T, ord=2, keepdims=True | M, ord='nuc'
linalg.matrix_power: Q, 3 | P, n=-1 | Q, 0
linalg.matrix_rank: M | M, tol=1e-3 | P, hermitian=True | Q, rtol=0.5
linalg.matrix_transpose: M | T
linalg.multi_dot: [Q, P, M] | (v[:3], Q, P, w[:3]) | [Q, P], out=new((3, 3))
linalg.norm: v | M, 'fro' | M, ord=1, axis=0, keepdims=True | M, 2, (0, 1)
linalg.outer: v, w | w, s
linalg.pinv: M | M, rcond=1e-3 | P, hermitian=True | M, rtol=f[:1] / 99
linalg.qr: M | M.T, mode='complete' | M.T, mode='r' | M, 'raw'
linalg.slogdet: Q | P
linalg.solve: Q, v[:3] | Q, P | P, M
linalg.svd: M | M, full_matrices=False | M, compute_uv=False | P, hermitian=True
linalg.svdvals: M | T
linalg.tensordot: M, N, axes=2 | T, M, axes=([1, 2], [0, 1])
linalg.tensorinv: Q, ind=1 | new((2, 3, 6)) + rooted((2, 3, 6)), ind=2
linalg.tensorsolve: Q, v[:3] | rooted((2, 3, 6)), M[:2, :3], axes=None
linalg.trace: Q | T, offset=1, dtype='complex128'
linalg.vecdot: M, N | T, T, axis=0
linalg.vector_norm: v | M, axis=1, ord=1, keepdims=True | T, axis=(0, 2), ord=3
"""

_FFT: Final = """
fft.fft: v | M, n=6, axis=0, norm='ortho' | v, out=new(6, 'complex128')
fft.fft2: M | T, s=(4, 2), axes=(1, 2), norm='forward'
fft.fftn: T | T, s=(4, 2), axes=(0, 2), norm='ortho'
fft.fftshift: v | M, axes=1
fft.hfft: v | M, n=5, axis=0, norm='ortho' | h
fft.ifft: v | M, n=6, axis=0, norm='ortho' | v, out=new(6, zt)
fft.ifft2: M | T, s=(4, 2), axes=(1, 2), norm='forward'
fft.ifftn: T | T, s=(4, 2), axes=(0, 2), norm='ortho'
fft.ifftshift: v | M, axes=1
fft.ihfft: v | M, n=5, axis=0, norm='ortho' | v, out=new(4, zt)
fft.irfft: v | M, n=5, axis=0, norm='ortho' | h, out=new((3, 4), 'float64')
fft.irfft2: M | T, s=(4, 2), axes=(1, 2), norm='forward'
fft.irfftn: T | T, s=(4, 2), axes=(0, 2), norm='ortho'
fft.rfft: v | M, n=5, axis=0, norm='ortho' | v, out=new(4, 'complex128')
fft.rfft2: M | T, s=(4, 2), axes=(1, 2), norm='forward'
fft.rfftn: T | T, s=(4, 2), axes=(0, 2), norm='ortho'
"""

_LIB: Final = """
lib.scimath.arccos: v | f / 9
lib.scimath.arcsin: v | f / 9
lib.scimath.arctanh: v | f / 9
lib.scimath.log: v | -f
lib.scimath.log10: v | -f
lib.scimath.log2: v | -f
lib.scimath.logn: 2, v | w, f
lib.scimath.power: v, 0.5 | w, i | -f, f
lib.scimath.sqrt: v | -f | h
lib.stride_tricks.sliding_window_view: v, 3 | M, (2, 2) | M, window_shape=2, axis=1
polynomial.polynomial.polygrid2d: v, w, M
polynomial.polynomial.polyval2d: v, w, M | v, w, T.transpose(1, 2, 0)
polynomial.polynomial.polyvalnd: [v, w], M | (v, w, s), T
"""

_BEFORE_2_4: Final = """
in1d: v, w | M, [1, 2], invert=True | v, w, assume_unique=True, kind='sort'
"""


def _parsed(*chapters: str) -> Mapping[str, tuple[str, ...]]:
    table = {}
    for line in "".join(chapters).replace(" |\n    ", " | ").split("\n"):
        name, _, calls = line.partition(": ")
        if name:
            table[name] = tuple(call.strip() for call in calls.split(" | "))
    return table


CALLS: Final[Mapping[str, tuple[str, ...]]] = _parsed(
    *(_CREATION, _MANIPULATION, _SELECTION, _STATISTICS, _MATHEMATICS, _TEXT_AND_FILES, _LINALG, _FFT, _LIB, _BEFORE_2_4)
)
"""The calls of each function, by its name below ``numpy``."""
