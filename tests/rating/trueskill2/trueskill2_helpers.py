"""Rounds for the tests of TrueSkill, and runs over them."""

from collections.abc import Iterable, Mapping, Sequence

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System

BEGIN_S, LENGTH_S = 1e9, 600.0

Given = Mapping[str, object]


def played(
    number: int,
    teams: Sequence[Sequence[str | Player]],
    ranks: Sequence[int] | None = None,
    *,
    mode: str = "",
    started: float | None = None,
) -> Round:
    """Create a round of 600 s with players given by name.

    They play throughout; the first team wins by default.
    """
    names = [f"team {i}" for i in range(len(teams))]
    players = [
        who if isinstance(who, Player) else Player(who, [Stint(team, 0.0, LENGTH_S)])
        for team, members in zip(names, teams, strict=True)
        for who in members
    ]
    when = BEGIN_S + 3600.0 * number if started is None else started
    ranks = range(1, len(teams) + 1) if ranks is None else ranks
    return Round(f"round {number}", names, players, when, LENGTH_S, tuple(ranks), mode=mode)


def present_player(name: str, team: int, share: float, **values: float | str | bool) -> Player:
    """Create a player on a team for a share of the round."""
    return Player(name, [Stint(f"team {team}", 0.0, share * LENGTH_S)], **values)  # type: ignore[arg-type] # by name


def started(
    matches: Iterable[Round],
    given: Given | None = None,
    preset: str = "shooter",
    kind: type[RatingSystem] = TrueSkill2System,
) -> RatingRun:
    """Return a run that has not begun."""
    return kind(resolve_parameters(kind.declared_parameters, preset=kind.presets[preset], explicit=given)).new_run(
        build_record(matches)
    )


def finished(
    matches: Iterable[Round],
    given: Given | None = None,
    preset: str = "shooter",
    kind: type[RatingSystem] = TrueSkill2System,
) -> RatingRun:
    """Return a run over all rated rounds."""
    run = started(matches, given, preset, kind)
    for k in range(len(run.record)):
        if run.skip_reason(k) is None:
            run.update(k)
    return run


def skill(run: RatingRun, name: str, mode: str = "") -> tuple[float, float]:
    """Return current mean and sd."""
    rating = run.rating(run.record.player_ids.index(name), run.record.modes.index(mode))
    assert rating.sd is not None
    return rating.value, rating.sd
