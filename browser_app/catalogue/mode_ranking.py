"""Ranking constants by game and mode, and the catalogue as ranking inputs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue_columns import CatalogueColumns, Floats, RowIds
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.ranking.player_forecast import forecast_factor
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs


@dataclass(frozen=True, slots=True)
class ModeRanking:
    """Ranking constants and traits of one mode of a game."""

    game: str
    constants: RankingConstants
    reports_performance: bool
    is_other_mode: bool
    """Not the game's main mode. Only a game with a mode of its own name (NS2) has a main mode."""


class ModeRankingTable:
    """The distinct mode rankings in use, in the order of their first use.

    The column `constants_row` refers to them. The profiles limit its length, whatever modes servers report.
    """

    def __init__(self, games: Mapping[str, GameProfile]) -> None:
        self._games = games
        self._mode_rankings = [ModeRanking("", RankingConstants(), reports_performance=False, is_other_mode=False)]
        self._index_by_key: dict[tuple[str, str, bool], int] = {("", "", False): 0}

    def find_or_add(self, game: str, mode: str) -> int:
        """Return the index for a profile id and a mode code, adding a new row.

        Unknown games get the default constants.
        """
        profile = self._games.get(game)
        if profile is None:
            return 0
        other = bool(mode) and mode != profile.id and profile.id in profile.modes
        key = (game, profile.ranked_mode(mode), other)
        index = self._index_by_key.get(key)
        if index is None:
            index = self._index_by_key[key] = len(self._mode_rankings)
            constants = profile.ranking_constants(mode)
            self._mode_rankings.append(ModeRanking(game, constants, profile.reports_performance, other))
        return index

    def update_rows(self, columns: CatalogueColumns, rows: RowIds, changed: set[str]) -> None:
        """Set the column `constants_row` of these rows, which depends on game and mode.

        Adds its name to `changed` if any value is new.
        """
        game_modes = list(zip(columns.game.texts_of(rows), columns.mode.texts_of(rows), strict=True))
        index_by_mode = {each: self.find_or_add(*each) for each in dict.fromkeys(game_modes)}
        columns.set_values("constants_row", rows, [index_by_mode[each] for each in game_modes], changed)

    def constants(self, preset: RankingConstants | None = None) -> RankingConstantsTable:
        """Return the constants by index; `preset` replaces every game's own."""
        return RankingConstantsTable([preset or each.constants for each in self._mode_rankings])

    def ranking_inputs(
        self, columns: CatalogueColumns, player_skill: Mapping[str, float], forecast_players: Floats | None = None
    ) -> RankingInputs:
        """Return all rows of the catalogue as inputs of the score.

        Args:
            columns: the catalogue.
            player_skill: the user's own by game id.
            forecast_players: the expected players in half an hour; None leaves the forecast out.
        """
        constants_row = columns.constants_row
        forecast = np.array(np.nan)
        if forecast_players is not None:
            constants = self.constants().columns_for(constants_row.astype(np.intp))
            forecast = forecast_factor(columns.players, forecast_players, constants)
        return RankingInputs(
            players=columns.players,
            usable_slots=columns.usable_slots,
            ping_ms=columns.ping_ms,
            performance=columns.performance,
            quality=columns.quality,
            server_skill=columns.server_skill,
            player_skill=self._skill_by_mode(player_skill)[constants_row],
            forecast=forecast,
            reports_performance=np.array([each.reports_performance for each in self._mode_rankings])[constants_row],
            can_join=columns.joinable != 0,
            favourite=columns.favourite,
            password=columns.password > 0,
            password_saved=columns.password_saved,
            friends=columns.friends > 0,
            recently_left=columns.recently_left,
            other_mode=np.array([each.is_other_mode for each in self._mode_rankings])[constants_row],
            blocked=columns.blocked,
            constants_row=constants_row.astype(np.intp),
        )

    def _skill_by_mode(self, by_game: Mapping[str, float]) -> Floats:
        return np.array([by_game.get(each.game, np.nan) for each in self._mode_rankings])
