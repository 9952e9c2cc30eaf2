"""Polling sessions of the command line and queries of the window."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from browser_app.application.game_finder import GameFinder, InstalledGamesSearch, own_games
from browser_app.application.own_skill.skill_state import OwnSkill
from browser_app.application.player_forecasts import forecast_players, load_trends
from browser_app.application.scoring_context import ScoringContext
from browser_app.application.source_selection import SelectedSources
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_descriptions, merge_steam_counts
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.masters.lan_discovery import LOOPBACK_BROADCAST, LanMaster, create_lan_master
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.query_timing import PACES, Pace
from browser_app.engine.query.scan import Scan, ScanProgress
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.exit_status import UsageError
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.query_session import QueryParts
from browser_app.startup_timing import mark_startup
from browser_app.storage.setting_declarations import QUERY_ON_REQUEST, SCAN_PACE
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_storage import UserStorage


def favourite_targets(favourites: Iterable[Favourite]) -> list[QueryTarget]:
    """Return the favourites that can be queried: those with a known protocol."""
    return [
        QueryTarget(each.address, each.protocol, each.game, host_name=each.host_name)
        for each in favourites
        if each.protocol
    ]


class QueryService:
    """The window's queries, all by one scanner.

    `selected` may change between two polls.
    """

    def __init__(
        self, storage: UserStorage, selected: SelectedSources, scanner: Scanner, games: GameRegistry, *, demo: bool
    ) -> None:
        self.selected = selected
        self._storage, self._scanner, self._games, self._demo = storage, scanner, games, demo

    def pace(self) -> Pace:
        """Return the pace of the settings."""
        return PACES[self._storage.settings.get(SCAN_PACE)]

    @property
    def on_request(self) -> bool:
        """Whether servers are queried only where the user asks for it."""
        return self._storage.settings.get(QUERY_ON_REQUEST)

    def start_poll(self, known: Sequence[QueryTarget]) -> ServerPoll:
        """Start to poll all sources and the servers that are known already, or requested."""
        return start_poll(
            self._scanner,
            self.selected.sources,
            pace=self.pace(),
            steam_key=self.steam_key,
            known=known,
            query_listed=not self.on_request,
        )

    def query_server(self, target: QueryTarget) -> Scan:
        """Query one server for everything, at once."""
        scan = self._scanner.scan([target], pace=PACES["normal"], parts=QueryParts.ALL, urgent=True)
        scan.seal()
        return scan

    def lan_source(self, installed_games: Collection[str]) -> LanMaster:
        """Return the local network as a source.

        With a demo network, that is only this machine, where the demo runs.
        """
        own = own_games(self._games, self._storage, installed_games)
        master = create_lan_master(self._games[game] for game in own)
        return replace(master, broadcasts=(LOOPBACK_BROADCAST,)) if self._demo else master

    def steam_key(self) -> str | None:
        """Return the demo network's Web API key or the user's; may block."""
        return self.selected.steam_key_getter(self._storage)()


@dataclass(frozen=True)
class PollResult:
    """Result of a poll; the catalogue is scored."""

    catalogue: Catalogue
    masters: Sequence[MasterState]
    progress: ScanProgress
    has_list: bool
    """A master sent a list, perhaps an empty one. Servers that are known without a poll do not count."""

    @property
    def has_answers(self) -> bool:
        """Whether a master sent a list or a server answered."""
        answered = np.isin(self.catalogue.status, (QueryStatus.OK, QueryStatus.MALFORMED))
        return self.has_list or bool(answered.any())


_PLAYER_FIELDS, _PAST_FIELDS = frozenset(("friend", "friends", "player")), frozenset(("trend", "forecast"))
"""Fields that need player lists, and those that need stored samples."""


class PollSession:
    """Polls selected sources into one catalogue, as often as wanted."""

    def __init__(
        self,
        storage: UserStorage,
        sources: SelectedSources,
        scanner: Scanner,
        catalogue: Catalogue,
        scoring: ScoringContext,
        game_finder: GameFinder,
        *,
        own_skill: Callable[[str], OwnSkill | None],
        pace: Pace,
        wait: Callable[[ServerPoll, Callable[[], None]], None],
    ) -> None:
        """Nothing is polled yet.

        `own_skill` returns the user's skill in a game, which `scoring` uses, with its source. `wait` returns when a
        poll has ended, and calls the given function now and then to merge answers.
        """
        self.scanner, self.pace, self.catalogue, self.scoring = scanner, pace, catalogue, scoring
        self.sources = sources.sources
        self.game_finder, self.own_skill = game_finder, own_skill
        self.catalogue.installed_games = sources.installed_games
        self._installed: InstalledGamesSearch | None = None
        self._has_results = False
        self.steam_key = sources.steam_key_getter(storage)
        self._favourites = favourite_targets(storage.favourites) if sources.from_settings else ()
        needed_by_score = {"friend": len(storage.friends) > 0, "forecast": catalogue.use_forecast}
        self._fields = frozenset(field for field, is_needed in needed_by_score.items() if is_needed)
        self._samples, self._wait = storage.server_samples, wait
        self._simulated_past = sources.demo.server_history if sources.demo is not None else None

    def require_fields(self, fields: Iterable[str]) -> None:
        """Load what is needed to filter and sort by these fields.

        What the score needs is loaded anyway.
        """
        self._fields |= frozenset(fields)

    def poll(self, parts: QueryParts | None = None, sources: QuerySources | None = None) -> PollResult:
        """Poll the selected sources, or others, once.

        The favourites are queried, too, unless `sources` are given or the settings do not name the sources.
        By default servers are asked for their players only where a field needs them.

        Raises:
            UsageError: the pace is for servers on this machine, and not all are.
        """
        known = self._favourites if sources is None else ()
        sources = sources or self.sources
        poll = self._start_poll(sources, parts, known)
        if self.catalogue.installed_games is None:  # not before the first queries, which it would delay
            self._installed = InstalledGamesSearch(self.game_finder.find_all)
        self._wait(poll, lambda: self._merge_answers(poll))
        if poll.refusal_reason:
            raise UsageError(f"--{poll.refusal_reason}")
        mark_startup("scan_done")
        self._use_installed_games()
        merge_steam_counts(self.catalogue, poll.steam_counts, time.time())
        self.rescore()
        states = poll.master_states
        has_list = any(
            state.ok and not (state.servers and master.known_servers)
            for master, state in zip(sources.masters, states, strict=True)
        )
        return PollResult(self.catalogue, states, poll.progress, has_list)

    def _start_poll(self, sources: QuerySources, parts: QueryParts | None, known: Sequence[QueryTarget]) -> ServerPoll:
        if parts is None:
            parts = QueryParts.INFO | QueryParts.PLAYERS if self._fields & _PLAYER_FIELDS else QueryParts.INFO
        try:
            return start_poll(self.scanner, sources, pace=self.pace, parts=parts, steam_key=self.steam_key, known=known)
        except ValueError as error:
            raise UsageError(f"--{error}") from None  # "pace unlimited: …"

    def _merge_answers(self, poll: ServerPoll) -> None:
        results = poll.scan.results
        if not (results or poll.descriptions):
            return
        self._use_installed_games()
        if results and not self._has_results:
            self._has_results = True
            mark_startup("first_answer")
        described = [poll.descriptions.popleft() for _ in range(len(poll.descriptions))]
        merge_descriptions(self.catalogue, described, time.time())
        self.catalogue.merge([results.popleft() for _ in range(len(results))])

    def _use_installed_games(self) -> None:
        """Wait for the installed games, whose servers without a profile they identify."""
        if self.catalogue.installed_games is None and self._installed is not None:
            self.catalogue.installed_games = self._installed.result()

    def rescore(self) -> None:
        """Score all servers again, with trends and forecasts where a field needs them."""
        if self._fields & _PAST_FIELDS:
            for batch in self._simulated_past(time.time()) if self._simulated_past is not None else ():
                self._samples.add_series(batch).result()
            self._simulated_past = None
        if "trend" in self._fields:
            load_trends(self.catalogue, self._samples)
        if "forecast" in self._fields:
            forecast_players(self.catalogue, self._samples)
        self.catalogue.rescore(self.scoring.own_skill, self.scoring.preset)
