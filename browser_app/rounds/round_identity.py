"""Content id of a round, and comparison of two reports of a round.

In doubt, two reports count as two rounds: a duplicate is visible, a lost round is not.
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
MAX_UNDATED_LENGTH_DIFFERENCE_S: Final = 2.0
"""Largest difference between lengths if one report is undated."""
MIN_UNDATED_COUNTS: Final = 4
"""Nonzero kills and deaths that an undated report must contain to be compared; all must be equal in both."""
MAX_PLAN_DIFFERENCE_S: Final = 86_400.0
"""Largest difference between planned and actual start of a round with the id of its plan."""
MIN_LONG_PRESENCE_S: Final = 60.0
"""Time on a team after which every report must contain the player."""

REPORT_DETAILS: Final = ("outcome", "players", "times", "date", "skills")
"""Details that only one of two reports may have, most important first.

`times` are those of joining and leaving a team; `skills` are those that the game reported, which do not count for
`completeness`.
"""


class RoundReport(NamedTuple):
    """A round as one source describes it."""

    round: Round
    server: str | None = None
    is_undated: bool = False
    """Whether its start is derived from the file's time (`round_source.UNDATED`)."""
    is_approximate: bool = False
    """Whether only the lengths of stints are known, not their times."""

    @property
    def is_finished(self) -> bool:
        """True if there is an outcome."""
        return self.round.ranks is not None

    @property
    def completeness(self) -> tuple[bool, bool, bool, bool]:
        """Which of `REPORT_DETAILS` except `skills` it has.

        Of two reports, the one with the greater tuple is more complete.
        """
        return self.is_finished, bool(self.round.players), not self.is_approximate, not self.is_undated


def list_skill_fields(player: Player) -> dict[str, float]:
    """Return the skill that the game reported of a player, as keys of the round file."""
    return {name: value for name in GAME_SKILL_COLUMNS if (value := getattr(player, name)) is not None}


def convert_report(round_object: dict[str, Any]) -> RoundReport:
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
    if not _have_same_setting(one, other):
        return False
    if not one.is_finished and not other.is_finished:
        return _is_same_unfinished(one, other)
    if not _have_same_outcome(one, other):
        return False
    if _is_plan_of(one, other) or _is_plan_of(other, one):
        return True
    if not one.round.players or not other.round.players:
        is_same_server = one.server is not None and one.server == other.server
        return is_same_server and one.is_finished and _have_similar_times(one, other)
    if not _have_same_players(one, other):
        return False
    return (_have_similar_times(one, other) and _have_equal_counts(one, other, 0.5)) or _is_same_undated(one, other)


def _have_same_setting(one: RoundReport, other: RoundReport) -> bool:
    a, b = one.round, other.round
    pairs = ((a.map, b.map), (a.mode, b.mode), (one.server, other.server))
    return a.game == b.game and set(a.teams) == set(b.teams) and all(not x or not y or x == y for x, y in pairs)


def _have_same_outcome(one: RoundReport, other: RoundReport) -> bool:
    a, b = one.round, other.round
    if a.ranks is None or b.ranks is None:
        return True
    return dict(zip(a.teams, a.ranks, strict=True)) == dict(zip(b.teams, b.ranks, strict=True))


def _have_similar_times(one: RoundReport, other: RoundReport) -> bool:
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
    length_difference = a.duration - b.duration
    if one.is_finished and other.is_finished:
        return abs(length_difference) <= MAX_LENGTH_DIFFERENCE_S
    return (
        length_difference >= -MAX_LENGTH_DIFFERENCE_S
        if one.is_finished
        else length_difference <= MAX_LENGTH_DIFFERENCE_S
    )


def _is_same_undated(one: RoundReport, other: RoundReport) -> bool:
    """Return True if exactly one report is undated, and lengths and counts agree.

    A file may have been copied later, so the undated report may seem to start later.
    """
    if one.is_undated == other.is_undated or not (one.is_finished and other.is_finished):
        return False
    undated, dated = (one.round, other.round) if one.is_undated else (other.round, one.round)
    if undated.started is None or dated.started is None or undated.duration is None or dated.duration is None:
        return False
    if (
        undated.started < dated.started - MAX_START_DIFFERENCE_S
        or abs(undated.duration - dated.duration) > MAX_UNDATED_LENGTH_DIFFERENCE_S
    ):
        return False
    nonzero = sum(count > 0 for each in _collect_counts(undated).values() for count in each)
    return nonzero >= MIN_UNDATED_COUNTS and _have_equal_counts(one, other, 1)


def _have_equal_counts(one: RoundReport, other: RoundReport, share: float) -> bool:
    """Return True if at least `share` of the players have the same kills and deaths.

    Players without counts in one of the reports are left out. If nobody can be compared or a report is not finished,
    the result is True unless `share` is 1.
    """
    counts, others = _collect_counts(one.round), _collect_counts(other.round)
    common_players = counts.keys() & others.keys()
    if not one.is_finished or not other.is_finished or not common_players:
        return share < 1
    return sum(counts[each] == others[each] for each in common_players) >= share * len(common_players)


