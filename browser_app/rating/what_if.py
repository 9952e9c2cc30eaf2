"""What a round to come would do to a player's rating."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from browser_app.rating.match import Match, Player
from browser_app.rating.presence import longest_team
from browser_app.rating.record_builder import record_of
from browser_app.rating.system import RatingRun

_USUAL_S = 1200.0


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round to come, for one of its players; changes are as displayed (ns2: points).

    Attributes:
        chance: of his team: of winning if there is no draw, of first place among more than two; None: nothing says.
        win, lose, draw: the change of his rating by each outcome.
        unknown: how many of the round's players the run knows nothing of; they count as newcomers.
        why: why the system does not rate such a round (the changes are 0 then); None: it does.
    """

    chance: float | None
    win: float
    lose: float
    draw: float
    unknown: int
    why: str | None = None


def what_if(run: RatingRun, match: Match, player: str) -> WhatIf:
    """What the run as it stands says of a round, and what each outcome would do to a player (by id).

    The run is not changed. Of more than two teams all others are level. Rounds are completed by ``settled``.

    Raises:
        MatchError: the round contradicts itself.
        ValueError: the player is on none of its teams.
    """
    now = run.record.last_played or 0.0
    level = record_of([settled(match, [1] * len(match.teams), now)])
    row = {name: row for row, name in enumerate(level.players(0))}.get(player)
    own = -1 if row is None else int(longest_team(level)[row])
    if row is None or own < 0:
        raise ValueError(f"{player} is on no team of this round")

    def change(mine: int, theirs: int) -> float:
        ranks = [mine if team == own else theirs for team in range(len(match.teams))]
        before, after = run.tried(record_of([settled(match, ranks, now)]), row)
        return (after.value - before.value) * run.unit

    seated = run.seated(level)
    why = seated.unrated(0)
    said = seated.forecast(0) if why else seated.prediction(0)
    chance = None if said is None else said.first[own] if len(match.teams) > 2 else said.beats[own][1 - own]
    mode = int(level.mode[0])
    unknown = sum(not seated.knows(each, mode) for each in level.player.tolist())
    return WhatIf(chance, change(1, 2), change(2, 1), change(1, 1), unknown, why)


def settled(match: Match, ranks: Sequence[int], now: float) -> Match:
    """A round as if it had been played, for a system to learn from.

    What it lacks is taken to be usual: it starts now, and lasts as long as somebody stays or else 1200 s. Systems that
    go by scores are told that everybody on a winning team scores two for each one of the others. Nobody kills, dies or
    quits as far as is known.

    Args:
        match: the round; what it tells of its outcome is not looked at.
        ranks: the outcome.
        now: seconds since 1970.
    """
    longest = max((stay.leave for each in match.players for stay in each.stays), default=0.0)
    best, worst = min(ranks), max(ranks)
    score = {team: 2.0 if rank == best < worst else 1.0 for team, rank in zip(match.teams, ranks, strict=True)}
    players = [
        Player(
            each.id,
            each.stays,
            each.commanding,
            each.name,
            score=score.get(each.stays[0].team) if each.stays else None,
            squad=each.squad,
            ping=each.ping,
        )
        for each in match.players
    ]
    return replace(
        match,
        players=players,
        ranks=ranks,
        started=now if match.started is None else match.started,
        duration=match.duration or longest or _USUAL_S,
    )
