"""Ops that rearrange, join, split and repeat elements without computing with them."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..host.searching import repeat_in_numpy
from ..op import COMPUTE, MOVE, VIEW, Op
from ..rules import Dynamic, joining, views, writing
from ..rules.views import View

# Another shape or order of axes
reshape = Op("reshape", np.reshape, VIEW, rule=views.reshape)
ravel = Op("ravel", np.ravel, VIEW, rule=views.flatten)
flatten = Op("flatten", np.ndarray.flatten, MOVE, rule=views.flatten)
transpose = Op("transpose", np.transpose, VIEW, rule=View(np.transpose))
swapaxes = Op("swapaxes", np.swapaxes, VIEW, rule=View(np.swapaxes))
moveaxis = Op("moveaxis", np.moveaxis, VIEW, rule=View(np.moveaxis))
rollaxis = Op("rollaxis", np.rollaxis, VIEW, rule=View(np.rollaxis))
squeeze = Op("squeeze", np.squeeze, VIEW, rule=View(np.squeeze))
expand_dims = Op("expand_dims", np.expand_dims, VIEW, rule=View(np.expand_dims))
broadcast_to = Op("broadcast_to", np.broadcast_to, VIEW, rule=View(np.broadcast_to))
broadcast_arrays = Op("broadcast_arrays", np.broadcast_arrays, VIEW, rule=View(np.broadcast_arrays, None))
atleast_1d = Op("atleast_1d", np.atleast_1d, VIEW, rule=View(np.atleast_1d, None))
atleast_2d = Op("atleast_2d", np.atleast_2d, VIEW, rule=View(np.atleast_2d, None))
atleast_3d = Op("atleast_3d", np.atleast_3d, VIEW, rule=View(np.atleast_3d, None))
resize = Op("resize", np.resize, MOVE, rule=views.resize)

# Another order of elements
flip = Op("flip", np.flip, VIEW, rule=View(np.flip))
fliplr = Op("fliplr", np.fliplr, VIEW, rule=View(np.fliplr))
flipud = Op("flipud", np.flipud, VIEW, rule=View(np.flipud))
rot90 = Op("rot90", np.rot90, VIEW, rule=View(np.rot90))
roll = Op("roll", np.roll, MOVE, rule=views.roll)

# Joining
concatenate = Op("concatenate", np.concatenate, MOVE, rule=joining.concatenate)
stack = Op("stack", np.stack, MOVE, rule=joining.stack)
vstack = Op("vstack", np.vstack, MOVE, rule=joining.vstack)
hstack = Op("hstack", np.hstack, MOVE, rule=joining.hstack)
dstack = Op("dstack", np.dstack, MOVE, rule=joining.dstack)
column_stack = Op("column_stack", np.column_stack, MOVE, rule=joining.column_stack)
block = Op("block", np.block, COMPUTE, rule=joining.block)  # which promotes what is nested deeper
append = Op("append", np.append, COMPUTE, rule=joining.append)
insert = Op("insert", np.insert, MOVE, rule=joining.insert)
delete = Op("delete", np.delete, MOVE, rule=joining.delete)

# Splitting
split = Op("split", np.split, VIEW, rule=View(np.split))
array_split = Op("array_split", np.array_split, VIEW, rule=View(np.array_split))
hsplit = Op("hsplit", np.hsplit, VIEW, rule=View(np.hsplit))
vsplit = Op("vsplit", np.vsplit, VIEW, rule=View(np.vsplit))
dsplit = Op("dsplit", np.dsplit, VIEW, rule=View(np.dsplit))
unstack = Op("unstack", np.unstack, VIEW, rule=View(np.unstack))

# Repeating and padding
repeat = Op("repeat", repeat_in_numpy, MOVE, rule=joining.repeat)
standard_repeat = Op("standard.repeat", standard.repeat, MOVE, rule=joining.repeat)
tile = Op("tile", np.tile, MOVE, rule=joining.tile)
pad = Op("pad", np.pad, COMPUTE, rule=joining.pad)  # with means and ramps too
trim_zeros = Op("trim_zeros", np.trim_zeros, VIEW, rule=Dynamic("its length is up to the zeros at the ends"))

# Filling in place
copyto = Op("copyto", np.copyto, VIEW, rule=writing.copyto, writes=(0,))
