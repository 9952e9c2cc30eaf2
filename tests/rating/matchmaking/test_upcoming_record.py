"""A record with upcoming rounds appended equals one built from all rounds at once."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.upcoming_rounds import append_upcoming_rounds
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord, Stints


def a_round(number: int, rng: np.random.Generator, started: float | None) -> Round:
    teams = [f"team {i}" for i in rng.permutation(4)[: rng.integers(2, 5)]]
    players = []
    for i in rng.permutation(9)[: rng.integers(0, 6)]:
        enter, leave = sorted(rng.uniform(0.0, 600.0, 2).tolist())
        stays = [Stint(str(rng.choice(teams)), enter, leave)] if rng.random() < 0.8 else []
        known = float(rng.integers(20)) if rng.random() < 0.5 else None
        squad = str(rng.integers(2)) if rng.random() < 0.5 else None
        command = [Stint(stay.team, enter, enter + 0.5) for stay in stays if stay.leave > enter + 1.0]
        players.append(
            Player(f"p{i}", stays, command, f"name {number}", known, known, known, squad, known, quit=known == 3)
        )
    return Round(
        f"round {number}",
        teams,
        players,
        started,
        600.0,
        [int(rank) for rank in rng.integers(1, 3, len(teams))],
        str(rng.choice(["", "a game", "another"])),
        str(rng.choice(["", "a map", "another"])),
        str(rng.choice(["", "a mode", "another"])),
        [str(rng.choice(["a race", "another"])) for _ in teams] if rng.random() < 0.5 else [],
    )


def plain(record: RoundRecord) -> dict[str, Any]:
    """Return the record's content with all names looked up."""
    rows: dict[str, Any] = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, Stints):
            rows |= {f"{field.name}.{name}": getattr(value, name).tolist() for name in Stints.__slots__}
        elif isinstance(value, np.ndarray):
            rows[field.name] = ["none" if each != each else each for each in value.tolist()]
    for column, names in (
        ("player", record.player_ids),
        ("game", record.games),
        ("map", record.maps),
        ("mode", record.modes),
        ("team_name", record.team_names),
        ("team_race", record.races),
    ):
        rows[column] = [None if index < 0 else names[index] for index in rows[column]]
    for k in range(len(record)):  # squad numbers only compare within a round
        squad = record.squad[record.appearances(k)].tolist()
        rows["squad"][record.appearances(k)] = [each if each < 0 else squad.index(each) for each in squad]
    return rows | {"ids": list(record.ids), "names": sorted(set(record.player_ids))}


@given(st.integers(0, 2**32 - 1), st.integers(0, 6), st.integers(0, 4))
def test_equals_record_of_all_rounds(seed: int, past: int, upcoming: int) -> None:
    rng = np.random.default_rng(seed)
    rounds = [a_round(number, rng, 1000.0 + number) for number in range(past + upcoming)]
    joined = append_upcoming_rounds(build_record(rounds[:past]), rounds[past:])
    assert plain(joined) == plain(build_record(rounds))


@given(st.integers(0, 2**32 - 1))
def test_names_keep_indices(seed: int) -> None:
    rng = np.random.default_rng(seed)
    history = build_record(a_round(number, rng, float(number)) for number in range(5))
    joined = append_upcoming_rounds(history, [a_round(9, rng, 9.0)])
    for names in ("player_ids", "games", "maps", "modes", "team_names", "races"):
        assert getattr(joined, names)[: len(getattr(history, names))] == getattr(history, names)
    for player, name in zip(history.player_ids, history.player_names, strict=True):
        assert joined.player_names[joined.player_ids.index(player)] == name


def test_starts_after_history() -> None:
    rng = np.random.default_rng(1)
    history = build_record([a_round(0, rng, 500.0), a_round(1, rng, 900.0)])
    joined = append_upcoming_rounds(history, [a_round(2, rng, 950.0), a_round(3, rng, 100.0), a_round(4, rng, 900.0)])
    assert joined.ids == ["round 0", "round 1", "round 3", "round 4", "round 2"]
    assert joined.started.tolist() == [500.0, 900.0, 900.0, 900.0, 950.0]
    assert joined.input_index.tolist() == [0, 1, 3, 4, 2]


def test_upcoming_rounds_add_no_idle_time() -> None:
    """A season's file may contain the fixtures of the next weeks.

    They must not count as idle time.
    """
    rng = np.random.default_rng(1)
    fixtures = [replace(a_round(number, rng, 1000.0 * number), ranks=None) for number in (2, 3)]
    history = build_record([a_round(0, rng, 0.0), a_round(1, rng, 1000.0), *fixtures])
    joined = append_upcoming_rounds(history, [a_round(4, rng, 2500.0), a_round(5, rng, 500.0)])
    assert joined.ids[4:] == ["round 5", "round 4"]
    assert joined.started[4:].tolist() == [1000.0, 2500.0]


def test_unknown_start_follows_history() -> None:
    rng = np.random.default_rng(1)
    upcoming = Round("to come", ["a", "b"], [], None)
    assert append_upcoming_rounds(build_record([a_round(0, rng, 500.0)]), [upcoming]).started.tolist() == [500.0, 500.0]
    assert len(append_upcoming_rounds(build_record([]), [upcoming])) == 1


def test_player_name_of_history_is_kept() -> None:
    history = build_record([Round("past", ["a", "b"], [Player("p", name="old"), Player("q")], 0.0, 1.0, [1, 2])])
    joined = append_upcoming_rounds(
        history, [Round("to come", ["a", "b"], [Player("p", name="new"), Player("q", name="q!")], 5.0)]
    )
    assert joined.player_names == ("old", "q!")
