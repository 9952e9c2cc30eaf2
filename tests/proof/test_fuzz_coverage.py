"""Every line that reads a stranger's bytes is reached by some case of the fuzzer.

A module with a reader that `fuzz_readers` does not know, or with a line for which no grammar can build the input, fails
here.
"""

import random
from collections.abc import Mapping
from types import ModuleType

import line_coverage
import pytest
from fuzz_reader import FuzzedReader
from fuzz_readers import readers
from line_coverage import LineCoverage

from browser_app.protocols.quake import dpmaster

ROUNDS = 20
CASES = 25
"""Of each reader in each round."""
IDLE_ROUNDS = 3
"""After so many rounds without a call of a module with a line left, a reader is done: one may be mere chance."""


@pytest.fixture(scope="module")
def table() -> Mapping[str, FuzzedReader]:
    """The readers of small input: those of whole files would take most of the time."""
    return {name: reader for name, reader in readers().items() if reader.share > 1 and "rounds" not in name}


def test_cases_reach_every_line(table: Mapping[str, FuzzedReader]) -> None:
    coverage = LineCoverage()
    rngs = {name: random.Random(name) for name in table}
    rounds_left = dict.fromkeys(table, IDLE_ROUNDS)
    for _ in range(ROUNDS):
        for name in sorted(name for name, left in rounds_left.items() if left):
            coverage.has_entered_unreached = False
            for _ in range(CASES):
                case = table[name].new_case(rngs[name])  # may call our own functions, which must not count
                with coverage:
                    table[name].rejects(case)
            rounds_left[name] = IDLE_ROUNDS if coverage.has_entered_unreached else rounds_left[name] - 1
    assert coverage.unreached == []


def test_unknown_reader_is_found(monkeypatch: pytest.MonkeyPatch, table: Mapping[str, FuzzedReader]) -> None:
    def modules(_package: ModuleType) -> list[ModuleType]:
        return [dpmaster]

    monkeypatch.setattr(line_coverage, "_modules", modules)
    coverage, rng = LineCoverage(), random.Random(0)
    for name in set(table) - {"master's list", "master's requests"}:
        case = table[name].new_case(rng)
        with coverage:
            table[name].rejects(case)
    assert any("parse_records" in line for line in coverage.unreached)
