"""One poll of several master servers, each in its own thread."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.dpmaster_client import poll_dpmaster
from browser_app.engine.masters.lan_discovery import poll_lan
from browser_app.engine.masters.master_types import (
    DpMaster,
    FileMaster,
    LanMaster,
    MasterSource,
    SteamNetworkMaster,
    SteamWebMaster,
    WebListMaster,
)
from browser_app.engine.masters.steam_key_request import SteamKeyGetter, SteamKeyRequest
from browser_app.engine.masters.steam_network_master import poll_steam_network
from browser_app.engine.masters.target_sink import MasterError, MasterTimeoutError, PerHostLimit, TargetSink
from browser_app.engine.masters.web_masters import poll_steam_web, poll_web_list
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.language import N_, gettext
from browser_app.protocols.address import Address

MASTER_TIMEOUT_S = 20.0
"""What a master may take."""
_MAX_ERROR_LENGTH = 300
"""Characters of an error text; strangers have a say in it."""
NO_ANSWER_TEXT = N_("no answer within {:g} s")
INCOMPLETE_TEXT = N_("incomplete list: timed out after {:g} s")


@dataclass(frozen=True, slots=True)
class MasterState:
    """How far a master is."""

    url: str
    """As given; any key in it is made unreadable."""
    ok: bool = False
    """It answered with a list, perhaps an empty or incomplete one."""
    servers: int = 0
    """Length of its own list, as far as it may name those servers."""
    error: str | None = None
    """What went wrong, in words for the user; a list that is `ok` may have one."""
    is_done: bool = False


class MasterPoll:
    """One round to several masters. Every method may be called from every thread."""

    def __init__(
        self,
        masters: Sequence[MasterSource],
        on_targets: Callable[[MasterSource, Sequence[QueryTarget]], None],
        *,
        steam_key: SteamKeyGetter = lambda: None,
        on_done: Callable[[], None] = lambda: None,
        timeout_s: float = MASTER_TIMEOUT_S,
        host_limit: PerHostLimit | None = None,
    ) -> None:
        """Nothing is asked yet.

        Args:
            masters: whom to ask.
            on_targets: takes each batch of servers, in the thread of the master that names them.
            steam_key: the user's Steam Web API key; called at most once, in a thread of its own.
            on_done: called when all masters are done, in the last one's thread (in that of `start` without masters).
            timeout_s: how long each may take.
            host_limit: how much room there is for servers of one IP address, for all masters together.
        """
        self._masters = tuple(masters)
        self._on_targets = on_targets
        self._on_done = on_done
        self._steam_key = SteamKeyRequest(steam_key)
        self._timeout_s = timeout_s
        self._host_limit = host_limit or PerHostLimit()
        self._responding_masters = set[Address]()
        self._cancel_token = CancelToken()
        self._timer = threading.Timer(timeout_s, self._cancel_token.cancel)
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._states = [MasterState(master.url) for master in self._masters]
        self._open_masters = len(self._masters)
        self._finished = threading.Event()

    def start(self) -> None:
        """Ask them all."""
        if not self._masters:
            self._finish()
            return
        self._timer.daemon = True
        self._timer.start()
        for place, master in enumerate(self._masters):
            threading.Thread(target=self._run_master, args=(place, master), name=f"master {place}", daemon=True).start()

    @property
    def states(self) -> tuple[MasterState, ...]:
        """How far each is, in the order given."""
        with self._lock:
            return tuple(self._states)

    @property
    def is_finished(self) -> bool:
        """All masters are done."""
        return self._finished.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all are done, at most `timeout` seconds; whether they are."""
        return self._finished.wait(timeout)

    def cancel(self) -> None:
        """Break everything off; no further targets come."""
        self._is_cancelled = True
        self._cancel_token.cancel()

    def _run_master(self, place: int, master: MasterSource) -> None:
        def send(targets: Sequence[QueryTarget]) -> None:
            self._on_targets(master, targets)
            self._update_state(place, servers=delivery.count)

        delivery = TargetSink(send, self._cancel_token, self._host_limit)
        error: str | None = gettext("stopped by an internal error")
        late: str | None = None
        ok = False
        try:
            if self._cancel_token.is_cancelled:
                raise MasterError(gettext("cancelled"))
            said = self._poll_by_kind(master, delivery)
            error = "; ".join(filter(None, [said, *delivery.omission_messages])) or None
            ok = True
        except MasterTimeoutError as failure:
            late = str(failure)
        except MasterError as failure:
            error = str(failure)
        finally:
            if self._cancel_token.is_cancelled:
                ok, error = ok or delivery.count > 0, self._stop_reason(delivery, late)
            error = error and error[:_MAX_ERROR_LENGTH]
            self._update_state(place, ok=ok, servers=delivery.count, error=error, done=True)
            self._master_done()

    def _poll_by_kind(self, master: MasterSource, sink: TargetSink) -> str | None:
        """Ask one master; what is to say about its list, None when all is well."""
        match master:
            case DpMaster():
                return poll_dpmaster(master, sink, responding_masters=self._responding_masters)
            case SteamWebMaster():
                poll_steam_web(master, sink, self._steam_key)
            case SteamNetworkMaster():
                poll_steam_network(master, sink)
            case WebListMaster():
                return poll_web_list(master, sink)
            case FileMaster():
                sink.add_resolving(master.servers, NetworkScope.THIS_MACHINE)
            case LanMaster():
                return poll_lan(master, sink)
            case _:
                assert_never(master)
        return None

    def _stop_reason(self, sink: TargetSink, late: str | None) -> str:
        if self._is_cancelled:
            return gettext("cancelled")
        return late or gettext(INCOMPLETE_TEXT if sink.count else NO_ANSWER_TEXT).format(self._timeout_s)

    def _update_state(self, place: int, **changes: object) -> None:
        with self._lock:
            self._states[place] = replace(self._states[place], **changes)  # type: ignore[arg-type] # its own fields

    def _master_done(self) -> None:
        with self._lock:
            self._open_masters -= 1
            last = self._open_masters == 0
        if last:
            self._timer.cancel()
            self._finish()

    def _finish(self) -> None:
        try:
            self._on_done()
        finally:
            self._finished.set()


def should_keep_old_list(before: int, state: MasterState) -> bool:
    """Whether an earlier list of `before` servers is to be kept, because what came now is no better word.

    Steam answers with an empty list, and no error, to those who ask too often: so an empty list after a full one is a
    failure, as is no list.
    """
    return before > 0 and state.is_done and (not state.ok or state.servers == 0)
