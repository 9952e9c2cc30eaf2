"""Own skill, preset, chosen games and options used for scoring."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.filters.server_filter import FilterError, ServerFilter, combine_filters, parse_filter
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import GameRegistry
from browser_app.storage.setting_declarations import (
    OWN_VERSIONS,
    PLAY_NOW_SCOPE,
    PLAYED_GAMES,
    RANKING_PRESET,
    SCORE_USES_FORECAST,
)
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.storage.user_storage import UserStorage


def create_catalogue(
    games: GameRegistry, storage: UserStorage, countries: Mapping[str, str] | None = None
) -> Catalogue:
    """Return an empty catalogue that marks and scores servers as the user wants it.

    `countries` are those of the demo network's servers, by host.
    """
    catalogue = Catalogue(games)
    if countries:
        catalogue.rows.find_countries = lambda hosts: [countries.get(host, "") for host in hosts]
    catalogue.set_user_lists(storage.collect_user_lists(time.time()))
    catalogue.use_forecast = storage.settings.get(SCORE_USES_FORECAST)
    return catalogue


class GameSelection:
    """The user's chosen games.

    These are all games where none is chosen or the command line names the sources.
    """

    def __init__(self, settings: Settings, catalogue: Catalogue, uses_settings: Callable[[], bool]) -> None:
        """`uses_settings`: whether the settings decide which sources are polled."""
        self._settings, self._catalogue, self._uses_settings = settings, catalogue, uses_settings

    def game_ids(self) -> frozenset[str]:
        """Return the ids of the chosen games that have a profile; empty for all games."""
        chosen = self._settings.get(PLAYED_GAMES) if self._uses_settings() else ()
        return frozenset(chosen) & self._catalogue.games.keys()

    def game_filter(self) -> ServerFilter:
        """Return the filter for servers of these games."""
        return _game_filter(self.game_ids())

    def rows_to_query(self) -> Bools:
        """Return the rows of servers to poll: chosen or unknown games, and favourites."""
        games, c = self.game_ids(), self._catalogue
        other_games: Bools = c.game.matching_rows(lambda game: bool(games) and game not in games)
        return c.occupied & (~other_games | c.favourite)

    def targets_to_query(self, known: Sequence[QueryTarget]) -> Sequence[QueryTarget]:
        """Return those of these servers that are polled; see `rows_to_query`."""
        rows, row_of = self.rows_to_query(), self._catalogue.row_of
        return [target for target in known if (row := row_of(target.address)) is None or rows[row]]


def scope_filter(scope: str, saved_filters: Mapping[str, str]) -> ServerFilter | None:
    """Return the filter that Play Now's scope names.

    None for the list on screen, or for a saved filter that is gone.
    """
    is_saved = scope.startswith(SAVED_LIST_PREFIX)
    expression = saved_filters.get(scope.removeprefix(SAVED_LIST_PREFIX), "") if is_saved else scope
    try:
        return parse_filter(expression) if expression else None
    except FilterError:  # saved by a newer version
        return None


def played_games_filter(settings: Settings, catalogue: Catalogue, named_games: Collection[str]) -> ServerFilter:
    """Return the filter for servers of the games that the user plays.

    Games that the command line names take their place.
    """
    played = settings.get(PLAYED_GAMES)
    return _game_filter(() if named_games else catalogue.games.keys() & played)


def playable_games(catalogue: Catalogue, named_games: Collection[str]) -> frozenset[str] | None:
    """Return the games of Play Now's candidates: installed or named by the user.

    None while that is unknown.
    """
    return None if catalogue.installed_games is None else catalogue.installed_games.union(named_games)


def _game_filter(games: Collection[str]) -> ServerFilter:
    return parse_filter(f"game:{','.join(sorted(games))}" if games else "")


def same_skill(points: float, games: Iterable[str]) -> Callable[[], Mapping[str, float]]:
    """Return a function that returns the same own skill for every game.

    The command line names that skill.
    """
    skill = dict.fromkeys(games, points)
    return lambda: skill


class ScoringContext:
    """Own skill and preset as they are at the moment.

    Attributes:
        own_skill: by game, in points on the servers' scale.
        preset: constants for all games; None for each game's own.
    """

    def __init__(
        self,
        presets: Mapping[str, RankingConstants],
        preset_name: str | None,
        storage: UserStorage,
        own_skill: Callable[[], Mapping[str, float]],
        catalogue: Catalogue,
        game_selection: GameSelection,
        named_games: Collection[str],
    ) -> None:
        """Create the context; `preset_name` replaces the preset of the settings.

        `own_skill` returns points by game. `named_games` are those that the command line names.
        """
        self._presets, self._preset_name = presets, preset_name
        self._settings, self._saved_filters = storage.settings, storage.saved_filters
        self._current_own_skill, self._game_selection = own_skill, game_selection
        self._catalogue, self._named_games = catalogue, named_games
        self.update()

    def update(self) -> None:
        """Read own skill and preset again."""
        self.own_skill = self._current_own_skill()
        self.preset = self._presets.get(self._preset_name or self._settings.get(RANKING_PRESET))

    def listed_rows(self) -> Bools:
        """Return the rows of the user's list: see `GameSelection.rows_to_query`."""
        return self._game_selection.rows_to_query()

    def play_options(self, server_filter: ServerFilter | None = None) -> PlayOptions:
        """Return the options of Play Now; a filter replaces the scope of the settings.

        Where the scope is the list on screen, all servers of the chosen games are in it.
        """
        scope = server_filter or scope_filter(self._settings.get(PLAY_NOW_SCOPE), self._saved_filters)
        game_filter = self._game_selection.game_filter()
        return PlayOptions(
            scope=combine_filters((scope, game_filter)) if scope else game_filter,
            game_filter=played_games_filter(self._settings, self._catalogue, self._named_games),
            player_skill=self.own_skill,
            preset=self.preset,
            own_versions=self._settings.get(OWN_VERSIONS),
            playable_games=playable_games(self._catalogue, self._named_games),
        )
