"""Effect of a possible round on a player's rating."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from browser_app.rating.game_round import Player, Round
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.team_presence import longest_team

_DEFAULT_DURATION_S = 1200.0


@dataclass(frozen=True, slots=True)
class WhatIfResult:
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
    unknown_players: int
    skip_reason: str | None = None


def compute_what_if(run: RatingRun, game_round: Round, player: str) -> WhatIfResult:
    """What the run as it stands says of a round, and what each outcome would do to a player (by id).

    The run is not changed. Of more than two teams all others are level. Rounds are completed by ``settled``.

    Raises:
        MatchError: the round contradicts itself.
        ValueError: the player is on none of its teams.
    """
    now = run.record.last_played or 0.0
    level = build_record([complete_round(game_round, [1] * len(game_round.teams), now)])
    row = {name: row for row, name in enumerate(level.players(0))}.get(player)
    own = -1 if row is None else int(longest_team(level)[row])
    if row is None or own < 0:
        raise ValueError(f"{player} is on no team of this round")

    def change(mine: int, theirs: int) -> float:
        ranks = [mine if team == own else theirs for team in range(len(game_round.teams))]
        before, after = run.simulate_single_round(build_record([complete_round(game_round, ranks, now)]), row)
        return (after.value - before.value) * run.points_per_unit

    seated = run.transfer_to(level)
    why = seated.skip_reason(0)
    said = seated.forecast(0) if why else seated.prediction(0)
    chance = None if said is None else said.first_place[own] if len(game_round.teams) > 2 else said.beats[own][1 - own]
    mode = int(level.mode[0])
    unknown = sum(not seated.is_rated(each, mode) for each in level.player.tolist())
    return WhatIfResult(chance, change(1, 2), change(2, 1), change(1, 1), unknown, why)


def complete_round(game_round: Round, ranks: Sequence[int], now: float) -> Round:
    """A round as if it had been played, for a system to learn from.

    What it lacks is taken to be usual: it starts now, and lasts as long as somebody stays or else 1200 s. Systems that
    go by scores are told that everybody on a winning team scores two for each one of the others. Nobody kills, dies or
    quits as far as is known.

    Args:
        game_round: the round; what it tells of its outcome is not looked at.
        ranks: the outcome.
        now: seconds since 1970.
    """
    longest = max((stay.leave for each in game_round.players for stay in each.stays), default=0.0)
    best, worst = min(ranks), max(ranks)
    score = {team: 2.0 if rank == best < worst else 1.0 for team, rank in zip(game_round.teams, ranks, strict=True)}
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
        for each in game_round.players
    ]
    return replace(
        game_round,
        players=players,
        ranks=ranks,
        started=now if game_round.started is None else game_round.started,
        duration=game_round.duration or longest or _DEFAULT_DURATION_S,
    )
