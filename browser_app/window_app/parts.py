"""What stands behind a window: the parts below it, put together in the order in which they need one another."""

import argparse
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Protocol, Self, TypeVar

from browser_app.bridge.background import Background
from browser_app.bridge.known_list import KnownList
from browser_app.bridge.lan_search import LanSearch
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.master_health import MasterHealth
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.bridge.sampling import Sampling
from browser_app.bridge.server_search import ServerSearch
from browser_app.bridge.skill.room import SkillRoom
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Target
from browser_app.commands.context import Context
from browser_app.commands.joins import Joins
from browser_app.commands.polling import own_skill
from browser_app.commands.sources import read_sources
from browser_app.engine.poll import Poll
from browser_app.engine.scanner import Scanner
from browser_app.storage.declared import FORECAST_COUNTS, HISTORY_MB
from browser_app.storage.samples import ROWS_A_MEGABYTE
from browser_app.window_app.asking import Asking
from browser_app.window_app.own_lists import OwnLists
from browser_app.window_app.scoring import Scoring
from browser_app.window_app.shown_games import ShownGames


class _Closable(Protocol):
    def close(self) -> object: ...


_Part = TypeVar("_Part", bound=_Closable)


class Parts:
    """All that a window works with. Use as a context manager: leaving it ends and saves all, the last part first."""

    def __init__(self, args: argparse.Namespace, context: Context) -> None:
        """Put them together; nothing is asked yet.

        Raises:
            BadInput: a source is wrong.
        """
        self.games, self.demo = context.games, args.demo is not None
        self.ends = ExitStack()
        try:
            self._open_what_is_kept(args, context)
            self._make_skill(args, context)
            self._make_list()
            self._make_helpers()
        except BaseException:
            self.ends.close()
            raise

    def ended(self, part: _Part) -> _Part:
        """The part, which is closed with the others from now on."""
        self.ends.callback(part.close)
        return part

    def _open_what_is_kept(self, args: argparse.Namespace, context: Context) -> None:
        self.session = self.ends.enter_context(context.open_session(demo=self.demo))
        sources = self.ends.enter_context(read_sources(args, context, self.session))
        self.background = self.ended(Background())
        self.settings = self.ended(LiveSettings(self.session.settings, self.background))
        self.scanner = self.ends.enter_context(Scanner(context.games))
        self.asking = Asking(self.session, sources, self.scanner, context.games, demo=self.demo)

    def _make_skill(self, args: argparse.Namespace, context: Context) -> None:
        typed = partial(own_skill, args, context, self.session)
        player = self.asking.sources.player
        self.skill = self.ended(
            SkillRoom(self.session, self.settings, context.games, typed, self.asking.steam_key, player)
        )
        self.scoring = Scoring(args, context, self.session.settings, self.skill.panel)

    def _make_list(self) -> None:
        self.catalogue = Catalogue(self.games)
        self.catalogue.set_lists(self.session.lists(time.time()))
        self.catalogue.forecast_counts = self.session.settings.get(FORECAST_COUNTS)
        self.joins = Joins(self.catalogue, self.games, self.session)
        scoring = self.scoring
        self.live = self.ended(
            LiveList(self.catalogue, self._poll, self.asking.ask, lambda: scoring.skill, lambda: scoring.preset)
        )
        self.shown_games = ShownGames(self.session.settings, self.catalogue, lambda: self.asking.sources.of_settings)
        self.scoring.passing = self.shown_games.passing
        self.own_lists = OwnLists(self.session, self.live, self.joins.lists_changed)
        self.known = KnownList(self.live, self.session.database)

    def _make_helpers(self) -> None:
        self.bridge = PlayNowBridge(self.live, self.scanner, self.asking.pace)
        self.lan = self.ended(LanSearch(self.asking.lan_source))
        past = self.asking.sources.past
        self.sampling = self.ended(Sampling(self.live, self.session.samples, self._most_samples, past))
        self.sampling.recalled.connect(self.own_lists.let_time_pass)
        self.search = self.ended(ServerSearch(self.live, self.scanner, self.games))
        self.masters = self.ended(
            MasterHealth(self.live, self.session.kept, self.background, self.games, self.asking.steam_key)
        )

    def _poll(self, known: Sequence[Target]) -> Poll:
        self.own_lists.mark()  # what was left recently is not for ever
        return self.asking.poll(self.shown_games.asked(known))

    def _most_samples(self) -> int:
        return round(self.session.settings.get(HISTORY_MB) * ROWS_A_MEGABYTE)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ends.close()
