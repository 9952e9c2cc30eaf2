"""Content id of a round, and whether two reports describe the same round.

When in doubt, two reports are kept as two rounds: a duplicate is visible, a lost round is not.
"""

import hashlib
from collections.abc import Sequence
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.record.round_record import GAME_SKILL_COLUMNS
from browser_app.rounds.round_file import convert_round
from browser_app.rounds.round_source import UNDATED

MAX_START_DIFFERENCE_S: Final = 120.0
"""Largest difference between reported starts of one round: clocks differ, and some starts are derived from the end."""
MAX_LENGTH_DIFFERENCE_S: Final = 5.0
"""Largest difference between reported lengths of one round."""
MAX_SURE_LENGTH_DIFFERENCE_S: Final = 2.0
"""Largest difference between lengths where the start is unknown."""
MIN_SURE_COUNTS: Final = 4
"""Number of nonzero kills and deaths that must then be reported, and be equal in both."""
MAX_PLAN_DIFFERENCE_S: Final = 86_400.0
"""Largest difference between planned and actual start of a round with the id of its plan."""
MIN_STEADY_S: Final = 60.0
"""A player who was on a team for so long is in every report."""

REPORT_DETAILS: Final = ("outcome", "players", "times", "date", "skills")
"""Details that one report may have and another lack, most important first.

`times` are those of joining and leaving; `skills` are the game's own, which do not make a report more complete.
"""


class RoundReport(NamedTuple):
    """A round as one source describes it."""

    round: Round
    server: str | None = None
    is_undated: bool = False
    """Its start is a guess: see `round_source.UNDATED`."""
    is_approximate: bool = False
    """Only the lengths of stints are known, not their times."""

    @property
    def is_finished(self) -> bool:
        """True if there is an outcome."""
        return self.round.ranks is not None

    @property
    def completeness(self) -> tuple[bool, bool, bool, bool]:
        """Which of `REPORT_DETAILS` it has but the skills.

        The greater of two tuples is the more complete report.
        """
        return self.is_finished, bool(self.round.players), not self.is_approximate, not self.is_undated


def reported_skill(player: Player) -> dict[str, float]:
    """Return the skill that the game reported of a player, as keys of the round file."""
    return {name: value for name in GAME_SKILL_COLUMNS if (value := getattr(player, name)) is not None}


def report_from_object(round_object: dict[str, Any]) -> RoundReport:
    """Return the report in an object of the round file.

    Raises:
        RoundFieldError: it is not a round.
    """
    server = round_object.get("server")
    return RoundReport(
        convert_round(round_object),
        server if isinstance(server, str) and server else None,
        round_object.get(UNDATED) is True,
        round_object.get("approximate") is True,
    )


def is_same_round(one: RoundReport, other: RoundReport) -> bool:
    """Return True if both reports describe the same round.

    Symmetric; not meant for a report and itself.
    """
    if not _same_setting(one, other):
        return False
    if not one.is_finished and not other.is_finished:
        return _is_same_unfinished(one, other)
    if not _same_outcome(one, other):
        return False
    if _is_plan_of(one, other) or _is_plan_of(other, one):
        return True
    if not one.round.players or not other.round.players:
        return one.server is not None and one.server == other.server and _similar_times(one, other) and one.is_finished
    if not _same_players(one, other):
        return False
    return (_similar_times(one, other) and _counts_agree(one, other, 0.5)) or _is_sure_without_date(one, other)


def _same_setting(one: RoundReport, other: RoundReport) -> bool:
    a, b = one.round, other.round
    pairs = ((a.map, b.map), (a.mode, b.mode), (one.server, other.server))
    return a.game == b.game and set(a.teams) == set(b.teams) and all(not x or not y or x == y for x, y in pairs)


