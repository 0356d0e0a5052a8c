# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The library, as its headers declare it; errors as exceptions; arrays."""
import os

import cffi
import numpy

ffi = cffi.FFI()
_here = os.path.dirname(os.path.abspath(__file__))
with open(os.environ.get("WEFT_CDEF", os.path.join(_here, "weft.cdef")),
          encoding="utf-8") as _declared:
    ffi.cdef(_declared.read())
lib = ffi.dlopen(os.environ.get("WEFT_LIBRARY", "libweft.so.0"))


class Error(Exception):
    """What the library said, as 'file:line: text' where a file is wrong."""


class Diag:
    """Takes messages; the last error becomes the exception."""

    def __init__(self):
        self.error, self.warnings = None, []
        self._emit = ffi.callback(
            "void(void *, const struct weft_message *)", self._hear)
        self.c = ffi.new("struct weft_diag *", {"emit": self._emit})

    def _hear(self, _context, message):
        text = ffi.string(message.text).decode(errors="replace")
        if message.file != ffi.NULL:
            where = ffi.string(message.file).decode(errors="replace")
            line = f":{message.line}" if message.line else ""
            text = f"{where}{line}: {text}"
        if message.severity == lib.WEFT_ERROR:
            self.error = text
        else:
            self.warnings.append(text)

    def check(self, err):
        """Raises what was said, if err, 0 or -errno, is one."""
        if err:
            raise Error(self.error or os.strerror(-err))


_NUMBERS = {"uint8_t": "u1", "uint16_t": "u2", "uint32_t": "u4",
            "uint64_t": "u8", "int64_t": "i8", "int": "i4", "_Bool": "?",
            "double": "f8", "unsigned int": "u4"}


def dtype(ctype):
    """The dtype of a number or of a structure of the headers; pointers are
    addresses."""
    if ctype.kind == "pointer":
        return numpy.dtype(numpy.uintp)
    if ctype.kind == "enum":
        return numpy.dtype("u4")
    if ctype.kind != "struct":
        return numpy.dtype(_NUMBERS[ctype.cname])
    names, formats, offsets = [], [], []
    for name, field in ctype.fields:
        names.append(name)
        formats.append(dtype(field.type))
        offsets.append(field.offset)
    return numpy.dtype({"names": names, "formats": formats,
                        "offsets": offsets,
                        "itemsize": ffi.sizeof(ctype)})


class View(numpy.ndarray):
    """An array that keeps the owner of its memory alive."""

    owner = None

    def __array_finalize__(self, other):
        self.owner = getattr(other, "owner", None)


def view(pointer, n, owner, writable=False):
    """n things behind a pointer, which the owner holds, as an array."""
    item = ffi.typeof(pointer).item
    if not n or pointer == ffi.NULL:
        return numpy.empty(0, dtype(item))
    memory = ffi.buffer(pointer, n * ffi.sizeof(item))
    array = numpy.frombuffer(memory, dtype(item)).view(View)
    array.owner = owner
    array.flags.writeable = writable
    return array


def text(pointer):
    """A string of the library's; bytes that are no UTF-8 are replaced."""
    return ffi.string(pointer).decode(errors="replace")
