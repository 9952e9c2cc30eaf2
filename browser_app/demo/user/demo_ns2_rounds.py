"""Generated Natural Selection 2 rounds of the demo user."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from browser_app.demo.demo_names import PLAYER_NAMES, USER_NAME, USER_STEAM_ACCOUNTS, make_player_names
from browser_app.demo.games.source_games import NS2
from browser_app.demo.outcome_model import (
    NS2OutcomeModel,
    NS2SimulationSettings,
    SimulatedLineup,
    SimulatedOutcome,
    SimulatedStint,
)
from browser_app.demo.user.demo_schedule import DAY_S, RoundSlot, RoundTiming, make_evenings
from browser_app.rating.ns2.ns2_points import to_points
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rounds import ns2_teams
from browser_app.rounds.iso_time import format_iso_time

TRUE_SKILL_MEAN, TRUE_SKILL_DEVIATION = 30.0, 6.7
"""Of the regulars' true skills, in units of s: 1,500 and 335 points."""
_TRUTH = NS2SimulationSettings(
    k=(TRUE_SKILL_MEAN / TRUE_SKILL_DEVIATION) ** 2, theta=TRUE_SKILL_DEVIATION**2 / TRUE_SKILL_MEAN,
       offset=0.3, drift=0.02, advantage=0.1, draws=0.02
)  # fmt: skip
_VISITOR_DEVIATION, _COMMANDER_DEVIATION = 1.5, 0.4
"""Standard deviations, in units of s: of visitors' skills, around the same mean; and of commander skills, which differ
little, because a round depends on two of them.
"""
_ACTIVITY_EXPONENT = 0.8
"""A regular's activity falls as 1 / rank to this power."""
_REGULARS_PER_EVENING, _VISITORS_PER_EVENING = 18, 2
"""Attendance of an evening."""
_SIDE_SIZE, _SIDE_SIZE_SPREAD, _SIDE_SIZE_RANGE = 6.2, 0.9, (5, 8)
_SHUFFLE_ERROR = 20.0
"""Error of the servers' skill estimates when they shuffle teams: standard deviation in units of s."""
_REPORTED_SHARE = 0.1
"""Share of a player's difference from the mean that the game has learned; ratings approach true skills slowly."""
_HANDOVER_SHARE, _LATE_JOIN_SHARE = 0.1, 0.5
"""Share of slots that change hands in a round; share of the user's slots that they take over late."""
_SKILL_DAYS_AGO: Final = (133.0, 79.0, 56.0, 40.0, 0.0)
_USER_SKILL: Final = (30.0, 37.0, 36.0, 24.0, 46.0)
"""The user's skill (units of s) this many days before the current week; linear in between."""
_MARINE_ADVANTAGE, _COMMANDER_DISADVANTAGE = -1.1, 1.5
"""The user's advantage as a marine, and disadvantage as a commander, in units of s."""


