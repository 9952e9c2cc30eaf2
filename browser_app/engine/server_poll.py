"""One poll: the master servers, then every server they list."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from browser_app.catalogue.server_info import DescribedServer, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.host_limit import PerHostLimit
from browser_app.engine.masters.master_poll import MasterPoll, MasterState
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter
from browser_app.engine.network.host_resolver import (
    group_by_hostname,
    has_unknown_address,
    is_ip_address,
    resolve_named_targets,
)
from browser_app.engine.network.srv_records import follow_srv_records
from browser_app.engine.poll_listings import PollListings
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.query_timing import Pace, QueryTiming
from browser_app.engine.query.scan import Scan, ScanProgress, build_failed_result
from browser_app.engine.query.scanner import Scanner
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import QueryParts


def check_sources_at_pace(sources: QuerySources, known: Iterable[QueryTarget], pace: Pace) -> None:
    """Check that every source known so far may be polled at this pace.

    Raises:
        ValueError: the pace is for servers on this machine, and a source is elsewhere; the text names both.
    """
    for master in sources.masters:
        if pace.loopback_only and not master.is_on_this_machine:
            raise ValueError(f"pace {pace.name}: {master.url} is not on this machine")
    targets = chain(known, sources.servers, *(master.known_servers for master in sources.masters))
    pace.check_targets(target for target in targets if is_ip_address(target.address.host))


_BATCH_SIZE = 200
"""Known servers added at once: more would block the window, whose thread shares the interpreter."""
_BATCH_PAUSE_S = 0.004
"""Pause between two batches."""


class ServerPoll:
    """One poll of masters and servers. Thread-safe.

    Attributes:
        scan: queries to servers; its `results` are drained by one consumer, and include one for each server whose host
            is unknown.
        listed: servers of lists that are not to be queried, drained by the same consumer.
        descriptions: servers that masters describe, drained by the same consumer; a server's own result is newer.
        listings: which source listed which servers.
        resolved_targets: address with a host name → the server found there.
        steam_counts: players that Steam knows of, by query address, of the servers that Steam lists.
        refusal_reason: why the poll was cancelled, if a server is not on the machine that the pace is meant for.
    """

    def __init__(
        self,
        scan: Scan,
        sources: QuerySources,
        known: Sequence[QueryTarget],
        steam_key: SteamKeyGetter,
        host_budget: HostBudget,
        *,
        skip_known: bool,
        query_listed: bool,
    ) -> None:
        """Create a poll; called by `start_poll`."""
        self.scan = scan
        self.listed: deque[QueryTarget] = deque()
        self.descriptions: deque[DescribedServer] = deque()
        self.listings = PollListings()
        self.resolved_targets = dict[Address, QueryTarget]()
        self.steam_counts = dict[Address, int]()
        self.refusal_reason: str | None = None
        self._host_limit = PerHostLimit()
        self._master_poll = MasterPoll(
            sources.masters,
            self._add_targets,
            on_described=self.descriptions.extend,
            on_listed=self.listings.add,
            steam_key=steam_key,
            on_done=self._finish_part,
            host_limit=self._host_limit,
            host_budget=host_budget,
        )
        self._named_servers = tuple(target for target in sources.servers if target.is_queryable)
        self._known, self._skip_known, self._query_listed = tuple(known), skip_known, query_listed
        self._known_by_name: list[QueryTarget] = []
        """Known servers whose host names are to be resolved."""
        self._skipped_addresses = set[Address]()
        self._cancel_token = CancelToken()
        self._lock = threading.Lock()
        self._open_parts = 2  # the masters, and the servers whose names are resolved

    def start(self) -> None:
        """Start the poll, once, without blocking; called by `start_poll`.

        This holds however many servers are known.
        """
        if len(self._known) > _BATCH_SIZE:
            threading.Thread(target=self._add_all, name="known servers", daemon=True).start()
        else:
            self._add_all()

    def _add_all(self) -> None:
        self._add_known()
        self._add_named([target for target in self._named_servers if is_ip_address(target.address.host)])
        by_name = group_by_hostname((*self._named_servers, *self._known_by_name))
        if by_name:
            threading.Thread(target=self._resolve_and_add, args=(by_name,), name="server names", daemon=True).start()
        else:
            self._finish_part()
        self._master_poll.start()

    def _add_known(self) -> None:
        for first in range(0, len(self._known), _BATCH_SIZE):
            if first:
                time.sleep(_BATCH_PAUSE_S)
            if self._cancel_token.is_cancelled:
                return
            portion = self._known[first : first + _BATCH_SIZE]
            self._host_limit.allow_known(target.address for target in portion)
            if self._skip_known:
                self._skipped_addresses.update(target.address for target in portion)
            else:
                by_name = [each for each in portion if has_unknown_address(each)]
                self._known_by_name += by_name
                self.scan.add([each for each in portion if each not in by_name])

    @property
    def source_urls(self) -> list[str]:
        """URL of each master, and "" if there are servers that the user named."""
        return [state.url for state in self.master_states] + ([""] if self._named_servers else [])

    @property
    def master_states(self) -> tuple[MasterState, ...]:
        """State of each master, in the order given."""
        return self._master_poll.states

    @property
    def progress(self) -> ScanProgress:
        """Progress of the queries to servers."""
        return self.scan.progress

    @property
    def is_finished(self) -> bool:
        """Whether the poll has ended; see `has_unread`."""
        return self._master_poll.is_finished and self.scan.finished.is_set()

    @property
    def has_unread(self) -> bool:
        """Whether results or descriptions are left to be read."""
        return bool(self.scan.results or self.descriptions or self.listed)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the poll has finished, at most `timeout` seconds.

        Returns whether it has.
        """
        began = time.monotonic()
        if not self.scan.wait(timeout):
            return False
        return self._master_poll.wait(None if timeout is None else max(0.0, began + timeout - time.monotonic()))

    def cancel(self) -> None:
        """Cancel all masters and queries."""
        self._cancel_token.cancel()
        self._master_poll.cancel()
        self.scan.cancel()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancel_token.is_cancelled

    def _add_targets(self, targets: Sequence[QueryTarget], *, is_known: bool = False) -> None:
        self.steam_counts |= {each.address: each.steam_players for each in targets if each.steam_players is not None}
        new = [target for target in targets if target.address not in self._skipped_addresses]
        if not (self._query_listed or is_known):
            self.listed.extend(new)
            return
        try:
            self.scan.add(new)
        except ValueError as error:
            self.refusal_reason = self.refusal_reason or str(error)
            self.cancel()

    def _add_named(self, targets: Sequence[QueryTarget]) -> None:
        self.listings.add("", targets)
        self._add_targets(targets)

    def _resolve_and_add(self, by_name: dict[str, list[QueryTarget]]) -> None:
        """Resolve host names and add their servers.

        A server whose host name cannot be resolved gets a failed result.
        """
        try:
            given = [target for targets in by_name.values() for target in targets]
            followed = follow_srv_records(given, self._cancel_token)
            by_name, unknown = group_by_hostname(followed), group_by_hostname(followed)
            known_addresses = {each.address for each in self._known_by_name}
            origins = {target.address: each.address for each, target in zip(given, followed, strict=True)}
            for name, targets in resolve_named_targets(by_name, self._cancel_token):
                del unknown[name]
                self.resolved_targets |= {origins[Address(name, each.address.port)]: each for each in targets}
                known = [each for each in targets if origins[Address(name, each.address.port)] in known_addresses]
                self._add_targets(known, is_known=True)
                self._add_named([each for each in targets if each not in known])
            for name, named in unknown.items():
                self.listings.add("", named)
                self.scan.results.extend(
                    build_failed_result(target, f"host name {name} cannot be resolved") for target in named
                )
        finally:
            self._finish_part()

    def _finish_part(self) -> None:
        with self._lock:
            self._open_parts -= 1
            last = self._open_parts == 0
        if last:
            self.scan.seal()


