"""Filter and limits for the addresses that one master server lists."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.host_limit import MAX_LISTED_PER_HOST, PerHostLimit
from browser_app.engine.masters.parsing_turns import ListParsing
from browser_app.engine.masters.steam.steam_key_request import SteamKeyRequest
from browser_app.engine.network.address_rules import NetworkScope, may_list_address
from browser_app.engine.network.host_resolver import group_by_hostname, resolve_named_targets
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import HostBudget
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_code import is_code_address

MAX_SERVERS_PER_MASTER = 65_536
"""More than any real master has ever listed."""
MAX_SERVERS_PER_POLL = 32_768
"""Servers on the lists of all masters of a poll, as many as on three full lists of Steam. Each takes 2 KB until the
poll has ended.
"""
MAX_HOSTNAMES = 256
"""Different host names resolved for one remote list."""
MAX_HOSTNAMES_PER_POLL = 1_024
"""Host names resolved for all remote lists of a poll."""
MAX_REJECTED_ENTRIES = 16_384
"""Entries of one list that name no further server: invalid, repeated or not allowed. Steam lists several thousand
servers that only its relay network reaches.
"""
MAX_DESCRIPTIONS = 8_192
"""Servers of one list whose descriptions are kept; of further ones only the addresses."""
MAX_DESCRIBED_VALUES_PER_POLL = 200_000
"""Servers, players and rules that the lists of a poll describe; each takes some 0.2 KB. Further servers are listed
without a description.
"""
_CHARACTERS_PER_VALUE = 64
"""Longer rules count as several values: a character takes up to four bytes, as sent and again as plain text."""
MAX_STREAM_SERVERS_PER_POLL = 1_024
"""Servers over TCP on remote lists that are new in a poll; if all are silent, waiting for them takes 16 s. Those that
answered before are queried anyway, so that a longer list gets its turn over several polls.
"""
_FIRST_GAME_PORT = 1024
"""Ports below are those of system services."""
_BATCH_SIZE = 256
"""Values of entries, at most, that are parsed in one turn."""
_CHECK_INTERVAL = 16
"""Values of entries parsed between two checks whether the turn should end."""
_PORTION_SIZE = 64
"""Servers of one datagram that are filtered between two such checks."""


class PollQuota:
    """Quota shared by the lists of all masters of a poll. Thread-safe.

    Lists are parsed in turns, so that a short one is done before long ones have used up the quota.
    """

    def __init__(self, size: int) -> None:
        self._lock = threading.Lock()
        self._left = size

    def try_use(self, amount: int = 1) -> bool:
        """Use some of the quota, or nothing if less is left; return whether it was used."""
        with self._lock:
            is_enough = amount <= self._left
            self._left -= amount if is_enough else 0
            return is_enough


@dataclass(frozen=True, slots=True)
class MasterPollContext:
    """What the masters of one poll share across their threads."""

    host_limit: PerHostLimit = field(default_factory=PerHostLimit)
    steam_key: SteamKeyRequest = field(default_factory=lambda: SteamKeyRequest(lambda: None))
    cancel_token: CancelToken = field(default_factory=CancelToken)
    responding_masters: set[Address] = field(default_factory=set)
    """Addresses of masters that have answered anything in this poll."""
    host_budget: HostBudget = field(default_factory=lambda: HostBudget(EngineClock()))
    """That of the whole process: requests to masters count, too."""
    server_quota: PollQuota = field(default_factory=lambda: PollQuota(MAX_SERVERS_PER_POLL))
    stream_quota: PollQuota = field(default_factory=lambda: PollQuota(MAX_STREAM_SERVERS_PER_POLL))
    hostname_quota: PollQuota = field(default_factory=lambda: PollQuota(MAX_HOSTNAMES_PER_POLL))
    description_quota: PollQuota = field(default_factory=lambda: PollQuota(MAX_DESCRIBED_VALUES_PER_POLL))


ListEntry = QueryTarget | DescribedServer | None
"""One entry of a list; None if it names no server."""


class TargetSink:
    """Receives one master's servers and emits those that it may list.

    They are emitted without duplicates and within limits. Only for the thread that polls the master.
    """

    def __init__(
        self,
        emit: Callable[[Sequence[QueryTarget]], None],
        context: MasterPollContext,
        emit_described: Callable[[Sequence[DescribedServer]], None] = lambda _: None,
    ) -> None:
        """Emit non-empty batches in the calling thread.

        Those with descriptions go to `emit_described` first.
        """
        self.context = context
        self.cancel_token = context.cancel_token
        self._emit = emit
        self._emit_described = emit_described
        self._seen: set[Address] = set()
        self._host_limit = PerHostLimit(MAX_LISTED_PER_HOST)
        self._over_host_limit: set[Address] = set()
        self._over_stream_limit: set[Address] = set()
        self._skipped_named = 0
        self._rejected_count = 0
        self._is_quota_used_up = False
        self._description_count = 0
        self.parsing = ListParsing()
        """Has the parsing turn inside its `with` block; `add_entries` acquires it itself."""

    @property
    def count(self) -> int:
        """Number of emitted servers."""
        return len(self._seen)

    @property
    def is_full(self) -> bool:
        """Whether a limit of servers or of entries without one is reached."""
        return (
            self._listed_count >= MAX_SERVERS_PER_MASTER
            or self._rejected_count >= MAX_REJECTED_ENTRIES
            or self._is_quota_used_up
        )

    @property
    def _listed_count(self) -> int:
        """Number of servers that the master may list, with those left out."""
        return len(self._seen) + len(self._over_host_limit) + len(self._over_stream_limit)

    @property
    def omission_messages(self) -> list[str]:
        """Messages for the user about omitted servers."""
        messages = []
        if self._rejected_count >= MAX_REJECTED_ENTRIES:
            text = _("list cut off after {n} entries without a server")
            messages.append(text.format(n=integer_text(MAX_REJECTED_ENTRIES)))
        elif self.is_full:
            messages.append(_("list cut off after {n} servers").format(n=integer_text(self._listed_count)))
        over_host, over_stream, named = len(self._over_host_limit), len(self._over_stream_limit), self._skipped_named
        on_host = ngettext(
            "{n} server left out: too many on one machine", "{n} servers left out: too many on one machine", over_host
        )
        by_stream = ngettext(
            "{n} server not queried this time: too many over TCP",
            "{n} servers not queried this time: too many over TCP",
            over_stream,
        )
        by_name = ngettext(
            "{n} server left out: too many host names listed",
            "{n} servers left out: too many host names listed",
            named,
        )
        counts = ((on_host, over_host), (by_stream, over_stream), (by_name, named))
        return messages + [text.format(n=integer_text(number)) for text, number in counts if number]

    def add(self, targets: Iterable[QueryTarget], scope: NetworkScope) -> None:
        """Emit targets that a source with this `scope` may list; host names are skipped.

        If the caller has the parsing turn, others get it in between.
        """
        targets = iter(targets)
        while (portion := list(islice(targets, _PORTION_SIZE))) and not self.is_full:
            self._add(portion, {}, scope)
            self.parsing.yield_when_due()

    def _add(self, targets: Iterable[QueryTarget], infos: Mapping[Address, ServerInfo], scope: NetworkScope) -> None:
        """Emit targets like `add`, those that `infos` describes with their description."""
        batch = self._admit(targets, scope)
        if not batch or self.cancel_token.is_cancelled:
            return
        described = [DescribedServer(each, infos[each.address]) for each in batch if each.address in infos]
        described = described[: MAX_DESCRIPTIONS - self._description_count]
        described = [each for each in described if self.context.description_quota.try_use(_count_values(each))]
        self._description_count += len(described)
        if described:
            self._emit_described(described)
        self._emit(batch)

    def _admit(self, targets: Iterable[QueryTarget], scope: NetworkScope) -> list[QueryTarget]:
        batch: list[QueryTarget] = []
        for target in targets:
            if self.is_full:
                break
            address = target.address
            if self._is_repeated(address) or not _may_list(scope, target):
                self._rejected_count += 1
            elif not self._may_connect(target, scope):
                self._over_stream_limit.add(address)
            elif self._host_limit.admit(address) and self.context.host_limit.admit(address):
                if not self.context.server_quota.try_use():
                    self._is_quota_used_up = True
                    break
                self._seen.add(address)
                batch.append(target)
            else:
                self._over_host_limit.add(address)
        return batch

    def _is_repeated(self, address: Address) -> bool:
        return address in self._seen or address in self._over_host_limit or address in self._over_stream_limit

    def _may_connect(self, target: QueryTarget, scope: NetworkScope) -> bool:
        """Return whether one more server may be queried over TCP.

        The number of connections for one poll is limited. A list on this machine and servers that are queried anyway
        have no limit.
        """
        if scope is NetworkScope.THIS_MACHINE or not _is_stream(target) or target.address in self.context.host_limit:
            return True
        return self.context.stream_quota.try_use()

    def add_entries(self, entries: Iterable[ListEntry], scope: NetworkScope) -> None:
        """Emit the servers of a list while it is parsed, in turns with other lists.

        Host names are resolved at the end, at most `MAX_HOSTNAMES` of a remote list. Parsing stops when the sink is
        full or cancelled.

        Args:
            entries: servers, some of them described; None for an entry without one. If they are parsed while they
                arrive, the caller leaves the parsing turn to others while it waits for them.
            scope: that of the source.
        """
        by_name: dict[str, list[QueryTarget]] = {}
        named_infos: dict[Address, ServerInfo] = {}
        entries = iter(entries)
        with self.parsing:
            is_over = False
            while not is_over and not self.is_full:
                batch: list[ListEntry] = []
                try:
                    self._fill_batch(batch, entries)
                finally:  # the servers before a syntax error or the loss of the connection count
                    self._add_batch(batch, by_name, named_infos, scope)
                is_over = not batch
                if self.cancel_token.is_cancelled:
                    return
                self.parsing.yield_turn()
            for name, resolved in self.parsing.wait_for_each(resolve_named_targets(by_name, self.cancel_token)):
                named = zip(by_name[name], resolved, strict=True)
                infos = {
                    target.address: named_infos[each.address] for each, target in named if each.address in named_infos
                }
                self._add(resolved, infos, scope)

    def _fill_batch(self, batch: list[ListEntry], entries: Iterator[ListEntry]) -> None:
        """Add the next entries to the batch.

        Adds as many as have `_BATCH_SIZE` values or take a turn, or all before an error.
        """
        count = checked_at = 0
        for entry in entries:
            batch.append(entry)
            count += _count_values(entry)
            if count - checked_at >= _CHECK_INTERVAL:
                checked_at = count
                if count >= _BATCH_SIZE or self.parsing.is_due:
                    return

    def _add_batch(
        self,
        batch: Sequence[ListEntry],
        by_name: dict[str, list[QueryTarget]],
        named_infos: dict[Address, ServerInfo],
        scope: NetworkScope,
    ) -> None:
        """Emit the servers with an IP address; keep the others until they are resolved."""
        infos = {each.target.address: each.info for each in batch if isinstance(each, DescribedServer)}
        targets = [each.target if isinstance(each, DescribedServer) else each for each in batch if each is not None]
        self._rejected_count += len(batch) - len(targets)
        named = group_by_hostname(target for target in targets if not is_code_address(target.address))
        self._add((target for target in targets if target.address.host not in named), infos, scope)
        self._add_named(by_name, named, scope)
        kept = {target.address for host in {each.address.host for each in targets} for target in by_name.get(host, ())}
        named_infos |= {address: info for address, info in infos.items() if address in kept}

    def _add_named(
        self, by_name: dict[str, list[QueryTarget]], new: dict[str, list[QueryTarget]], scope: NetworkScope
    ) -> None:
        """Add targets with a host name as far as the limits allow."""
        for name, targets in new.items():
            if name not in by_name and scope is not NetworkScope.THIS_MACHINE and not self._may_resolve(len(by_name)):
                self._skipped_named += len(targets)
                self._rejected_count += len(targets)
                continue
            kept = by_name.setdefault(name, [])
            self._rejected_count += max(0, len(kept) + len(targets) - MAX_LISTED_PER_HOST)
            kept += targets[: MAX_LISTED_PER_HOST - len(kept)]

    def _may_resolve(self, name_count: int) -> bool:
        """Return whether one more of a remote list's host names may be resolved."""
        return name_count < MAX_HOSTNAMES and self.context.hostname_quota.try_use()


def _may_list(scope: NetworkScope, target: QueryTarget) -> bool:
    """Return whether a source with this `scope` may list a server.

    TCP servers at ports of other services, such as mail, are refused unless the list is on this machine. Servers that
    are joined by a code are allowed, as they are sent nothing.
    """
    if is_code_address(target.address):
        return True
    if target.address.port < _FIRST_GAME_PORT and scope is not NetworkScope.THIS_MACHINE and _is_stream(target):
        return False
    return may_list_address(scope, target.address)


def _is_stream(target: QueryTarget) -> bool:
    protocol = QUERY_PROTOCOLS.get(target.protocol)
    return protocol is not None and protocol.is_stream


def _count_values(entry: ListEntry) -> int:
    """Return how many values an entry has: 1, and its players and rules."""
    if not isinstance(entry, DescribedServer):
        return 1
    info = entry.info
    rule_count = sum(1 + len(text) // _CHARACTERS_PER_VALUE for text in (info.rules or {}).values())
    return 1 + len(info.player_list or ()) + rule_count + len(info.tags)