class NS2PlayerPool:
    """The user, `regulars` and `visitors`, by number; `maps`, also by number."""

    def __init__(self, regulars: int, visitors: int, maps: int, rng: np.random.Generator) -> None:
        self._rng = rng
        people = 1 + regulars + visitors
        self._model = NS2OutcomeModel(people, maps, _TRUTH, rng)
        self._model.skill[1 + regulars :] = TRUE_SKILL_MEAN + _VISITOR_DEVIATION * rng.standard_normal(visitors)
        self._model.commander = TRUE_SKILL_MEAN + _COMMANDER_DEVIATION * rng.standard_normal(people)
        self._model.offset[0], self._model.commander[0] = _MARINE_ADVANTAGE, TRUE_SKILL_MEAN - _COMMANDER_DISADVANTAGE
        self._commander_preference = rng.gamma(0.2, 1.0, people) + 1e-6
        self._commander_preference[0] = 0.06
        activity = np.arange(1, 1 + regulars) ** -_ACTIVITY_EXPONENT
        self._attendance = activity / activity.sum()
        self._first_visitor, self._player_count = 1 + regulars, people

    def draw_attendance(self) -> Ints:
        """Return the players of an evening, without the user."""
        regulars = 1 + self._rng.choice(len(self._attendance), _REGULARS_PER_EVENING, replace=False, p=self._attendance)
        visitors = self._rng.choice(
            np.arange(self._first_visitor, self._player_count), _VISITORS_PER_EVENING, replace=False
        )
        return np.concatenate((regulars, visitors)).astype(np.int32)

    def set_user_skill(self, days_ago: float) -> None:
        """Set the user's skill to what it was this many days before the current week."""
        self._model.skill[0] = np.interp(-days_ago, [-day for day in _SKILL_DAYS_AGO], _USER_SKILL)

    def draw_lineup(self, length: float, game_map: int, attending: Ints, *, with_user: bool) -> SimulatedLineup:
        """Return who plays a round on a map, on which side and when."""
        rng = self._rng
        seat_count = 2 * int(np.clip(round(rng.normal(_SIDE_SIZE, _SIDE_SIZE_SPREAD)), *_SIDE_SIZE_RANGE))
        order = rng.permutation(attending)
        first, bench = order[:seat_count], order[seat_count:]
        if with_user:
            first[0] = 0
        side = self._shuffle_sides(self._model.skill[first])
        stays = [SimulatedStint(seat, int(side[seat]), 0.0, length) for seat in range(seat_count)]
        shared = self._seats_to_hand_over(side, len(bench))
        for number, seat in enumerate(shared):
            stays[seat], late = self._hand_over(stays[seat], seat_count + number)
            stays.append(late)
        player = np.concatenate((first, bench[: len(shared)])).astype(np.int32)
        team = np.array([stay.team for stay in stays], np.int32)
        if with_user and 0 in shared and rng.random() < _LATE_JOIN_SHARE:
            late_seat = seat_count + shared.index(0)
            player[[0, late_seat]] = player[[late_seat, 0]]
        alone = np.full(len(player), -1, np.int32)
        return SimulatedLineup(
            0.0, length, 0, game_map, 2, player, team, alone, stays, self._draw_commanders(player, stays)
        )

    def simulate_round(self, lineup: SimulatedLineup) -> SimulatedOutcome:
        """Draw the winner; everybody's skill drifts a little."""
        return self._model.play(lineup, self._rng)

    def _shuffle_sides(self, skill: Floats) -> Ints:
        """Put one of each two neighbours in estimated skill on each side."""
        order = np.argsort(skill + _SHUFFLE_ERROR * self._rng.standard_normal(len(skill)))
        side = np.empty(len(skill), np.int32)
        side[order[0::2]] = self._rng.integers(0, 2, len(order[0::2]))
        side[order[1::2]] = 1 - side[order[0::2][: len(order) // 2]]
        return side

    def _seats_to_hand_over(self, side: Ints, bench: int) -> list[int]:
        """Return the seats that change hands, equally many per side."""
        on_each = min(int(self._rng.binomial(len(side) // 2, _HANDOVER_SHARE)), bench // 2)
        return [
            int(seat) for each in range(2) for seat in self._rng.permutation(np.flatnonzero(side == each))[:on_each]
        ]

    def _hand_over(self, stay: SimulatedStint, to: int) -> tuple[SimulatedStint, SimulatedStint]:
        """Let one player leave and another take their place soon after, in whole seconds."""
        left = float(int(stay.leave * self._rng.uniform(0.1, 0.9)))
        taken = float(int(left + (stay.leave - left) * self._rng.uniform(0.01, 0.5) ** 2))
        return stay._replace(leave=left), stay._replace(seat=to, enter=taken)

    def _draw_commanders(self, player: Ints, stays: Sequence[SimulatedStint]) -> list[SimulatedStint]:
        """On each side, let one of those who stay longest command most of the round."""
        commander_stints = []
        for side in range(2):
            longest = max(stay.leave for stay in stays if stay.team == side and not stay.enter)
            staying = [stay for stay in stays if stay.team == side and not stay.enter and stay.leave == longest]
            preferences = self._commander_preference[player[[stay.seat for stay in staying]]]
            stay = staying[int(self._rng.choice(len(staying), p=preferences / preferences.sum()))]
            share = np.floor(self._rng.uniform((0.0, 0.9), (0.02, 1.0)) * stay.leave)
            commander_stints.append(stay._replace(enter=float(share[0]), leave=float(share[1])))
        return commander_stints


NS2_ROUND_COUNT: Final = 642
NS2_USER_ROUND_COUNT: Final = 214

_SECOND_ACCOUNT_UNTIL_DAYS = 96.0
"""Until this many days before today the user played with the second account."""
_VISITOR_COUNT = 120
_SEED_SALT = 280
"""Chosen so that seed 1 gives a rating history with visible ups and downs."""
_FIRST_ACCOUNT, _ACCOUNT_STEP = 4_200_000_000, 104_729
_ROUND_TIMING = RoundTiming(length_s=1200.0, spread=0.35, pause_s=(60.0, 240.0))
_PAUSE_DAYS = range(54, 76)
"""Days, counted from the first, on which the user did not play."""
_KILLS_A_MINUTE, _KILLS_PER_SKILL = 0.55, 0.04


class _NS2Server(NamedTuple):
    server: str
    mode: str
    share: float
    """Share of the evenings."""
    join_times: bool = True
    """False: its rounds come from NS2+, which stores only how long somebody played."""


_PLAYED_SERVERS: Final = (
    _NS2Server("Lanternfish Veil EU", "ns2", 0.36),
    _NS2Server("Third Hive Frankfurt", "ns2", 0.28),
    _NS2Server("Sunday Overflow", "ns2", 0.22, join_times=False),
    _NS2Server("Siege after work", "siege", 0.14),
)
_MAPS: Final = [name for mode in NS2.modes.values() for name in mode.maps]


def make_ns2_rounds(monday: float, seed: int) -> list[dict[str, Any]]:
    """Return the rounds before the week of `monday` (Unix time, s) as file objects."""
    rng = np.random.default_rng((abs(seed), _SEED_SALT))
    regulars = len(PLAYER_NAMES)
    names = [USER_NAME, *make_player_names(regulars + _VISITOR_COUNT, random.Random(seed))]  # noqa: S311 (simulation, not cryptography)
    player_pool = NS2PlayerPool(regulars, _VISITOR_COUNT, len(_MAPS), rng)
    evenings = make_evenings(NS2_ROUND_COUNT, NS2_USER_ROUND_COUNT, monday, _ROUND_TIMING, rng, _PAUSE_DAYS)
    server_indices = rng.choice(len(_PLAYED_SERVERS), len(evenings), p=[server.share for server in _PLAYED_SERVERS])
    writer = _RoundWriter(names, monday, rng)
    return [
        writer.round_object(slot, _PLAYED_SERVERS[index], lineup, outcome)
        for evening, index in zip(evenings, server_indices.tolist(), strict=True)
        for slot, lineup, outcome in _simulate_evening(player_pool, evening, _PLAYED_SERVERS[index], monday, rng)
    ]


def _simulate_evening(
    pool: NS2PlayerPool, evening: Sequence[RoundSlot], server: _NS2Server, monday: float, rng: np.random.Generator
) -> Iterator[tuple[RoundSlot, SimulatedLineup, SimulatedOutcome]]:
    """Return an evening's rounds, each on another map than the one before."""
    attending = pool.draw_attendance()
    maps = rng.permutation(NS2.modes[server.mode].maps).tolist()
    for number, slot in enumerate(evening):
        pool.set_user_skill((monday - slot.started) / DAY_S)
        lineup = pool.draw_lineup(
            slot.length_s, _MAPS.index(maps[number % len(maps)]), attending, with_user=slot.includes_user
        )
        yield slot, lineup, pool.simulate_round(lineup)


class _RoundWriter:
    def __init__(self, names: Sequence[str], monday: float, rng: np.random.Generator) -> None:
        self._names, self._monday, self._rng = names, monday, rng

    def round_object(
        self, slot: RoundSlot, server: _NS2Server, lineup: SimulatedLineup, outcome: SimulatedOutcome
    ) -> dict[str, Any]:
        """Return one round."""
        first, second = outcome.ranks
        return {
            "id": f"{ns2_teams.NS2_GAME} {server.server} {slot.started:.0f}",
            "game": ns2_teams.NS2_GAME,
            "map": _MAPS[lineup.map],
            "mode": server.mode,
            "started": format_iso_time(slot.started),
            "duration": slot.length_s,
            "teams": list(ns2_teams.NS2_TEAMS),
            "races": dict(ns2_teams.NS2_RACES),
            "winner": None if first == second else ns2_teams.NS2_TEAMS[first > second],
            **({} if server.join_times else {"approximate": True}),
            "server": server.server,
            "players": self._player_objects(slot, lineup, outcome, join_times=server.join_times),
        }

    def _player_objects(
        self, slot: RoundSlot, lineup: SimulatedLineup, outcome: SimulatedOutcome, *, join_times: bool
    ) -> list[dict[str, Any]]:
        seats = len(lineup.player)
        stays, commander_stints = (_by_seat(stints, seats) for stints in (lineup.stays, lineup.commander_stints))
        minutes = np.array([sum(each["leave"] - each["enter"] for each in stints) for stints in stays]) / 60.0
        ahead = _KILLS_PER_SKILL * (outcome.skill - outcome.skill.mean())
        kills, deaths = self._rng.poisson(_KILLS_A_MINUTE * minutes * np.exp((ahead, -ahead))).tolist()
        if not join_times:
            stays, commander_stints = _merge_to_durations(stays, commander_stints)
        return [
            {
                "id": self._account_id(player, slot),
                "name": self._names[player],
                "stays": stays[seat],
                "commanding": commander_stints[seat],
                "kills": kills[seat],
                "deaths": deaths[seat],
                "score": 10 * kills[seat] + int(2 * minutes[seat]),
                "skill": _reported_skill(float(outcome.skill[seat])),
            }
            for seat, player in enumerate(lineup.player.tolist())
        ]

    def _account_id(self, player: int, slot: RoundSlot) -> str:
        if player == 0:
            return str(USER_STEAM_ACCOUNTS[slot.started < self._monday - _SECOND_ACCOUNT_UNTIL_DAYS * DAY_S])
        return str(_FIRST_ACCOUNT + player * _ACCOUNT_STEP)


def _reported_skill(skill: float) -> int:
    """Return the skill that the game reports for a true skill, in points."""
    return round(to_points(TRUE_SKILL_MEAN + _REPORTED_SHARE * (skill - TRUE_SKILL_MEAN)))


def _by_seat(stints: Sequence[SimulatedStint], seats: int) -> list[list[dict[str, Any]]]:
    entries: list[list[dict[str, Any]]] = [[] for _ in range(seats)]
    for each in stints:
        entries[each.seat].append(ns2_teams.build_stint(ns2_teams.NS2_TEAMS[each.team], each.enter, each.leave))
    return entries


def _merge_to_durations(
    stays: Sequence[Sequence[dict[str, Any]]], commanding: Sequence[Sequence[dict[str, Any]]]
) -> tuple[list[list[dict[str, Any]]], list[list[dict[str, Any]]]]:
    """Return the stints as NS2+ stores them: one after the other, from the start."""
    lengths = [[(each["team"], each["leave"] - each["enter"]) for each in stints] for stints in stays]
    known = [ns2_teams.build_consecutive_stints(each) for each in lengths]
    commander_stints = [
        [
            part
            for each in stints
            for part in ns2_teams.build_commander_stints(mine, each["team"], each["leave"] - each["enter"])
        ]
        for mine, stints in zip(known, commanding, strict=True)
    ]
    return known, commander_stints
