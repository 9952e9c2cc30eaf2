"""Random rounds of every kind, explained by all systems with all extras."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

_EXPLAINED = 3  # players per round; their order is random
_COUNTS = {"kill_wp": 0.2, "kill_wo": -0.1, "kill_v": 0.5, "kill_b": 0.3, "death_wo": 0.2, "death_v": 0.4}
_QUITS = {"quit_m": -0.5, "quit_v": 0.3, "quit_pu": 0.05, "quit_pr": 0.6}
_SQUADS = {"squad_offset": [0.0, 0.2, 0.3], "experience_offset": [0.2, 0.1, 0.0]}
_BASE = {"base_v": 0.5, "base_gamma2": 0.01, "base_tau2": 1e-4, "base_w": 0.8, "mode_v": 0.3}
_LEARNED_BIAS = {"bias": "learnt", "bias_v": 1.0}
KINDS: dict[str, RatingSystem] = {name: create_rating_system(name) for name in RATING_SYSTEMS} | {
    label: create_rating_system(name, None, **given)
    for label, name, given in (
        ("ns2, circumstances", "ns2", {"bias": "record", "chair_round": 80.0, "start": 3.0}),
        ("ns2, basic", "ns2", {"per_team": "no", "chair": "no", "a": 0.0, **_LEARNED_BIAS}),
        ("elo-blog", "elo-blog", _LEARNED_BIAS),
        ("elo-xonstat", "elo-xonstat", _LEARNED_BIAS),
        ("xonstat-go", "xonstat-go", _LEARNED_BIAS),
        ("trueskill", "trueskill", {"draw_margin": 0.1, "tau2": 1e-4, **_LEARNED_BIAS}),
        ("trueskill2", "trueskill2", _SQUADS),
        ("trueskill2, all", "trueskill2", {**_COUNTS, **_QUITS, **_SQUADS, **_LEARNED_BIAS}),
        ("trueskill2, base", "trueskill2", {**_BASE, **_QUITS}),
    )
}


@st.composite
def histories(draw: st.DrawFn, most_teams: int = 4) -> list[Round]:
    """Draw two to seven rounds of any kind.

    Any team sizes, late joins, team changes, quits, commanders, lone players.
    """
    seed, count, teams = draw(st.tuples(st.integers(0, 2**32 - 1), st.integers(2, 7), st.integers(2, most_teams)))
    rng = np.random.default_rng(seed)
    return [_round(rng, number, teams if rng.random() < 0.3 else 2) for number in range(count)]


def _round(rng: np.random.Generator, number: int, teams: int) -> Round:
    duration = float(rng.uniform(100.0, 1800.0))
    names = tuple(f"team {i}" for i in range(teams))
    all_players = rng.permutation(10)[: int(rng.integers(2, 11))].tolist()
    players = [_player(rng, f"p{who}", names, int(rng.integers(teams)), duration) for who in all_players]
    return Round(
        f"round {number}",
        names,
        players,
        1e9 + 4000.0 * number + float(rng.uniform(0.0, 3000.0)),
        duration,
        tuple(rng.integers(1, 3, teams).tolist()) if rng.random() < 0.95 else None,
        game=str(rng.choice(["xonotic", ""])),
        map=str(rng.choice(["", "summit", "veil"])),
        mode=str(rng.choice(["duel", "ctf", "cts"], p=[0.3, 0.6, 0.1])),
        races=[str(rng.choice(["marine", "alien"])) for _ in names] if rng.random() < 0.7 else (),
    )


def _player(rng: np.random.Generator, name: str, teams: Sequence[str], team: int, duration: float) -> Player:
    marks = [0.0, duration]
    if rng.random() < 0.4:
        marks = np.sort(rng.uniform(0.0, duration, int(rng.integers(2, 5)))).tolist()
    changes = rng.random() < 0.15
    stays = [
        Stint(teams[(team + part * changes) % len(teams)], enter, leave)
        for part, (enter, leave) in enumerate(pairwise(marks))
    ]
    commander_stints = [Stint(stays[0].team, stays[0].enter, (stays[0].enter + 3.0 * stays[0].leave) / 4.0)]
    return Player(
        name,
        stays,
        commander_stints if rng.random() < 0.15 else (),
        name=f"{name}?" if rng.random() < 0.5 else None,
        kills=None if rng.random() < 0.2 else float(rng.integers(0, 9)),
        deaths=None if rng.random() < 0.2 else float(rng.integers(0, 9)),
        score=None if rng.random() < 0.1 else float(rng.integers(-2, 40)),
        squad=str(rng.choice(["a", "b"])) if rng.random() < 0.3 else None,
        ping=None if rng.random() < 0.2 else float(rng.choice([0.0, 13.0, 180.0])),
        quit=bool(rng.random() < 0.3) if rng.random() < 0.8 else None,
    )


@dataclass(frozen=True)
class ExplanationCase:
    """One player in one round: the explanation and the actual result."""

    run: RatingRun
    k: int
    row: int
    explained: RatingExplanation
    said: float
    before: Rating
    after: Rating

    @property
    def record(self) -> RoundRecord:
        return self.run.record

    @property
    def change(self) -> float:
        return (self.after.value - self.before.value) * self.run.points_per_unit


def explanation_cases(system: RatingSystem, matches: Sequence[Round]) -> Iterator[ExplanationCase]:
    """Yield explanations of some players of every rated round.

    Checks that explaining changes nothing.
    """
    run = system.new_run(build_record(matches))
    for k in range(len(run.record)):
        if run.skip_reason(k) is None:
            yield from _cases(run, k)


def _cases(run: RatingRun, k: int) -> list[ExplanationCase]:
    rows, prediction, before = run.record.appearances(k), run.prediction(k), run.ratings(k)
    present = sorted(set(run.record.stays.slice_appearances(rows.start, rows.stop).appearance.tolist()))[:_EXPLAINED]
    explained = [run.explain(k, rows.start + row) for row in present]
    assert repr(run.prediction(k)) == repr(prediction)  # as text: it may contain NaN
    assert run.ratings(k) == before
    run.update(k)
    found = []
    for row, each in zip(present, explained, strict=True):
        own, teams = each.team, len(prediction.first_place)
        said = prediction.chance(own, 1 - own) if teams == 2 else prediction.first_place[own]
        found.append(ExplanationCase(run, k, row, each, said, before[row], run.ratings(k)[row]))
    return found


def rounds_with_outcome(matches: Sequence[Round], record: RoundRecord, k: int, ranks: Sequence[int]) -> list[Round]:
    """Return the rounds up to round k, the last one with another outcome."""
    ended = [matches[index] for index in record.input_index[: k + 1].tolist()]
    return [*ended[:-1], replace(ended[-1], ranks=tuple(ranks))]


def last_change(system: RatingSystem, matches: Sequence[Round], row: int) -> float:
    """Return the change of one appearance by the last round."""
    run = system.new_run(build_record(matches))
    last = len(matches) - 1
    for k in range(last):
        if run.skip_reason(k) is None:
            run.update(k)
    before = run.ratings(last)[row].value
    run.update(last)
    return (run.ratings(last)[row].value - before) * run.points_per_unit