def _collect_counts(round_: Round) -> dict[str, tuple[float, float]]:
    return {
        player.id: (player.kills, player.deaths)
        for player in round_.players
        if player.kills is not None and player.deaths is not None
    }


def _have_same_players(one: RoundReport, other: RoundReport) -> bool:
    """Return True if the long-present players are on the same team in both.

    Players of a report are looked up in the other one if that is finished.
    """
    teams, other_teams = _collect_player_teams(one.round), _collect_player_teams(other.round)
    players, other_players = _find_long_present_players(one.round), _find_long_present_players(other.round)
    if not players or not other_players:
        return False
    compared = (players if other.is_finished else set()) | (other_players if one.is_finished else set())
    return all(each in teams and each in other_teams and (teams[each] & other_teams[each]) for each in compared)


def _collect_player_teams(round_: Round) -> dict[str, set[str]]:
    return {player.id: {stint.team for stint in player.stays} for player in round_.players}


def _find_long_present_players(round_: Round) -> set[str]:
    minimum_s = MIN_LONG_PRESENCE_S if round_.duration is None else min(MIN_LONG_PRESENCE_S, round_.duration / 2)
    return {player.id for player in round_.players if _sum_presence(player) >= minimum_s}


def _sum_presence(player: Player) -> float:
    return sum(stint.leave - stint.enter for stint in player.stays)


def _is_same_unfinished(one: RoundReport, other: RoundReport) -> bool:
    """Compare two reports without an outcome: of a running round, or of a planned one.

    They have the same id, or started together and overlap; and at least half of the players of the larger one are in
    both, on the same team.
    """
    a, b = one.round, other.round
    is_same_plan = a.id == b.id and _is_within(a.started, b.started, MAX_PLAN_DIFFERENCE_S)
    if not is_same_plan and not (_have_similar_times(one, other) and _have_overlap(a, b)):
        return False
    teams, other_teams = _collect_player_teams(a), _collect_player_teams(b)
    common_players = teams.keys() & other_teams.keys()
    agreeing = sum(
        not teams[each] or not other_teams[each] or bool(teams[each] & other_teams[each]) for each in common_players
    )
    return agreeing * 2 >= max(len(teams), len(other_teams)) > 0


def _is_within(one: float | None, other: float | None, difference: float) -> bool:
    return one is None or other is None or abs(one - other) <= difference


def _have_overlap(a: Round, b: Round) -> bool:
    """Return whether two rounds with known starts overlap."""
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
    played_ids = {player.id for player in b.players}
    return sum(player.id in played_ids for player in a.players) * 2 >= len(a.players) > 0


CONTENT_ID_BYTES = 16
"""Length of a content id."""


def compute_content_id(round_: Round, *, is_undated: bool = False, repeat_number: int = 0) -> bytes:
    """Return a hash that is equal for equal rounds from different files.

    It covers what could change a rating: game, map, mode, start, duration, teams with race and rank, and for each
    player the stints on a team and as commander, kills, deaths, score, assists, objectives, ping, squad, quitting and
    the wish to be rated, and the skill that the game reported.
    It ignores the round's id and players' names, which differ between sources; the order of players and teams; stints
    of no length and times after the end; `prefers`, `friends` and `locked`; unknown keys.

    Args:
        round_: a round from the round file's reader.
        is_undated: the start is derived from the file's time; the round's own id is used instead.
        repeat_number: number of earlier rounds in the same file with the same content. Rounds with different ids in one
            file are different rounds, such as those that somebody noted with a date but no time.
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
        [_list_player_content(player, end, squads) for player in sorted(round_.players, key=attrgetter("id"))],
    ]
    if repeat_number:
        content.append(repeat_number)
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=CONTENT_ID_BYTES).digest()


def _list_player_content(player: Player, end: float, squads: dict[object, int]) -> list[Any]:
    squad = None if player.squad in (None, "") else squads.setdefault(player.squad, len(squads))
    counts = (player.kills, player.deaths, player.score, player.assists, player.objectives, player.ping)
    return [
        player.id,
        _list_stint_content(player.stays, end),
        _list_stint_content(player.commanding, end),
        [None if count is None else count + 0.0 for count in counts],  # turns -0.0 into 0.0
        squad,
        player.quit,
        player.ranked,
        *([skill] if (skill := sorted(list_skill_fields(player).items())) else []),
    ]


def _list_stint_content(stints: Sequence[Stint], end: float) -> list[tuple[float, float, str]]:
    if not stints:
        return []
    return sorted([(s.enter + 0.0, min(s.leave, end), s.team) for s in stints if s.enter < min(s.leave, end)])
