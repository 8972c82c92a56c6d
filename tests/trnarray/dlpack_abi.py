"""DLPack spoken through ctypes, from dlpack.h alone: a consumer and a producer that owe nothing to NumPy or trnarray."""

import ctypes
from math import prod
from typing import NamedTuple

VERSIONED, UNVERSIONED = b"dltensor_versioned", b"dltensor"
USED = {VERSIONED: b"used_dltensor_versioned", UNVERSIONED: b"used_dltensor"}  # a capsule does not copy its name
READ_ONLY, IS_COPIED = 1, 2

Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

api = ctypes.pythonapi
get_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", api))
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", api))


class Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    _fields_ = (("tensor", Tensor), ("manager_ctx", ctypes.c_void_p), ("deleter", Deleter))


class ManagedVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


class Contents(NamedTuple):
    """What a consumer reads in a capsule."""

    version: tuple[int, int] | None
    flags: int
    dtype: tuple[int, int, int]
    shape: tuple[int, ...]
    elements: list[bytes]
    address: int


class Consumer:
    """Takes a capsule as a library would: renames it, reads the memory, and calls the deleter when it is done."""

    def __init__(self, capsule):
        self.name = get_name(capsule)
        assert self.name in (VERSIONED, UNVERSIONED)
        kind = ManagedVersioned if self.name == VERSIONED else Managed
        self.managed = kind.from_address(get_pointer(capsule, self.name))
        assert set_name(capsule, USED[self.name]) == 0
        self.capsule = capsule

    def read(self):
        managed, tensor = self.managed, self.managed.tensor
        assert (tensor.device_type, tensor.device_id) == (1, 0)
        shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        if tensor.strides:
            strides = [tensor.strides[i] for i in range(tensor.ndim)]
        else:  # row-major
            strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
        itemsize = tensor.bits // 8
        start = (tensor.data or 0) + tensor.byte_offset

        def walk(axis, address):
            if axis == len(shape):
                return [ctypes.string_at(address, itemsize)]
            return [item for i in range(shape[axis]) for item in walk(axis + 1, address + i * strides[axis] * itemsize)]

        versioned = self.name == VERSIONED
        version = (managed.major, managed.minor) if versioned else None
        dtype = (tensor.code, tensor.bits, tensor.lanes)
        return Contents(version, managed.flags if versioned else 0, dtype, shape, walk(0, start), start)

    def release(self):
        address = ctypes.addressof(self.managed)
        self.managed.deleter(address)


class Producer:
    """Exports bytes under any dtype, device, flags and version; counts the calls of its deleter."""

    def __init__(self, data, shape, code, bits, *, lanes=1, device=(1, 0), version=(1, 0), flags=0, strides=None):
        self.buffer = ctypes.create_string_buffer(data, len(data))
        self.device = device
        self.version = version
        self.deleted = []
        self.requests = []
        shape_array = (ctypes.c_int64 * len(shape))(*shape)
        stride_array = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        tensor = Tensor(ctypes.addressof(self.buffer), *device, len(shape), code, bits, lanes, shape_array, stride_array, 0)
        self.keep = (shape_array, stride_array)
        deleter = Deleter(self._delete)
        if version is None:
            self.managed = Managed(tensor, None, deleter)
        else:
            self.managed = ManagedVersioned(*version, None, deleter, flags, tensor)

    def _delete(self, address):
        self.deleted.append((address == ctypes.addressof(self.managed), self.managed.tensor.code))

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.requests.append(keywords)
        if self.version is None and keywords:
            raise TypeError("an old producer")
        return new_capsule(ctypes.addressof(self.managed), UNVERSIONED if self.version is None else VERSIONED, None)
