"""Rounds for the tests of XonStat's systems, and systems with parameters."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record


def run_of(kind: type[RatingSystem], matches: Sequence[Round], **given: float) -> RatingRun:
    """Run a system over rounds and learn from all rated ones."""
    run = kind(resolve_parameters(kind.declared_parameters, explicit=given)).new_run(build_record(matches))
    for k in range(len(run.record)):
        if run.skip_reason(k) is None:
            run.update(k)
    return run


Table = Mapping[tuple[str, str], tuple[float, ...]]


def rated_field(run: RatingRun, name: str, field: str = "rating", mode: str | None = None) -> float:
    """Return a field of a rated player, on top or in a mode."""
    fields: Any = run.rated_players()[name]
    return float((fields["modes"][mode] if mode else fields)[field])


def modes_found(run: RatingRun, *fields: str) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return some fields of all players in every mode, by (player, mode)."""
    players: Any = run.rated_players()
    return {
        (name, mode): tuple(of_mode[field] for field in fields)
        for name, player in players.items()
        for mode, of_mode in player["modes"].items()
    }


def assert_same_ratings(found: Table, expected: Table) -> None:
    """Check for the same players, modes and numbers (12 digits, relative)."""
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        assert found[key] == pytest.approx(values, rel=1e-12), key


def longest(player: Player) -> str | None:
    """Return the team with most of a player's time; None for none."""
    times: dict[str, float] = {}
    for stay in player.stays:
        if stay.leave > stay.enter:
            times[stay.team] = times.get(stay.team, 0.0) + stay.leave - stay.enter
    return max(times, key=times.__getitem__) if times else None


def duel(
    winner: str, loser: str, number: int = 0, *, draw: bool = False, seconds: float = 600.0, mode: str = "duel"
) -> Round:
    """Create a duel over the full time.

    The winner has 20 points, the loser 10, both 15 in a draw.
    """
    scores = (15.0, 15.0) if draw else (20.0, 10.0)
    players = [
        Player(name, [Stint(name, 0.0, seconds)], score=score)
        for name, score in zip((winner, loser), scores, strict=True)
    ]
    ranks = (1, 1) if draw else (1, 2)
    return Round(f"{winner}-{loser}-{number}", (winner, loser), players, float(number), seconds, ranks, mode=mode)


@st.composite
def histories(draw: st.DrawFn) -> list[Round]:
    """Draw rounds of up to four teams.

    Pings, scores and players may be missing, players may change team.
    """
    seed, count, teams = draw(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(2, 4)))
    rng = np.random.default_rng(seed)
    return [_round(rng, number, teams) for number in range(count)]


def _round(rng: np.random.Generator, number: int, teams: int) -> Round:
    duration = float(rng.uniform(100.0, 1500.0))
    names = [f"team {i}" for i in range(teams)]
    players = []
    for who in rng.permutation(10)[: int(rng.integers(2, 9))].tolist():
        marks = np.sort(rng.uniform(0.0, duration, 3)).tolist()
        marks[0] *= rng.random() < 0.5
        if rng.random() < 0.5:
            marks[2] = duration
        sides = [names[int(side)] for side in rng.integers(0, teams, 2)]
        stays = [Stint(side, a, b) for side, (a, b) in zip(sides, pairwise(marks), strict=True)]
        score = None if rng.random() < 0.1 else float(rng.integers(-3, 40))
        ping = None if rng.random() < 0.2 else float(rng.choice([0.0, 13.0, 60.0, 180.0]))
        name = f"bot#{who}" if who == 9 else f"player {who}"
        players.append(Player(name, stays, score=score, ping=ping))
    ranks = tuple(int(rank) for rank in rng.integers(1, 3, teams)) if rng.random() < 0.95 else None
    mode = str(rng.choice(["duel", "ctf", "cts", "slayer"]))
    game = str(rng.choice(["xonotic", ""]))
    return Round(f"round {number}", names, players, float(number), duration, ranks, game=game, mode=mode)
