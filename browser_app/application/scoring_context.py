"""Own skill, preset, chosen games and options used for scoring."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial

from browser_app.application.app_context import AppContext
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_filter import ServerFilter, combine_filters, parse_filter
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import OWN_VERSIONS, PLAY_NOW_FILTER, RANKING_PRESET, SHOWN_GAMES
from browser_app.storage.settings_store import Settings


class GameSelection:
    """Kept true: nothing is left out where no game is chosen, nor where the command line names whom to ask."""

    def __init__(self, settings: Settings, catalogue: Catalogue, uses_settings: Callable[[], bool]) -> None:
        self._settings, self._catalogue, self._uses_settings = settings, catalogue, uses_settings

    def game_ids(self) -> frozenset[str]:
        """Ids of the chosen games, but those that nobody knows; empty for all, as also for `sources_from_settings`."""
        chosen = self._settings.get(SHOWN_GAMES) if self._uses_settings() else ()
        return frozenset(chosen) & self._catalogue.games.keys()

    def game_filter(self) -> ServerFilter:
        """What servers of these games pass."""
        games = self.game_ids()
        return parse_filter(f"game:{','.join(sorted(games))}" if games else "")

    def targets_to_query(self, known: Sequence[QueryTarget]) -> Sequence[QueryTarget]:
        """Of all known servers those that are still to be asked: also favourites, and those of no known game."""
        games, c = self.game_ids(), self._catalogue
        if not games:
            return known
        return [
            target
            for target in known
            if (row := c.row_of(target.address)) is None or not c.game[row] or c.game[row] in games or c.favourite[row]
        ]


class ScoringContext:
    """As it holds at the moment.

    Attributes:
        skill: the user's, by game, on the servers' scale.
        preset: the constants in place of the games' own; None: those.
        passing: gives what every server must pass that Play Now may choose.
    """

    listed_filter: Callable[[], ServerFilter]

    def __init__(
        self, args: argparse.Namespace, context: AppContext, settings: Settings, skill_model: SkillModel
    ) -> None:
        self._args, self._context, self._settings, self._skill_model = args, context, settings, skill_model
        self.listed_filter = partial(parse_filter, "")
        self.update()

    def update(self) -> None:
        """The settings or the own record are others."""
        self.own_skill = self._skill_model.own_skill_by_game()
        name = getattr(self._args, "preset", None) or self._settings.get(RANKING_PRESET)
        self.preset = self._context.presets.get(name)

    def play_options(self, skipped: frozenset[Address]) -> PlayOptions:
        """What the user wants of Play Now, but for these servers."""
        return PlayOptions(
            server_filter=combine_filters((parse_filter(self._settings.get(PLAY_NOW_FILTER)), self.listed_filter())),
            player_skill=self.own_skill,
            preset=self.preset,
            skipped_addresses=skipped,
            own_versions=self._settings.get(OWN_VERSIONS),
        )
