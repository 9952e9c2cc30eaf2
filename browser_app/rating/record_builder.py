"""From rounds, one by one, to the columns of a record, with every contradiction refused."""

import math
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.errors import MatchError
from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.record import NO_RANK, Floats, Ints, Offsets, Record, Spells

LEAVE_SLACK_S = 1.0
"""So much later than the end of the round somebody may leave; it is cut (clocks and rounding)."""


def record_of(matches: Iterable[Match]) -> Record:
    """The record of some rounds.

    Raises:
        MatchError: a round contradicts itself, or two have one id.
    """
    builder = RecordBuilder()
    for match in matches:
        builder.add(match)
    return builder.build()


class _Names:
    """Distinct names and their indices, in the order of their first appearance."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        return self._index.setdefault(name, len(self._index))

    def as_tuple(self) -> tuple[str, ...]:
        return tuple(self._index)


class _SpellColumns:
    def __init__(self) -> None:
        self.appearance = array("i")
        self.number = array("i")
        self.team = array("i")
        self.enter = array("d")
        self.leave = array("d")


class RecordBuilder:
    """Takes rounds in any order; ``build`` sorts them by their start.

    After an error the builder is of no further use: nothing half-read becomes a record.
    """

    def __init__(self) -> None:
        self._players = _Names()
        self._player_names: dict[int, str] = {}
        self._games, self._maps, self._modes = _Names(), _Names(), _Names()
        self._team_names, self._races = _Names(), _Names()
        self._ids: dict[str, int] = {}
        self._game, self._map, self._mode = array("i"), array("i"), array("i")
        self._started, self._duration = array("d"), array("d")
        self._team_start, self._appearance_start = array("q", [0]), array("q", [0])
        self._team_name, self._team_race, self._team_rank = array("i"), array("i"), array("i")
        self._player = array("i")
        self._kills, self._deaths, self._score, self._ping = array("d"), array("d"), array("d"), array("d")
        self._squad, self._quit = array("i"), array("b")
        self._stays, self._chairs = _SpellColumns(), _SpellColumns()

    def __len__(self) -> int:
        """How many rounds were taken."""
        return len(self._ids)

    def add(self, match: Match) -> None:
        """Take one round.

        Raises:
            MatchError: names that do not fit together; times are checked by ``build``.
        """
        index = len(self._ids)
        if match.id in self._ids:
            raise MatchError(index, "id", f"is also the id of round {self._ids[match.id] + 1}: {match.id!r}")
        teams = {name: i for i, name in enumerate(match.teams)}
        self._add_teams(match, teams, index)
        self._ids[match.id] = index
        self._game.append(self._games[match.game] if match.game else -1)
        self._map.append(self._maps[match.map] if match.map else -1)
        self._mode.append(self._modes[match.mode])
        self._started.append(match.started)
        self._duration.append(math.nan if match.duration is None else match.duration)
        self._add_players(match.players, teams, index)

    def _add_teams(self, match: Match, teams: dict[str, int], index: int) -> None:
        if len(teams) < 2:
            raise MatchError(index, "teams", f"two or more are needed, not {len(teams)}")
        if len(teams) != len(match.teams):
            raise MatchError(index, "teams", "two have one name")
        if match.ranks is None:
            ranks: Sequence[int] = [NO_RANK] * len(teams)
        elif len(match.ranks) != len(teams) or min(match.ranks) <= NO_RANK:
            raise MatchError(index, "ranks", "one rank a team is needed, 1 or more")
        else:
            ranks = match.ranks
            if match.duration is None:
                raise MatchError(index, "duration", "is missing")
        self._team_rank.extend(ranks)
        self._team_name.extend([self._team_names[name] for name in match.teams])
        if match.races:
            if len(match.races) != len(teams):
                raise MatchError(index, "races", "one a team is needed")
            self._team_race.extend([-1 if race is None else self._races[race] for race in match.races])
        else:
            self._team_race.extend([-1] * len(teams))
        self._team_start.append(len(self._team_name))

    def _add_players(self, players: Sequence[Player], teams: dict[str, int], index: int) -> None:
        row = len(self._player)
        squads: dict[str, int] = {}
        for number, player in enumerate(players):
            known = self._players[player.id]
            self._player.append(known)
            if player.name is not None:
                self._player_names[known] = player.name
            self._kills.append(math.nan if player.kills is None else player.kills)
            self._deaths.append(math.nan if player.deaths is None else player.deaths)
            self._score.append(math.nan if player.score is None else player.score)
            self._ping.append(math.nan if player.ping is None else player.ping)
            self._squad.append(-1 if player.squad is None else squads.setdefault(player.squad, len(squads)))
            self._quit.append(-1 if player.quit is None else player.quit)
            self._add_spells(self._stays, player.stays, teams, row + number, (index, f"players[{number}].stays"))
            if player.commanding:
                where = (index, f"players[{number}].commanding")
                self._add_spells(self._chairs, player.commanding, teams, row + number, where)
        if len(set(self._player[row:])) != len(players):
            seen: set[str] = set()
            for number, player in enumerate(players):
                if player.id in seen:
                    raise MatchError(index, f"players[{number}].id", f"{player.id!r} is there twice")
                seen.add(player.id)
        self._appearance_start.append(len(self._player))

    def _add_spells(
        self, columns: _SpellColumns, spells: Sequence[Stay], teams: dict[str, int], row: int, where: tuple[int, str]
    ) -> None:
        for number, spell in enumerate(spells):
            team = teams.get(spell.team)
            if team is None:
                raise MatchError(where[0], f"{where[1]}[{number}].team", f"there is no team {spell.team!r}")
            columns.appearance.append(row)
            columns.number.append(number)
            columns.team.append(team)
            columns.enter.append(spell.enter)
            columns.leave.append(spell.leave)

    def build(self) -> Record:
        """The record, sorted by start.

        Raises:
            MatchError: times that cannot be.
        """
        started, duration = np.frombuffer(self._started), np.frombuffer(self._duration)
        appearance_start = np.frombuffer(self._appearance_start, np.int64)
        check = _TimeCheck(started, duration, appearance_start)
        stays = check.spells(self._stays, "stays")
        chairs = check.spells(self._chairs, "commanding")
        check.chairs_within_stays(chairs, stays)
        order = np.argsort(started, kind="stable")
        team_start, team_rows = _reordered(np.frombuffer(self._team_start, np.int64), order)
        appearance_start, rows = _reordered(appearance_start, order)
        row_now = np.empty(len(rows), np.int32)
        row_now[rows] = np.arange(len(rows), dtype=np.int32)
        ids = list(self._ids)
        return Record(
            player_ids=self._players.as_tuple(),
            player_names=tuple(self._player_names.get(i) for i in range(len(self._players.as_tuple()))),
            games=self._games.as_tuple(),
            maps=self._maps.as_tuple(),
            modes=self._modes.as_tuple(),
            team_names=self._team_names.as_tuple(),
            races=self._races.as_tuple(),
            ids=[ids[k] for k in order.tolist()],
            given=order.astype(np.int32),
            game=_ints(self._game)[order],
            map=_ints(self._map)[order],
            mode=_ints(self._mode)[order],
            started=started[order],
            duration=duration[order],
            team_start=team_start,
            team_name=_ints(self._team_name)[team_rows],
            team_race=_ints(self._team_race)[team_rows],
            team_rank=_ints(self._team_rank)[team_rows],
            appearance_start=appearance_start,
            player=_ints(self._player)[rows],
            kills=np.frombuffer(self._kills)[rows],
            deaths=np.frombuffer(self._deaths)[rows],
            score=np.frombuffer(self._score)[rows],
            ping=np.frombuffer(self._ping)[rows],
            squad=_ints(self._squad)[rows],
            quit=np.frombuffer(self._quit, np.int8)[rows],
            stays=_moved(stays, row_now),
            chairs=_moved(chairs, row_now),
        )


def _ints(column: "array[int]") -> Ints:
    return np.frombuffer(column, np.int32)


def _reordered(start: Offsets, order: NDArray[np.int64]) -> tuple[Offsets, NDArray[np.int64]]:
    """New offsets, and for each row of the new order its row in the old one."""
    lengths = np.diff(start)[order]
    new = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return new, np.arange(new[-1]) + np.repeat(start[:-1][order] - new[:-1], lengths)


def _moved(spells: Spells, row_now: Ints) -> Spells:
    appearance = row_now[spells.appearance]
    order = np.argsort(appearance, kind="stable")
    return Spells(appearance[order], spells.team[order], spells.enter[order], spells.leave[order])


class _TimeCheck:
    """Checks of all times at once; the first offender, in the order given, is looked up only when there is one."""

    def __init__(self, started: Floats, duration: Floats, appearance_start: Offsets) -> None:
        self._start = appearance_start
        self._duration = duration
        self._refuse(~np.isfinite(started), "started", "is not a time")
        self._refuse(np.isinf(duration), "duration", "is not finite")
        self._refuse(duration <= 0, "duration", "must be above 0")

    def spells(self, columns: _SpellColumns, key: str) -> Spells:
        """The spells, cut at the end of their round; those of no length are left out."""
        appearance, number = _ints(columns.appearance), _ints(columns.number)
        enter, leave = np.frombuffer(columns.enter), np.frombuffer(columns.leave)
        round_of = np.searchsorted(self._start, appearance, side="right") - 1
        end = self._duration[round_of]
        end = np.where(np.isnan(end), np.inf, end)
        for bad, at, problem in (
            (~np.isfinite(enter), "enter", "is not a time"),
            (np.isnan(leave), "leave", "is not a time"),
            (enter < 0, "enter", "is before the start"),
            (leave < enter, "leave", "is before enter"),
            (leave > end + LEAVE_SLACK_S, "leave", "is after the end of the round"),
        ):
            self._refuse_spell(bad, appearance, number, key, at, problem)
        leave = np.minimum(leave, end)
        kept = leave > enter
        order = np.lexsort((enter[kept], appearance[kept]))
        spells = Spells(
            appearance[kept][order], _ints(columns.team)[kept][order], enter[kept][order], leave[kept][order]
        )
        overlap = np.zeros(len(order), np.bool_)
        overlap[1:] = (np.diff(spells.appearance) == 0) & (spells.enter[1:] < spells.leave[:-1])
        self._refuse_spell(overlap, spells.appearance, number[kept][order], key, "enter", "overlaps another spell")
        return spells

    def chairs_within_stays(self, chairs: Spells, stays: Spells) -> None:
        """Chair time lies within one stay on the same team."""
        inside = np.zeros(len(chairs.appearance), np.bool_)
        first = np.searchsorted(stays.appearance, chairs.appearance, side="left")
        last = np.searchsorted(stays.appearance, chairs.appearance, side="right")
        for chair, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            inside[chair] = bool(
                np.any(
                    (stays.team[a:b] == chairs.team[chair])
                    & (stays.enter[a:b] <= chairs.enter[chair])
                    & (stays.leave[a:b] >= chairs.leave[chair])
                )
            )
        number = np.zeros(len(inside), np.int32)
        self._refuse_spell(~inside, chairs.appearance, number, "commanding", "enter", "is outside his stays")

    def _refuse(self, bad: NDArray[np.bool_], field: str, problem: str) -> None:
        if bad.any():
            raise MatchError(int(np.argmax(bad)), field, problem)

    def _refuse_spell(
        self, bad: NDArray[np.bool_], appearance: Ints, number: Ints, key: str, at: str, problem: str
    ) -> None:
        if bad.any():
            row = int(np.argmax(bad))
            index = int(np.searchsorted(self._start, appearance[row], side="right")) - 1
            player = int(appearance[row] - self._start[index])
            raise MatchError(index, f"players[{player}].{key}[{number[row]}].{at}", problem)