def _same_outcome(one: RoundReport, other: RoundReport) -> bool:
    a, b = one.round, other.round
    if a.ranks is None or b.ranks is None:
        return True
    return dict(zip(a.teams, a.ranks, strict=True)) == dict(zip(b.teams, b.ranks, strict=True))


def _similar_times(one: RoundReport, other: RoundReport) -> bool:
    """Return True if two rounds start together and last equally long.

    Lengths are compared where both are finished.
    """
    a, b = one.round, other.round
    if (
        a.started is None
        or b.started is None
        or abs(a.started - b.started) > MAX_START_DIFFERENCE_S
        or not a.map
        or not b.map
    ):
        return False
    if a.duration is None or b.duration is None:
        return not (one.is_finished and other.is_finished)
    if not one.is_finished and not other.is_finished:
        return True
    longer = a.duration - b.duration
    if one.is_finished and other.is_finished:
        return abs(longer) <= MAX_LENGTH_DIFFERENCE_S
    return longer >= -MAX_LENGTH_DIFFERENCE_S if one.is_finished else longer <= MAX_LENGTH_DIFFERENCE_S


def _is_sure_without_date(one: RoundReport, other: RoundReport) -> bool:
    """Compare length and counts instead of the start.

    This applies if one report's start is only the time its file was copied.
    """
    if one.is_undated == other.is_undated or not (one.is_finished and other.is_finished):
        return False
    guess, dated = (one.round, other.round) if one.is_undated else (other.round, one.round)
    if guess.started is None or dated.started is None or guess.duration is None or dated.duration is None:
        return False
    if (
        guess.started < dated.started - MAX_START_DIFFERENCE_S
        or abs(guess.duration - dated.duration) > MAX_SURE_LENGTH_DIFFERENCE_S
    ):
        return False
    telling_counts = sum(count > 0 for each in _player_counts(guess).values() for count in each)
    return telling_counts >= MIN_SURE_COUNTS and _counts_agree(one, other, 1)


def _counts_agree(one: RoundReport, other: RoundReport, share: float) -> bool:
    """Return True if the counts of at least `share` of the players agree.

    Only players with kills and deaths in both are compared.
    """
    counts, others = _player_counts(one.round), _player_counts(other.round)
    both = counts.keys() & others.keys()
    if not one.is_finished or not other.is_finished or not both:
        return share < 1
    return sum(counts[each] == others[each] for each in both) >= share * len(both)


def _player_counts(round_: Round) -> dict[str, tuple[float, float]]:
    return {
        player.id: (player.kills, player.deaths)
        for player in round_.players
        if player.kills is not None and player.deaths is not None
    }


def _same_players(one: RoundReport, other: RoundReport) -> bool:
    """Return True if the long-present players are on the same team in both.

    The reports are finished.
    """
    sides, others = _teams_by_player(one.round), _teams_by_player(other.round)
    known, known_there = _long_present_players(one.round), _long_present_players(other.round)
    if not known or not known_there:
        return False
    steady = (known if other.is_finished else set()) | (known_there if one.is_finished else set())
    return all(each in sides and each in others and (sides[each] & others[each]) for each in steady)


def _teams_by_player(round_: Round) -> dict[str, set[str]]:
    return {player.id: {stint.team for stint in player.stays} for player in round_.players}


def _long_present_players(round_: Round) -> set[str]:
    minimum_s = MIN_STEADY_S if round_.duration is None else min(MIN_STEADY_S, round_.duration / 2)
    return {player.id for player in round_.players if _seconds_present(player) >= minimum_s}


def _seconds_present(player: Player) -> float:
    return sum(stint.leave - stint.enter for stint in player.stays)


