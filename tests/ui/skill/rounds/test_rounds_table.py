"""Rows, orders and filters of the rounds table, checked against plain Python."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from rounds_helpers import ME, history_of, simulated_record

from browser_app.catalogue.filters.filter_parser import FilterError
from browser_app.player.co_players import find_co_players
from browser_app.ui.skill.rounds.rounds_filter import (
    ROUND_FILTER_FIELDS,
    ROUND_FLAG_FIELDS,
    filter_rounds,
    needs_co_players,
    parse_round_filter,
)
from browser_app.ui.skill.rounds.rounds_table_columns import ROUND_COLUMNS, RoundsTableColumn
from browser_app.ui.skill.rounds.rounds_table_rows import ROUND_SORT_KEYS, RoundsRowSource, RoundsTableRow, sort_rounds
from browser_app.ui.skill.rounds.rounds_table_view import RoundsTableModel

RECORD = simulated_record(40)
HISTORY = history_of(RECORD)
COMPANY = find_co_players(HISTORY, RECORD)
ALL = np.arange(len(HISTORY), dtype=np.int64)
ROWS = RoundsRowSource(HISTORY)(ALL.tolist())


def shown(text: str) -> set[int]:
    return set(np.flatnonzero(filter_rounds(parse_round_filter(text), HISTORY, COMPANY)).tolist())


def rows_where(so: Callable[[RoundsTableRow], bool]) -> set[int]:
    return {row.id for row in ROWS if so(row)}


def teams_of(k: int) -> tuple[str, set[str], set[str]]:
    """Return the user's team of a round, and the longest players of both teams."""
    record = RECORD
    time: dict[tuple[int, int], float] = {}
    spells = zip(record.stays.appearance.tolist(), record.stays.team.tolist(), strict=True)
    lengths = (record.stays.leave - record.stays.enter).tolist()
    for (appearance, team), length in zip(spells, lengths, strict=True):
        if record.round_of_appearance[appearance] == k:
            time[appearance, team] = time.get((appearance, team), 0.0) + length
    longest: dict[int, int] = {}
    for (appearance, team), length in sorted(time.items()):
        if appearance not in longest or length > time[appearance, longest[appearance]]:
            longest[appearance] = team
    by_name = {record.player_ids[record.player[a]]: team for a, team in longest.items()}
    names = dict(zip(record.player_ids, record.player_names, strict=True))
    mine = by_name.pop(ME)
    with_me = {str(names[each]) for each, team in by_name.items() if team == mine}
    return record.teams(k)[mine], with_me, {str(names[each]) for each in by_name} - with_me


@pytest.mark.parametrize("name", ["moth", "sable", "krill"])
def test_company_filters_use_teams(name: str) -> None:
    teams = {row: teams_of(k) for row, k in enumerate(HISTORY.round.tolist())}
    assert shown(f"with:{name}") == {row for row, (_, with_me, _) in teams.items() if name in with_me}
    assert shown(f"against:{name}") == {row for row, (_, _, others) in teams.items() if name in others}
    assert {row.id: row.team for row in ROWS} == {row: team for row, (team, _, _) in teams.items()}


def test_user_is_not_own_company() -> None:
    assert shown("with:you") == shown("against:you") == set()


def test_filter_fields_match_columns() -> None:
    assert shown("won") == rows_where(lambda row: row.outcome == 1.0)
    assert shown("-won") == rows_where(lambda row: row.outcome != 1.0)
    assert shown("derelict") == shown("map:derelict") == rows_where(lambda row: row.map == "ns2_derelict")
    assert shown("map:veil,tram aliens") == rows_where(
        lambda row: row.map in ("ns2_veil", "ns2_tram") and row.team == "Aliens"
    )
    assert shown("chance<40") == rows_where(lambda row: row.chance is not None and row.chance < 0.4)
    assert shown("change>0 there:50..100") == rows_where(
        lambda row: row.change is not None and row.change > 0 and row.share is not None and row.share >= 0.5
    )
    assert shown('server:"third hive"') == rows_where(lambda row: row.server == "Third Hive Frankfurt")
    assert shown("approximate") == rows_where(lambda row: row.approximate)
    assert shown("") == set(ALL.tolist())


def test_filter_needs_co_players() -> None:
    assert needs_co_players(parse_round_filter("won (map:veil | -with:moth)"))
    assert needs_co_players(parse_round_filter("against:moth"))
    assert not needs_co_players(parse_round_filter("with map:veil -lost"))


