"""Round files for the tests of their readers."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from browser_app.rating.record.round_record import RoundRecord
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import read_rounds

ROUND: dict[str, Any] = {
    "id": "r1",
    "game": "ns2",
    "map": "ns2_summit",
    "mode": "ns2",
    "started": "2024-05-01T20:00:00Z",
    "duration": 600,
    "teams": ["marines", "aliens"],
    "winner": "aliens",
    "players": [
        {
            "id": "ann",
            "stays": [{"team": "marines", "enter": 0, "leave": 200.5}, {"team": "aliens", "enter": 210, "leave": 600}],
            "commanding": [{"team": "aliens", "enter": 300, "leave": 400}],
        },
        {"id": "bob", "stays": [{"team": "aliens", "enter": 0, "leave": 600}], "kills": 3, "quit": False},
    ],
}


def build_round(**changes: Any) -> dict[str, Any]:
    """Return `ROUND` with other values; `...` removes a key."""
    return {key: value for key, value in (ROUND | changes).items() if value is not ...}


def write_rounds(folder: Path, *rounds: dict[str, Any], name: str = "rounds.jsonl") -> str:
    """Write a round file; NaN is written as Python writes it."""
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in rounds), encoding="utf-8")
    return str(path)


def write_table(folder: Path, text: str, name: str = "rounds.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def read_record(*paths: str, form: str | None = None) -> RoundRecord:
    return read_rounds(paths, file_format=form).record


def read_error(*paths: str, form: str | None = None) -> RoundFileError:
    """Return the error of files that cannot be read."""
    with pytest.raises(RoundFileError) as caught:
        read_rounds(paths, file_format=form)
    return caught.value


def assert_same_record(one: RoundRecord, two: RoundRecord) -> None:
    """Compare all columns, their types and the names."""
    for field in fields(RoundRecord):
        actual, expected = getattr(one, field.name), getattr(two, field.name)
        if field.name in ("stays", "commander_stints"):
            assert all(
                np.array_equal(getattr(actual, each.name), getattr(expected, each.name)) for each in fields(actual)
            )
        elif isinstance(expected, np.ndarray):
            assert actual.dtype == expected.dtype, field.name
            assert np.array_equal(actual, expected, equal_nan=expected.dtype.kind == "f"), field.name
        else:
            assert actual == expected, field.name


def to_builtins(value: Any) -> Any:
    """Return structures as dictionaries and lists, to compare."""
    return msgspec.to_builtins(value)
