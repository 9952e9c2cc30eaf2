"""Encoding of dataclasses with numpy columns as bytes, without pickle."""

import io
import zipfile
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

_PLAIN_KEY = "plain"
_VERSION_KEY = "version"
_PART_SEPARATOR = "|"  # not allowed in field names
_PART_LENGTH = 4096
"""Long tuples are split into parts of this many values, because decoding a part holds the GIL."""
DECODE_ERRORS = (
    AttributeError, EOFError, KeyError, OSError, TypeError, ValueError, msgspec.MsgspecError, zipfile.BadZipFile,
)  # fmt: skip
"""Errors that the decoders raise for arbitrary bytes."""


@dataclass(frozen=True)
class EncodedDataclass:
    """Base of dataclasses whose fields are arrays, texts, numbers, or tuples of them."""

    FORMAT_VERSION: ClassVar[int] = 1
    """Version of the encoded form; other versions are not read."""

    def to_bytes(self) -> bytes:
        """Encode for the cache or another process."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        columns = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
        plain = {name: value for name, value in values.items() if name not in columns}
        for name, value in plain.items():
            if isinstance(value, tuple):
                parts = [value[first : first + _PART_LENGTH] for first in range(0, len(value), _PART_LENGTH)]
                columns |= {f"{name}{_PART_SEPARATOR}{number}": _encode_json(part) for number, part in enumerate(parts)}
                plain[name] = [len(parts)]
        buffer = io.BytesIO()
        savez: Any = np.savez  # its type hints take every keyword for a parameter of its own
        savez(buffer, **columns, **{_PLAIN_KEY: _encode_json(plain | {_VERSION_KEY: self.FORMAT_VERSION})})
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Decode the result of `to_bytes`.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as columns:
                plain: dict[str, Any] = _decode_json(columns[_PLAIN_KEY])
                version = plain.pop(_VERSION_KEY)
                if version == cls.FORMAT_VERSION:
                    for name, value in plain.items():
                        if isinstance(value, list):
                            parts = (
                                _decode_json(columns[f"{name}{_PART_SEPARATOR}{number}"]) for number in range(value[0])
                            )
                            plain[name] = tuple(chain.from_iterable(parts))
                    column_names = (
                        name for name in columns.files if name != _PLAIN_KEY and _PART_SEPARATOR not in name
                    )
                    return cls(**plain, **{name: columns[name] for name in column_names})
        except DECODE_ERRORS as error:
            raise ValueError(f"damaged: {error}") from error
        raise ValueError(f"of version {version}, not {cls.FORMAT_VERSION}")


def _encode_json(value: Any) -> NDArray[np.uint8]:
    return np.frombuffer(msgspec.json.encode(value), np.uint8)


def _decode_json(text: NDArray[np.uint8]) -> Any:
    return msgspec.json.decode(text.tobytes())
