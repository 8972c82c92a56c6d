"""Ops that rearrange, join, split and repeat elements without computing with them."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..host.searching import repeat_in_numpy
from ..op import COMPUTE, MOVE, VIEW, Op

# Another shape or order of axes
reshape = Op("reshape", np.reshape, VIEW)
ravel = Op("ravel", np.ravel, VIEW)
flatten = Op("flatten", np.ndarray.flatten, MOVE)
transpose = Op("transpose", np.transpose, VIEW)
swapaxes = Op("swapaxes", np.swapaxes, VIEW)
moveaxis = Op("moveaxis", np.moveaxis, VIEW)
rollaxis = Op("rollaxis", np.rollaxis, VIEW)
squeeze = Op("squeeze", np.squeeze, VIEW)
expand_dims = Op("expand_dims", np.expand_dims, VIEW)
broadcast_to = Op("broadcast_to", np.broadcast_to, VIEW)
broadcast_arrays = Op("broadcast_arrays", np.broadcast_arrays, VIEW)
atleast_1d = Op("atleast_1d", np.atleast_1d, VIEW)
atleast_2d = Op("atleast_2d", np.atleast_2d, VIEW)
atleast_3d = Op("atleast_3d", np.atleast_3d, VIEW)
resize = Op("resize", np.resize, MOVE)

# Another order of elements
flip = Op("flip", np.flip, VIEW)
fliplr = Op("fliplr", np.fliplr, VIEW)
flipud = Op("flipud", np.flipud, VIEW)
rot90 = Op("rot90", np.rot90, VIEW)
roll = Op("roll", np.roll, MOVE)

# Joining
concatenate = Op("concatenate", np.concatenate, MOVE)
stack = Op("stack", np.stack, MOVE)
vstack = Op("vstack", np.vstack, MOVE)
hstack = Op("hstack", np.hstack, MOVE)
dstack = Op("dstack", np.dstack, MOVE)
column_stack = Op("column_stack", np.column_stack, MOVE)
block = Op("block", np.block, COMPUTE)  # which promotes what is nested deeper
append = Op("append", np.append, COMPUTE)
insert = Op("insert", np.insert, MOVE)
delete = Op("delete", np.delete, MOVE)

# Splitting
split = Op("split", np.split, VIEW)
array_split = Op("array_split", np.array_split, VIEW)
hsplit = Op("hsplit", np.hsplit, VIEW)
vsplit = Op("vsplit", np.vsplit, VIEW)
dsplit = Op("dsplit", np.dsplit, VIEW)
unstack = Op("unstack", np.unstack, VIEW)

# Repeating and padding
repeat = Op("repeat", repeat_in_numpy, MOVE)
standard_repeat = Op("standard.repeat", standard.repeat, MOVE)
tile = Op("tile", np.tile, MOVE)
pad = Op("pad", np.pad, COMPUTE)  # with means and ramps too
trim_zeros = Op("trim_zeros", np.trim_zeros, VIEW)

# Filling in place
copyto = Op("copyto", np.copyto, VIEW, writes=(0,))
