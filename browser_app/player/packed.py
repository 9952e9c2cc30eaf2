"""Dataclasses of numpy columns and plain values as bytes, without pickle: what is read again is data, never code."""

import io
import zipfile
from dataclasses import fields
from typing import Any, TypeVar

import msgspec
import numpy as np

_T = TypeVar("_T")
_PLAIN = "plain"
_VERSION = "version"
_DAMAGED = (
    AttributeError, EOFError, KeyError, OSError, TypeError, ValueError, msgspec.MsgspecError, zipfile.BadZipFile,
)  # fmt: skip
"""What readers of bytes that are not what they should be may raise."""


def packed(held: Any, version: int) -> bytes:
    """A dataclass whose fields are arrays, or texts, numbers and tuples of these."""
    values = {field.name: getattr(held, field.name) for field in fields(held)}
    columns = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    plain = {name: value for name, value in values.items() if name not in columns} | {_VERSION: version}
    text = np.frombuffer(msgspec.json.encode(plain), np.uint8)
    buffer = io.BytesIO()
    savez: Any = np.savez  # its types take every name for one of its own
    savez(buffer, **columns, **{_PLAIN: text})
    return buffer.getvalue()


def unpacked(kind: type[_T], content: bytes, version: int) -> _T:
    """What `packed` made of a `kind`.

    Raises:
        ValueError: it is of another version, or damaged.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as columns:
            values: dict[str, Any] = {name: columns[name] for name in columns.files}
        plain: dict[str, Any] = msgspec.json.decode(values.pop(_PLAIN).tobytes())
        found = plain.pop(_VERSION)
        if found == version:
            values |= {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
            return kind(**values)
    except _DAMAGED as error:
        raise ValueError(f"damaged: {error}") from error
    raise ValueError(f"of version {found}, not {version}")