def _is_same_unfinished(one: RoundReport, other: RoundReport) -> bool:
    """Compare two reports without an outcome: two snapshots of a round, or two plans.

    They have the same id, or started together and overlap; and at least half of the players of the larger one are in
    both, on the same team.
    """
    a, b = one.round, other.round
    is_planned_once = a.id == b.id and _is_within(a.started, b.started, MAX_PLAN_DIFFERENCE_S)
    if not is_planned_once and not (_similar_times(one, other) and _overlap(a, b)):
        return False
    sides, others = _teams_by_player(a), _teams_by_player(b)
    alike = sum(
        not sides[each] or not others[each] or bool(sides[each] & others[each]) for each in sides.keys() & others.keys()
    )
    return alike * 2 >= max(len(sides), len(others)) > 0


def _is_within(one: float | None, other: float | None, difference: float) -> bool:
    return one is None or other is None or abs(one - other) <= difference


def _overlap(a: Round, b: Round) -> bool:
    """Return False if one of two rounds ended before the other began.

    Both have a known start.
    """
    first, second = sorted((a, b), key=lambda each: each.started or 0.0)
    return first.duration is None or (first.started or 0.0) + first.duration > (second.started or 0.0)


def _is_plan_of(planned: RoundReport, played: RoundReport) -> bool:
    """Return True if `planned` has no outcome and `played` is its result.

    They have the same id and most of the planned players.
    """
    a, b = planned.round, played.round
    if planned.is_finished or not played.is_finished or a.id != b.id:
        return False
    if not _is_within(a.started, b.started, MAX_PLAN_DIFFERENCE_S):
        return False
    there = {player.id for player in b.players}
    return sum(player.id in there for player in a.players) * 2 >= len(a.players) > 0


CONTENT_ID_BYTES = 16
"""Length of a content id."""


def compute_content_id(round_: Round, *, is_undated: bool = False, repeat_number: int = 0) -> bytes:
    """Return a hash that is equal for reports of the same round.

    The file they come from does not matter.

    It covers what could change a rating: game, map, mode, start, duration, teams with race and rank, and for each
    player the stints on a team and as commander, kills, deaths, score, assists, objectives, ping, squad, quitting and
    the wish to be rated, and the skill that the game reported.
    It ignores the round's id and players' names, which differ between sources; the order of players and teams; stints
    of no length and times after the end; `prefers`, `friends` and `locked`; unknown keys.

    Args:
        round_: a round from the round file's reader.
        is_undated: the start is only a guess (see `round_source.UNDATED`); the round's own id is used instead.
        repeat_number: number of earlier rounds in the same file with the same content. Rounds with different ids in one
            file are different rounds, such as a manually kept series with dates only.
    """
    end = float("inf") if round_.duration is None else round_.duration
    races = round_.races or (None,) * len(round_.teams)
    ranks = round_.ranks or (None,) * len(round_.teams)
    squads: dict[object, int] = {}
    content = [
        round_.game,
        round_.map,
        round_.mode,
        round_.id if is_undated or round_.started is None else round_.started,
        round_.duration,
        sorted(zip(round_.teams, races, ranks, strict=True), key=itemgetter(0)),
        [_player_content(player, end, squads) for player in sorted(round_.players, key=attrgetter("id"))],
    ]
    if repeat_number:
        content.append(repeat_number)
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=CONTENT_ID_BYTES).digest()


def _player_content(player: Player, end: float, squads: dict[object, int]) -> list[Any]:
    squad = None if player.squad in (None, "") else squads.setdefault(player.squad, len(squads))
    counts = (player.kills, player.deaths, player.score, player.assists, player.objectives, player.ping)
    return [
        player.id,
        _stint_content(player.stays, end),
        _stint_content(player.commanding, end),
        [None if count is None else count + 0.0 for count in counts],  # turns -0.0 into 0.0
        squad,
        player.quit,
        player.ranked,
        *([skill] if (skill := sorted(reported_skill(player).items())) else []),
    ]


def _stint_content(stints: Sequence[Stint], end: float) -> list[tuple[float, float, str]]:
    if not stints:
        return []
    return sorted([(s.enter + 0.0, min(s.leave, end), s.team) for s in stints if s.enter < min(s.leave, end)])
