"""Grammars: input for a reader as a list of fields.

Any field may be absent, repeated, moved, empty or cut off.

Changes of single bytes hardly ever build structure that no sample has. Of 300,000 changed lists of master servers, none
reached the optional numbering of packets, which takes four more bytes in the right places; the line behind it raised an
`AttributeError` for every list without the optional label. Coverage did not guide the search there either, as a regular
expression is one line whatever part of it matches. A grammar starts with the structure.
"""

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

Fields = list[bytes]
Grammar = Callable[[random.Random], Fields]
"""Returns one input, field by field."""

Part = Grammar | bytes
"""A part of a grammar; bytes stand for themselves."""


def seq(*parts: Part) -> Grammar:
    """All parts, one after the other."""
    return lambda rng: [field for part in parts for field in _fields(part, rng)]


def either(*parts: Part) -> Grammar:
    """One of the parts."""
    return lambda rng: _fields(rng.choice(parts), rng)


def mostly(usual: Part, *odd: Part) -> Grammar:
    """The usual part in four of five cases."""
    return lambda rng: _fields(usual if rng.random() < 0.8 else rng.choice(odd), rng)


def maybe(*parts: Part) -> Grammar:
    """All parts, or nothing."""
    whole = seq(*parts)
    return lambda rng: whole(rng) if rng.random() < 0.5 else []


def many(part: Part, most: int = 4) -> Grammar:
    """The part up to `most` times, or not at all."""
    return lambda rng: [field for _ in range(rng.randrange(most + 1)) for field in _fields(part, rng)]


def sized(part: Part, length: Callable[[int], bytes]) -> Grammar:
    """The part after its length, which `length` encodes and which is sometimes wrong."""

    def build(rng: random.Random) -> Fields:
        fields = _fields(part, rng)
        size = len(b"".join(fields))
        return [length(rng.choice((*[size] * 20, 0, size + 1, max(0, size - 1)))), *fields]

    return build


def number(size: int, byteorder: str = "little") -> Grammar:
    """A binary number of `size` bytes, often at the end of its range."""

    def build(rng: random.Random) -> Fields:
        value = rng.choice((0, 1, 2, 5, (1 << (8 * size)) - 1, 1 << (8 * size - 1), rng.randrange(1 << (8 * size))))
        return [value.to_bytes(size, "little" if byteorder == "little" else "big")]

    return build


def digits(rng: random.Random) -> Fields:
    """A number in digits, or what may be mistaken for one."""
    return [rng.choice((b"0", b"1", b"2", b"16", b"-1", b"65535", b"65536", b"9999999999", b"", b"x", b"1_0", b"\xb2"))]


def text(rng: random.Random) -> Fields:
    """A text without a separator."""
    return [
        rng.choice((b"", b"A server", b"\xff\xfe", b"\xd0\xa1\xd0\xb5", b"\xc0\xe1\xf2", b"x" * 300, b"^1\xa7c\x01"))
    ]


def split_samples(samples: Sequence[bytes]) -> Grammar:
    """One of the samples, split at whatever separates fields in any format."""
    return lambda rng: _split(rng.choice(samples))


_SEPARATORS: Final = re.compile(rb"""([\0-\x20\\/:|;,="'{}\[\]()?&<>@#%^!]+)""")
_MOST_FIELDS = 400


def _split(sample: bytes) -> Fields:
    *fields, rest = _SEPARATORS.split(sample, _MOST_FIELDS)
    return [field for field in (*fields, rest) if field]


def _fields(part: Part, rng: random.Random) -> Fields:
    return [part] if isinstance(part, bytes) else part(rng)


# Disturbances


def changed_fields(fields: Fields, rng: random.Random) -> Fields:
    """The fields with one to three of them changed."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        if not fields:
            return fields
        rng.choice(_CHANGES)(fields, rng.randrange(len(fields)), rng)
    return fields


def _drop(fields: Fields, at: int, _rng: random.Random) -> None:
    del fields[at]


def _empty(fields: Fields, at: int, _rng: random.Random) -> None:
    fields[at] = b""


def _cut_after(fields: Fields, at: int, _rng: random.Random) -> None:
    del fields[at + 1 :]


def _cut_within(fields: Fields, at: int, rng: random.Random) -> None:
    del fields[at + 1 :]
    fields[at] = fields[at][: rng.randrange(len(fields[at]) + 1)]


def _repeat(fields: Fields, at: int, rng: random.Random) -> None:
    fields[at:at] = [fields[at]] * rng.choice((1, 1, 2, 40))


def _move(fields: Fields, at: int, rng: random.Random) -> None:
    fields.insert(rng.randrange(len(fields)), fields.pop(at))


def _copy_over(fields: Fields, at: int, rng: random.Random) -> None:
    fields[at] = rng.choice(fields)


_CHANGES: Final[tuple[Callable[[Fields, int, random.Random], None], ...]] = (
    _drop, _empty, _cut_after, _cut_within, _repeat, _move, _copy_over,
)  # fmt: skip