@given(parts=st.lists(st.sampled_from([*'abn:,<>=-|() "*?.1', "won", "with:", "chance", "map:"]), max_size=12))
def test_filter_and_negation_partition_rounds(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        node = parse_round_filter(text)
    except FilterError:
        return
    passes = filter_rounds(node, HISTORY, COMPANY)
    assert passes.shape == (len(HISTORY),)
    if str(node):
        opposite = filter_rounds(parse_round_filter(f"-({node})"), HISTORY, COMPANY)
        assert (passes != opposite).all()


@pytest.mark.parametrize(
    ("text", "start", "reason"), [("won lots:5", 4, "lots"), ("map:", 3, "needs a value"), ("chance<x", 7, "a number")]
)
def test_filter_errors_have_position(text: str, start: int, reason: str) -> None:
    with pytest.raises(FilterError, match=reason) as caught:
        parse_round_filter(text)
    assert caught.value.start == start


def test_outcomes_partition_rounds() -> None:
    parts = [shown(name) for name in ("won", "lost", "drawn")]
    assert sum(map(len, parts)) == len(set.union(*parts))
    assert set(ROUND_FLAG_FIELDS) <= set(ROUND_FILTER_FIELDS.flags)


@pytest.mark.parametrize("key", ROUND_SORT_KEYS)
@settings(max_examples=25)
@given(data=st.data())
def test_sort_orders_put_unknown_last(key: str, data: st.DataObject) -> None:
    some = np.array(data.draw(st.lists(st.sampled_from(ALL.tolist()), unique=True)), np.int64)
    keys = ROUND_SORT_KEYS[key](HISTORY)
    for sign, name in ((1.0, key), (-1.0, f"-{key}")):
        ordered = sort_rounds(HISTORY, name, some)
        assert sorted(ordered.tolist()) == sorted(some.tolist())
        expected = sorted(
            some.tolist(),
            key=lambda k: (math.isnan(keys[k]), 0.0 if math.isnan(keys[k]) else sign * keys[k], -HISTORY.started[k]),
        )
        assert ordered.tolist() == expected


def test_reversed_order_puts_unknown_last() -> None:
    holes = HISTORY.probability.copy()
    holes[::3] = np.nan
    changed = type(HISTORY)(**{**vars(HISTORY), "probability": holes})
    for key in ("chance", "-chance", "change", "-change"):
        assert np.isnan(holes[sort_rounds(changed, key, ALL)[-len(holes[::3]) :]]).all()


def test_model_passes_qt_model_tester(qtbot: QtBot) -> None:
    model = RoundsTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_source(RoundsRowSource(HISTORY), ALL)
    for text, key in (("won", "map"), ("", "-change"), ("with:moth", "when"), ("map:nowhere", "when"), ("", "when")):
        passes = np.flatnonzero(filter_rounds(parse_round_filter(text), HISTORY, COMPANY)).astype(np.int64)
        model.set_order(sort_rounds(HISTORY, key, passes))
        assert model.rowCount() == len(passes)
    model.set_source(None, ALL)
    assert model.rowCount() == 0
    del tester


@pytest.mark.parametrize("column", ROUND_COLUMNS, ids=lambda column: column.name)
def test_unknown_cells_are_not_zero(column: RoundsTableColumn) -> None:
    bare = ROWS[0]._replace(share=None, chance=None, outcome=None, change=None, after=None, server="", map="", mode="")
    if column.key not in ("when", "team", "size"):
        assert column.text(bare) in ("", "–")
        assert "unknown" in column.accessible_text(bare)


def test_estimates_and_unrated_are_marked() -> None:
    by_key = {column.key: column for column in reversed(ROUND_COLUMNS)}
    there, result = by_key["there"], by_key["result"]
    rough = ROWS[0]._replace(share=0.71, approximate=True)
    assert there.text(rough) == "~71\u00a0%"
    assert "about 71\u00a0%" in there.accessible_text(rough)
    unrated = ROWS[0]._replace(outcome=1.0, chance=None, change=None, unrated_reason="one_side_empty")
    assert result.text(unrated) == "won"
    assert result.accessible_text(unrated) == "Result won, not rated: one side empty"
    assert result.text(unrated._replace(outcome=None, unrated_reason="no_outcome")) == "no result yet"


def test_bars_share_one_scale() -> None:
    bars = [(row.change, row.bar_value) for row in ROWS if row.change is not None]
    assert all(-1.0 <= bar <= 1.0 for _, bar in bars)
    inside = [(change, bar) for change, bar in bars if 0.0 < abs(bar) < 1.0]
    ratios = [change / bar for change, bar in inside]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))
