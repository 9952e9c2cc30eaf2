"""Asking many masters at once, each in a thread of its own, with its own error and its own end."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach
from browser_app.engine.delivery import Delivery, MasterError, MasterLate
from browser_app.engine.host_room import HostRoom
from browser_app.engine.lan import poll_lan
from browser_app.engine.master_source import (
    DpMaster,
    FileMaster,
    LanMaster,
    MasterSource,
    SteamNetworkMaster,
    SteamWebMaster,
    WebListMaster,
)
from browser_app.engine.secret_store import KeyOnce, SteamKey
from browser_app.engine.steam_network import poll_steam_network
from browser_app.engine.stop import Stop
from browser_app.engine.udp_master import poll_dpmaster
from browser_app.engine.web_masters import poll_steam_web, poll_web_list
from browser_app.language import gettext, later
from browser_app.protocols.address import Address

LIMIT_S = 20.0
"""What a master may take."""
_MAX_ERROR = 300
"""Characters of an error text; strangers have a say in it."""
TIME_OVER = later("no answer within {:g} s")
CUT_SHORT = later("the list is incomplete: {:g} s were not enough")


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
    done: bool = False


class MasterPoll:
    """One round to several masters. Every method may be called from every thread."""

    def __init__(
        self,
        masters: Sequence[MasterSource],
        on_targets: Callable[[MasterSource, Sequence[Target]], None],
        *,
        steam_key: SteamKey = lambda: None,
        on_done: Callable[[], None] = lambda: None,
        limit_s: float = LIMIT_S,
        hosts: HostRoom | None = None,
    ) -> None:
        """Nothing is asked yet.

        Args:
            masters: whom to ask.
            on_targets: takes each batch of servers, in the thread of the master that names them.
            steam_key: the user's Steam Web API key; called at most once, in a thread of its own.
            on_done: called when all masters are done, in the last one's thread (in that of `start` without masters).
            limit_s: how long each may take.
            hosts: how much room there is for servers of one IP address, for all masters together.
        """
        self._masters = tuple(masters)
        self._on_targets = on_targets
        self._on_done = on_done
        self._steam_key = KeyOnce(steam_key)
        self._limit_s = limit_s
        self._hosts = hosts or HostRoom()
        self._talking = set[Address]()
        self._stop = Stop()
        self._timer = threading.Timer(limit_s, self._stop.set)
        self._cancelled = False
        self._lock = threading.Lock()
        self._states = [MasterState(master.url) for master in self._masters]
        self._open = len(self._masters)
        self._done = threading.Event()

    def start(self) -> None:
        """Ask them all."""
        if not self._masters:
            self._end()
            return
        self._timer.daemon = True
        self._timer.start()
        for place, master in enumerate(self._masters):
            threading.Thread(target=self._ask, args=(place, master), name=f"master {place}", daemon=True).start()

    @property
    def states(self) -> tuple[MasterState, ...]:
        """How far each is, in the order given."""
        with self._lock:
            return tuple(self._states)

    @property
    def done(self) -> bool:
        """All masters are done."""
        return self._done.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all are done, at most `timeout` seconds; whether they are."""
        return self._done.wait(timeout)

    def cancel(self) -> None:
        """Break everything off; no further targets come."""
        self._cancelled = True
        self._stop.set()

    def _ask(self, place: int, master: MasterSource) -> None:
        def send(targets: Sequence[Target]) -> None:
            self._on_targets(master, targets)
            self._put(place, servers=delivery.count)

        delivery = Delivery(send, self._stop, self._hosts)
        error: str | None = gettext("stopped by an error of this program")
        late: str | None = None
        ok = False
        try:
            if self._stop.is_set:
                raise MasterError(gettext("cancelled"))
            said = self._ask_kind(master, delivery)
            error = "; ".join(filter(None, [said, *delivery.left_out])) or None
            ok = True
        except MasterLate as failure:
            late = str(failure)
        except MasterError as failure:
            error = str(failure)
        finally:
            if self._stop.is_set:
                ok, error = ok or delivery.count > 0, self._why_stopped(delivery, late)
            error = error and error[:_MAX_ERROR]
            self._put(place, ok=ok, servers=delivery.count, error=error, done=True)
            self._one_done()

    def _ask_kind(self, master: MasterSource, delivery: Delivery) -> str | None:
        """Ask one master; what is to say about its list, None when all is well."""
        match master:
            case DpMaster():
                return poll_dpmaster(master, delivery, talking=self._talking)
            case SteamWebMaster():
                poll_steam_web(master, delivery, self._steam_key)
            case SteamNetworkMaster():
                poll_steam_network(master, delivery)
            case WebListMaster():
                return poll_web_list(master, delivery)
            case FileMaster():
                delivery.put_named(master.servers, Reach.MACHINE)
            case LanMaster():
                return poll_lan(master, delivery)
            case _:
                assert_never(master)
        return None

    def _why_stopped(self, delivery: Delivery, late: str | None) -> str:
        if self._cancelled:
            return gettext("cancelled")
        return late or gettext(CUT_SHORT if delivery.count else TIME_OVER).format(self._limit_s)

    def _put(self, place: int, **changes: object) -> None:
        with self._lock:
            self._states[place] = replace(self._states[place], **changes)  # type: ignore[arg-type] # its own fields

    def _one_done(self) -> None:
        with self._lock:
            self._open -= 1
            last = self._open == 0
        if last:
            self._timer.cancel()
            self._end()

    def _end(self) -> None:
        try:
            self._on_done()
        finally:
            self._done.set()


def keeps_old_list(before: int, state: MasterState) -> bool:
    """Whether an earlier list of `before` servers is to be kept, because what came now is no better word.

    Steam answers with an empty list, and no error, to those who ask too often: so an empty list after a full one is a
    failure, as is no list.
    """
    return before > 0 and state.done and (not state.ok or state.servers == 0)
