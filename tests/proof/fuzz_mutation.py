"""Bytes that are almost right, which readers are most likely to misread."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from fuzz_grammar import Grammar, changed_fields

LARGEST = 65_536
"""Bytes of one case; what is larger is for tests of caps."""

_TOKENS: Final[tuple[bytes, ...]] = (
    b"\xff\xff\xff\xff", b"\xfe\xff\xff\xff", b"\0", b"\0\0\0\0", b"\n", b"\r\n", b"\\", b'"', b"'", b"//", b"/*",
    b"0x" + b"f" * 5000,
    b"{", b"}", b"[", b"]", b":", b",", b";", b"=", b"|", b"#", b"%", b"%00", b"&", b"<", b">", b"(", b")", b"*", b"..",
    b"-1", b"0", b"65535", b"65536", b"2147483648", b"-9223372036854775809", b"18446744073709551616", b"9" * 400,
    b"1e308", b"1e999", b"-1e999", b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"0x10", b"1_0", b"1.", b".1",
    b"null", b"true", b"false", b'""', b"[]", b"{}", b"[[[[[[[[", b'{"a":' * 8, b"\\u0000", b"\\ud800", b"\xed\xa0\x80",
    "²".encode(), "١٢".encode(), "\u202e".encode(), b"\xef\xbb\xbf", b"\x1f\x8b", b"BZh9", b"\xc0\x80", b"^1", b"^xfff",
    b"::1", b"[::1]:1", b"127.0.0.1:0", b"fe80::1%lo", b"1.2.3.4:27015", b"steam://connect/", b"readyroom://join?",
)  # fmt: skip

_Change = Callable[[bytearray, random.Random, Sequence[bytes]], None]


_VALUES: Final[tuple[Any, ...]] = (
    None, True, False, "", "x", "0", "-1", "1e999", "NaN", "\0", "\ud800", "\u202e", "x" * 5000, [], {}, [[]], [None],
    {"": None}, 0, -1, 1, 2, 0.5, -0.0, 1e-320, 1e308, float("nan"), float("inf"), -float("inf"), 65536, 2**31, 2**63,
    -(2**63) - 1, 2**64, 10**30, 10**400,
)  # fmt: skip


def new_case(seeds: Sequence[bytes], grammar: Grammar, rng: random.Random) -> bytes:
    """Return a case of the grammar or a changed sample.

    The case is unchanged, has changed fields or changed bytes.
    """
    kind = rng.random()
    if kind < 0.25:
        return mutated(seeds, rng)
    fields = grammar(rng)
    if kind < 0.5:
        return mutated((b"".join(fields),), rng)
    return b"".join(fields if kind < 0.75 else changed_fields(fields, rng))[:LARGEST]


def mutated(seeds: Sequence[bytes], rng: random.Random) -> bytes:
    """Return one of `seeds` with one to eight changes, at most `LARGEST` bytes.

    Every other result of a JSON seed is still JSON.
    """
    seed = rng.choice(seeds)[:LARGEST]
    if seed[:1] in (b"{", b"[") and rng.random() < 0.5:
        return _other_json(seed, rng)
    data = bytearray(seed)
    for _ in range(1 << rng.randrange(4)):
        rng.choice(_CHANGES)(data, rng, seeds)
    return bytes(data[:LARGEST])


def _other_json(seed: bytes, rng: random.Random) -> bytes:
    """The same document with other values in one to four places."""
    try:
        document = json.loads(seed.partition(b"\n")[0] if b"\n{" in seed else seed)
    except (ValueError, RecursionError):
        return seed
    for _ in range(rng.randrange(1, 5)):
        document = _with_other_value(document, rng)
    return json.dumps(document).encode()[:LARGEST]


def _with_other_value(value: Any, rng: random.Random) -> Any:
    """Walks down at random and changes what it comes to."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return copy.deepcopy(rng.choice(_VALUES))
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    what = rng.random()
    if what < 0.1:
        del value[key]
    elif what < 0.15 and isinstance(value, list):
        value.append(copy.deepcopy(value[key]))
    elif what < 0.2 and isinstance(value, dict):
        value[rng.choice(("", "-1", "1e999", "\ud800", "x" * 300))] = value.pop(key)
    else:
        value[key] = _with_other_value(value[key], rng)
    return value


def _span(data: bytearray, rng: random.Random, most: int = 64) -> slice:
    start = rng.randrange(len(data) + 1)
    return slice(start, start + rng.randrange(most))


def _flip(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _cut(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _remove(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    del data[_span(data, rng)]


def _token(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    at = rng.randrange(len(data) + 1)
    data[at : at + rng.choice((0, 0, 1, 4))] = rng.choice(_TOKENS)


def _repeat(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    part = _span(data, rng)
    data[part] = bytes(data[part]) * rng.choice((2, 2, 3, 50))


def _number(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    """Another number in place of one that is written in digits."""
    digits = [at for at, byte in enumerate(data[:4096]) if 48 <= byte <= 57]
    if digits:
        at = rng.choice(digits)
        data[at : at + 1] = rng.choice((b"-1", b"", b"99999999999999999999", b"1e400", b"0.5", b'"1"', b"null", b"[]"))


def _splice(data: bytearray, rng: random.Random, seeds: Sequence[bytes]) -> None:
    other = rng.choice(seeds)[:LARGEST]
    data[rng.randrange(len(data) + 1) :] = other[rng.randrange(len(other) + 1) :]


def _noise(data: bytearray, rng: random.Random, _seeds: Sequence[bytes]) -> None:
    data[_span(data, rng, 8)] = rng.randbytes(rng.randrange(16))


_CHANGES: Final[tuple[_Change, ...]] = (_flip, _set, _cut, _remove, _token, _token, _repeat, _number, _splice, _noise)
