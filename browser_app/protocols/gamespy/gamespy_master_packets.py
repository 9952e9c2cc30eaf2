r"""GameSpy's first master protocol, as 333networks and OldUnreal speak it.

The master sends a challenge, `\basic\\secure\ABCDEF`; the client answers with a response that depends on a key of the
game, and names the game whose servers it wants. The list follows: `\ip\192.0.2.7:7778` for each server's query
address, then `\final\`.
"""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError, parse_listed_address

GAME_KEYS: Final[Mapping[str, bytes]] = MappingProxyType(
    {
        "bfield1942": b"HpWx9z",
        "descent3": b"feWh2G",
        "mohaa": b"M5Fdwc",
        "postal2": b"yw3R9c",
        "serioussam": b"AKbna4",
        "serioussamse": b"AKbna4",
        "unreal": b"DAncRK",
        "ut": b"Z5Nfb0",
    }
)
"""Name of a game → its key, as published in the sources of many clients; it is no secret."""
_MAX_GREETING_BYTES = 512
_CHALLENGE = re.compile(rb"\\secure\\([!-[\]-~]{6,64})")
_MAX_ENTRY_BYTES = 512
_FINAL = b"final"


def find_challenge(greeting: bytes) -> bytes | None:
    r"""Return the challenge in what a master has sent so far; None if more must follow."""
    match = _CHALLENGE.search(greeting)
    if match is None and (len(greeting) > _MAX_GREETING_BYTES or not greeting.startswith(b"\\"[: len(greeting)])):
        raise DescribedListError("not a list")
    return None if match is None else match[1]


def answer_challenge(challenge: bytes, key: bytes) -> bytes:
    """Return the response to a challenge.

    This is the challenge, encrypted by a variant of RC4 that mixes in the plain text, then encoded in base 64.
    """
    state = list(range(256))
    at = 0
    for place in range(256):
        at = (at + state[place] + key[place % len(key)]) & 0xFF
        state[at], state[place] = state[place], state[at]
    first = second = 0
    encrypted = bytearray()
    for byte in challenge:
        first = (first + byte + 1) & 0xFF
        low = state[first]
        second = (second + low) & 0xFF
        high = state[second]
        state[second], state[first] = low, high
        encrypted.append(byte ^ state[(low + high) & 0xFF])
    encrypted += bytes(-len(encrypted) % 3)
    return base64.b64encode(encrypted)


def build_list_request(challenge: bytes, game: str) -> bytes:
    """Answer a challenge and request the servers of a game in `GAME_KEYS`."""
    name, response = game.encode("ascii"), answer_challenge(challenge, GAME_KEYS[game])
    return (
        b"\\gamename\\%b\\location\\0\\validate\\%b\\final\\\\queryid\\1.1" % (name, response)
        + b"\\list\\\\gamename\\%b\\final\\" % name
    )


def parse_gamespy_list(chunks: Iterable[bytes]) -> Iterator[Address | None]:
    """Parse the list while it arrives; nothing after its end is read.

    Yields:
        Each server's query address; None for an entry without one.
    """
    rest, key, has_entry = b"", None, False
    for chunk in chunks:
        *words, rest = (rest + chunk).split(b"\\")
        if len(rest) > _MAX_ENTRY_BYTES:
            raise DescribedListError("not a list")
        for word in words:
            if key is None:
                key = word or None
                if key == _FINAL:
                    return
            else:
                has_entry = True
                yield _parse_entry(key, word)
                key = None
    if rest == _FINAL and key is None:
        return
    if not has_entry:
        raise DescribedListError("not a list")
    if key is not None:
        yield _parse_entry(key, rest)


def _parse_entry(key: bytes, value: bytes) -> Address | None:
    return parse_listed_address(value.decode("ascii", "replace")) if key == b"ip" else None