def start_poll(
    scanner: Scanner,
    sources: QuerySources,
    *,
    pace: Pace,
    parts: QueryParts = QueryParts.INFO,
    timing: QueryTiming | None = None,
    steam_key: Callable[[], str | None] = lambda: None,
    known: Sequence[QueryTarget] = (),
    skip_known: bool = False,
    query_listed: bool = True,
) -> ServerPoll:
    """Poll masters and servers.

    Args:
        scanner: queries the servers.
        sources: masters and servers to query.
        pace: send rate to servers.
        parts: parts requested from servers; see `Scanner.scan`.
        timing: attempts and timeouts for servers.
        steam_key: returns the user's Steam Web API key; called in another thread.
        known: servers of earlier polls, queried at once and before all others.
        skip_known: query only servers that are not in `known`.
        query_listed: query the servers of the lists; otherwise they are only passed on.

    Raises:
        ValueError: the pace is for servers on this machine, and a known source is not. Sources found out later set
            `ServerPoll.refusal_reason`.
    """
    check_sources_at_pace(sources, known, pace)
    scan = scanner.scan(pace=pace, parts=parts, timing=timing)
    poll = ServerPoll(
        scan, sources, known, steam_key, scanner.host_budget, skip_known=skip_known, query_listed=query_listed
    )
    poll.start()
    return poll
