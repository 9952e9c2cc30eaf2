"""Filter and limits for the addresses that one master server lists."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from browser_app.catalogue.server_info import DescribedServer, QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.steam_key_request import SteamKeyRequest
from browser_app.engine.network.address_rules import NetworkScope, is_loopback, may_list_address
from browser_app.engine.network.host_resolver import group_by_hostname, is_ip_address, resolve_named_targets
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import decimal_text
from browser_app.protocols.address import Address

MAX_SERVERS_PER_HOST = 256
"""Ports per IP address; the largest game server hosts use some dozens."""


class PerHostLimit:
    """Servers per IP address, counted over all masters of a poll. Thread-safe."""

    def __init__(self, known: Iterable[Address] = ()) -> None:
        """Count `known`, servers that are queried anyway."""
        self._lock = threading.Lock()
        self._admitted: set[Address] = set()
        self._count_by_host: Counter[str] = Counter()
        self.allow_known(known)

    def allow_known(self, addresses: Iterable[Address]) -> None:
        """Count servers that are queried anyway, regardless of the limit."""
        with self._lock:
            new = set(addresses) - self._admitted
            self._admitted |= new
            self._count_by_host.update(address.host for address in new)

    def admit(self, address: Address) -> bool:
        """Return whether an address is within the limit or already counted.

        Loopback has no limit.
        """
        with self._lock:
            if address in self._admitted:
                return True
            if self._count_by_host[address.host] >= MAX_SERVERS_PER_HOST and not is_loopback(address.host):
                return False
            self._admitted.add(address)
            self._count_by_host[address.host] += 1
            return True


@dataclass(frozen=True, slots=True)
class MasterPollContext:
    """What the masters of one poll share across their threads."""

    host_limit: PerHostLimit = field(default_factory=PerHostLimit)
    steam_key: SteamKeyRequest = field(default_factory=lambda: SteamKeyRequest(lambda: None))
    cancel_token: CancelToken = field(default_factory=CancelToken)
    responding_masters: set[Address] = field(default_factory=set)
    """Addresses of masters that have answered anything in this poll."""


MAX_SERVERS_PER_MASTER = 65_536
"""More than any real master has ever listed."""
MAX_HOSTNAMES = 256
"""Different host names resolved for one remote list."""


class TargetSink:
    """Receives one master's servers and emits those that it may list.

    Without duplicates and within limits.

    Only for the thread that polls the master.
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
        self._over_host_limit: set[Address] = set()
        self._skipped_hostnames = 0

    @property
    def count(self) -> int:
        """Number of emitted servers."""
        return len(self._seen)

    @property
    def is_full(self) -> bool:
        """Whether the limit of servers is reached."""
        return len(self._seen) + len(self._over_host_limit) >= MAX_SERVERS_PER_MASTER

    @property
    def omission_messages(self) -> list[str]:
        """Messages for the user about omitted servers."""
        messages = []
        if self.is_full:
            messages.append(_("list cut off after {n} servers").format(n=decimal_text(MAX_SERVERS_PER_MASTER, 0)))
        if self._over_host_limit:
            text = ngettext(
                "{n} server left out: more than {most} at one address",
                "{n} servers left out: more than {most} at one address",
                len(self._over_host_limit),
            )
            messages.append(text.format(n=decimal_text(len(self._over_host_limit), 0), most=MAX_SERVERS_PER_HOST))
        if self._skipped_hostnames:
            text = ngettext(
                "{n} host name left out: more than {most} listed",
                "{n} host names left out: more than {most} listed",
                self._skipped_hostnames,
            )
            messages.append(text.format(n=decimal_text(self._skipped_hostnames, 0), most=MAX_HOSTNAMES))
        return messages

    def add(self, targets: Iterable[QueryTarget], scope: NetworkScope) -> None:
        """Emit targets that a source with this `scope` may list; host names are skipped."""
        batch = self._admit(targets, scope)
        if batch and not self.cancel_token.is_cancelled:
            self._emit(batch)

    def add_described(self, servers: Iterable[DescribedServer], scope: NetworkScope) -> None:
        """Emit servers that the source describes.

        Their targets are emitted as by `add`, to be queried.
        """
        by_address = {server.target.address: server for server in servers}
        batch = self._admit((server.target for server in by_address.values()), scope)
        if batch and not self.cancel_token.is_cancelled:
            self._emit_described([by_address[target.address] for target in batch])
            self._emit(batch)

    def _admit(self, targets: Iterable[QueryTarget], scope: NetworkScope) -> list[QueryTarget]:
        batch: list[QueryTarget] = []
        for target in targets:
            if self.is_full:
                break
            if target.address in self._seen or not may_list_address(scope, target.address):
                continue
            if self.context.host_limit.admit(target.address):
                self._seen.add(target.address)
                batch.append(target)
            else:
                self._over_host_limit.add(target.address)
        return batch

    def add_resolving(self, targets: Sequence[QueryTarget], scope: NetworkScope) -> None:
        """Emit targets like `add`, but resolve host names and check their addresses.

        At most `MAX_HOSTNAMES` names of a remote list are resolved.
        """
        self.add((target for target in targets if is_ip_address(target.address.host)), scope)
        by_name = group_by_hostname(targets)
        most = len(by_name) if scope is NetworkScope.THIS_MACHINE else MAX_HOSTNAMES
        self._skipped_hostnames += max(0, len(by_name) - most)
        for _name, resolved in resolve_named_targets(dict(islice(by_name.items(), most)), self.cancel_token):
            self.add(resolved, scope)
