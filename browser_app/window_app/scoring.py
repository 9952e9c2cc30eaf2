"""What servers are scored by: the user's skill, the preset, and what Play Now may choose from."""

import argparse
from collections.abc import Callable
from functools import partial

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.catalogue.filter_language import Filter, parse_filter
from browser_app.catalogue.filter_terms import together
from browser_app.commands.context import Context
from browser_app.engine.standing import PlayOptions
from browser_app.protocols.address import Address
from browser_app.storage.declared import OWN_VERSIONS, PLAY_FILTER, PRESET
from browser_app.storage.settings import Settings


class Scoring:
    """As it holds at the moment.

    Attributes:
        skill: the user's, by game, on the servers' scale.
        preset: the constants in place of the games' own; None: those.
        passing: gives what every server must pass that Play Now may choose.
    """

    passing: Callable[[], Filter]

    def __init__(self, args: argparse.Namespace, context: Context, settings: Settings, panel: SkillPanel) -> None:
        self._args, self._context, self._settings, self._panel = args, context, settings, panel
        self.passing = partial(parse_filter, "")
        self.renew()

    def renew(self) -> None:
        """The settings or the own record are others."""
        self.skill = self._panel.points_for_list()
        name = getattr(self._args, "preset", None) or self._settings.get(PRESET)
        self.preset = self._context.presets.get(name)

    def play_options(self, skipped: frozenset[Address]) -> PlayOptions:
        """What the user wants of Play Now, but for these servers."""
        return PlayOptions(
            wanted=together((parse_filter(self._settings.get(PLAY_FILTER)), self.passing())),
            player_skill=self.skill,
            preset=self.preset,
            skipped=skipped,
            own_versions=self._settings.get(OWN_VERSIONS),
        )
