"""From the catalogue's columns to the ranking's inputs and back."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.columns import Columns, Floats
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.ranking.forecast import multiplier
from browser_app.ranking.inputs import ConstantsTable, RankingInputs


@dataclass(frozen=True, slots=True)
class Rules:
    """What the ranking needs to know of a game and a mode in it."""

    game: str
    constants: RankingConstants
    reports_performance: bool
    other_mode: bool
    """Not the game's main mode. Only a game that has a mode of its own name (NS2) has a main one."""


class RulesTable:
    """The distinct rules in play, in the order in which they were met; the column `rules` points into it.

    Kept true: its length is bounded by the profiles, whatever modes servers report.
    """

    def __init__(self, games: Mapping[str, GameProfile]) -> None:
        self._games = games
        self._rules = [Rules("", RankingConstants(), reports_performance=False, other_mode=False)]
        self._places: dict[tuple[str, str, bool], int] = {("", "", False): 0}

    def place(self, game: str, mode: str) -> int:
        """Place of the rules for a profile id and a mode code; unknown games get the default constants."""
        profile = self._games.get(game)
        if profile is None:
            return 0
        other = bool(mode) and mode != profile.id and profile.id in profile.modes
        key = (game, mode if mode in profile.mode_ranking else "", other)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._rules)
            constants = profile.mode_ranking.get(mode, profile.ranking)
            self._rules.append(Rules(game, constants, profile.reports_performance, other))
        return place

    def constants(self, preset: RankingConstants | None = None) -> ConstantsTable:
        """The constants by place; `preset` stands in for every game's own."""
        return ConstantsTable([preset or rules.constants for rules in self._rules])

    def inputs(
        self, columns: Columns, player_skill: Mapping[str, float], likely: Floats | None = None
    ) -> RankingInputs:
        """Every row of the catalogue as the ranking wants it.

        `player_skill` is the user's own by game id; `likely` the players in half an hour, where these are to count.
        """
        rules = columns.rules
        forecast = np.array(np.nan)
        if likely is not None:
            forecast = multiplier(columns.players, likely, self.constants().rows(rules.astype(np.intp)))
        return RankingInputs(
            players=columns.players,
            usable_slots=columns.usable_slots,
            ping_ms=columns.ping_ms,
            performance=columns.performance,
            quality=columns.quality,
            server_skill=columns.server_skill,
            player_skill=self._player_skill(player_skill)[rules],
            forecast=forecast,
            reports_performance=np.array([each.reports_performance for each in self._rules])[rules],
            can_join=columns.joinable != 0,
            favourite=columns.favourite,
            password=columns.password > 0,
            ranked=columns.ranked > 0,
            friends=columns.friends > 0,
            recently_left=columns.recently_left,
            other_mode=np.array([each.other_mode for each in self._rules])[rules],
            blocked=columns.blocked,
            rules=rules.astype(np.intp),
        )

    def _player_skill(self, by_game: Mapping[str, float]) -> Floats:
        return np.array([by_game.get(each.game, np.nan) for each in self._rules])
