"""Tables with other column names: preview, guessed columns, column map."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_file_helpers import read_error, write_table

from browser_app.rounds.csv_rounds import (
    MAX_PREVIEW_COLUMNS,
    MAX_PREVIEW_ROWS,
    TABLE_KEYS,
    TablePreview,
    guess_columns,
    read_table_preview,
)
from browser_app.rounds.round_errors import MissingColumnError
from browser_app.rounds.round_reader import read_rounds
from browser_app.rounds.round_source import RoundFileSource


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_preview_has_first_rows(separator: str, tmp_path: Path) -> None:
    rows = "".join(f"{number},ann\n" for number in range(MAX_PREVIEW_ROWS + 2))
    head = read_table_preview(RoundFileSource(write_table(tmp_path, f"match,who\n{rows}".replace(",", separator))))
    assert head == TablePreview(("match", "who"), tuple((str(number), "ann") for number in range(MAX_PREVIEW_ROWS)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "alone\n1\n",
        "twice,twice\n1,2\n",
        ",".join(f"c{number}" for number in range(MAX_PREVIEW_COLUMNS + 1)),
        f"a,{'b' * 200_000}\n",
    ],
)
def test_no_preview_of_other_files(text: str, tmp_path: Path) -> None:
    assert read_table_preview(RoundFileSource(write_table(tmp_path, text))) is None


def test_preview_skips_short_rows(tmp_path: Path) -> None:
    assert read_table_preview(RoundFileSource(write_table(tmp_path, "a,b\n1\n2,3\n"))) == TablePreview(
        ("a", "b"), (("2", "3"),)
    )


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            ("Match", "SteamID", "Name", "Side", "Result", "Date"),
            {"id": "Match", "player": "SteamID", "name": "Name", "team": "Side", "winner": "Result", "started": "Date"},
        ),
        (("name", "team", "winner"), {"player": "name", "team": "team", "winner": "winner"}),
        (("nick", "TEAM"), {"player": "nick", "team": "TEAM"}),
        (("start", "player_id", "team"), {"id": "start", "started": "start", "player": "player_id", "team": "team"}),
        (("weather", "", "…"), {}),
    ],
)
def test_guessed_columns(columns: tuple[str, ...], expected: dict[str, str]) -> None:
    assert guess_columns(columns) == expected


def test_keys_are_their_own_columns() -> None:
    assert guess_columns(TABLE_KEYS) == {key: key for key in TABLE_KEYS}


NAMES = st.one_of(
    st.sampled_from(
        ["id", "Round", "match id", "steam_id", "player", "NAME", "nick", "team", "date", "start", "winner"]
    ),
    st.text(max_size=8),
)


@given(st.lists(NAMES, unique=True, max_size=12))
def test_guesses_exist_and_are_unique(columns: list[str]) -> None:
    column_by_key = guess_columns(columns)
    assert column_by_key.keys() <= set(TABLE_KEYS)
    assert set(column_by_key.values()) <= set(columns)
    own = [column for key, column in column_by_key.items() if key != "id" or column != column_by_key.get("started")]
    assert len(own) == len(set(own))


def test_key_mapped_to_no_column(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id,player,team,winner\nr,ann,A,sun\nr,bob,B,rain\n")
    assert read_error(path).field == "winner"
    assert read_rounds([path], column_map={"winner": None}).record.ranks(0) is None
    with pytest.raises(MissingColumnError, match=r"rounds\.csv:1: team: there is no such column"):
        read_rounds([path], column_map={"team": None})
