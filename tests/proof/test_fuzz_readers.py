"""Some thousand cases of the fuzzer; `packaging/dev.py proof fuzz` runs a million."""

import random
from collections.abc import Mapping

import pytest
from fuzz_mutation import LARGEST, mutated
from fuzz_reader import FuzzedReader
from fuzz_readers import readers

from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

NAMES = sorted(readers())
CASES = 12
"""For each share of a reader."""

BOMBS = {
    "deep JSON": b'{"a":' * 50_000,
    "deep lists": b"[" * 100_000,
    "lists in a list": b"[" + b"[]," * 50_000 + b"[]]",
    "an endless number": b'{"servers": [' + b"9" * 50_000 + b"]}",
    "an endless fraction": b"[1." + b"9" * 50_000 + b"e99999]",
    "forty thousand keys": b"{" + b",".join(b'"k%d":0' % number for number in range(40_000)) + b"}",
    "deep TOML": b"a = " + b"[" * 20_000,
    "many tables": b"".join(b"[t%d]\n" % number for number in range(1_000)),
    "many lines": b":player:see-labels:1:1:5:1:x\n" * 12_000,
    "many blocks": b'"a"\n{\n' * 10_000,
    "many brackets": b"(" * 20_000,
    "many colours": b"^1" * 10_000,
    "backslashes": b'"' + b"\\" * 50_001,
}
"""Small to send, much to take apart."""


@pytest.fixture(scope="module")
def table() -> Mapping[str, FuzzedReader]:
    return readers()


@pytest.mark.parametrize("name", NAMES)
def test_only_declared_errors(name: str, table: Mapping[str, FuzzedReader]) -> None:
    reader, rng = table[name], random.Random(name)
    for _ in range(CASES * reader.share):
        reader.rejects(reader.new_case(rng))


@pytest.mark.parametrize("name", NAMES)
def test_bombs_are_refused_or_read(name: str, table: Mapping[str, FuzzedReader]) -> None:
    for bomb in BOMBS.values():
        table[name].rejects(bomb)


@pytest.mark.parametrize("name", NAMES)
def test_good_input_is_good(name: str, table: Mapping[str, FuzzedReader]) -> None:
    """A corpus that is refused finds nothing behind the first check."""
    assert not all(table[name].rejects(seed) for seed in table[name].seeds)


QUERIED = sorted(name for name, protocol in QUERY_PROTOCOLS.items() if not protocol.is_listed_only)
LONGEST_REPLY = 1_500
"""Bytes of the replies that are cut off; longer ones repeat what these have."""
HEAD = 64
"""The first bytes of a reply, all of which are changed."""


@pytest.mark.slow
@pytest.mark.parametrize("name", QUERIED)
def test_reply_cut_off_or_changed_anywhere(name: str, table: Mapping[str, FuzzedReader]) -> None:
    reader, rng = table[name], random.Random(name)
    whole = max((seed for seed in reader.seeds if len(seed) <= LONGEST_REPLY), key=len)
    assert not reader.rejects(whole)
    for position in (*range(min(HEAD, len(whole))), *range(HEAD, len(whole), 9)):
        changed = bytes([whole[position] ^ rng.randrange(1, 256)])
        reader.rejects(whole[:position])
        reader.rejects(whole[:position] + changed + whole[position + 1 :])


def test_cases_repeat_and_have_largest_size() -> None:
    seeds = (b"x" * 3 * LARGEST, b'{"a": [1, 2]}')
    first, again = random.Random(7), random.Random(7)
    cases = [mutated(seeds, first) for _ in range(300)]
    assert cases == [mutated(seeds, again) for _ in range(300)]
    assert max(map(len, cases)) <= LARGEST
    assert len(set(cases)) > 200
