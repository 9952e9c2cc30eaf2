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
    """Forecast of an upcoming round for one of its players; changes are as displayed.

    Attributes:
        chance: P(the player's team wins | no draw), or of more than two teams P(it is first); None without a forecast.
        win, lose, draw: change of the player's rating by each outcome.
        skip_reason: why the system would not rate the round (the changes are 0 then), else None.
    """

    chance: float | None
    win: float
    lose: float
    draw: float
    skip_reason: str | None = None


def compute_what_if(run: RatingRun, game_round: Round, player: str) -> WhatIfResult:
    """Forecast a round and the effect of each outcome on a player's rating (by id).

    The run is not changed. With more than two teams, all others tie. See `complete_round` for missing values.

    Raises:
        InvalidRoundError: the round contradicts itself.
        ValueError: the player is on none of its teams.
    """
    now = run.record.last_played or 0.0
    drawn = build_record([complete_round(game_round, [1] * len(game_round.teams), now)])
    row = {name: row for row, name in enumerate(drawn.players(0))}.get(player)
    own = -1 if row is None else int(longest_team(drawn)[row])
    if row is None or own < 0:
        raise ValueError(f"{player} is on no team of this round")

    def change(own_rank: int, other_rank: int) -> float:
        ranks = [own_rank if team == own else other_rank for team in range(len(game_round.teams))]
        before, after = run.simulate_single_round(build_record([complete_round(game_round, ranks, now)]), row)
        return (after.value - before.value) * run.points_per_unit

    upcoming = run.transfer_to(drawn)
    why = upcoming.skip_reason(0)
    prediction = upcoming.forecast(0) if why else upcoming.prediction(0)
    if prediction is None:
        chance = None
    else:
        chance = prediction.first_place[own] if len(game_round.teams) > 2 else prediction.chance(own, 1 - own)
    return WhatIfResult(chance, change(1, 2), change(2, 1), change(1, 1), why)


def complete_round(game_round: Round, ranks: Sequence[int], now: float) -> Round:
    """Return a round as if it had been played, for a system to learn from.

    Missing values get typical ones: the round starts now and lasts as long as its longest stay, else 1200 s. For
    systems that compare scores, players of a winning team score two and all others one. There are no kills, deaths or
    quits.
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
