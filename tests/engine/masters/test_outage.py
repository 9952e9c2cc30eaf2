"""Why no master server could be reached."""

import errno
import os
import socket
from typing import NoReturn

import pytest
from timeouts import LIMIT_S

from browser_app.engine.masters import outage
from browser_app.engine.masters.lan_discovery import LAN_URL
from browser_app.engine.masters.master_poll import MasterPoll, MasterState
from browser_app.engine.masters.outage import Outage, find_outage
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.games import load_games
from browser_app.paths import resource_folder

LISTED = MasterState("dpmaster://a", ok=True, is_done=True)
SILENT = MasterState("dpmaster://b", error="no answer", is_done=True)
UNKNOWN = MasterState("dpmaster://c", error="host name c cannot be resolved", is_done=True, is_host_unknown=True)
KEYLESS = MasterState("steam", error="key", is_done=True, needs_steam_key=True)
NO_LAN_SERVER = MasterState(LAN_URL, error="none", is_done=True)


@pytest.mark.parametrize(
    ("states", "online", "offline"),
    [
        ([], None, None),
        ([KEYLESS, NO_LAN_SERVER], None, None),
        ([LISTED, SILENT], None, None),
        ([LISTED, SILENT, UNKNOWN], Outage.FEW_MASTERS, Outage.NO_NETWORK),
        ([LISTED, UNKNOWN, UNKNOWN], Outage.NO_NAMES, Outage.NO_NETWORK),  # the list may come from this machine
        ([SILENT], Outage.NO_MASTER, Outage.NO_NETWORK),
        ([UNKNOWN], Outage.NO_MASTER, Outage.NO_NETWORK),  # one name may be wrong
        ([UNKNOWN, UNKNOWN, KEYLESS], Outage.NO_NAMES, Outage.NO_NETWORK),
        ([UNKNOWN, UNKNOWN, SILENT], Outage.NO_MASTER, Outage.NO_NETWORK),
        ([MasterState("dpmaster://still-asked")], None, None),
    ],
)
def test_cause_of_missing_lists(states: list[MasterState], online: Outage | None, offline: Outage | None) -> None:
    assert find_outage(states, lambda: True) is online
    assert find_outage(states, lambda: False) is offline


def test_route_is_missing_without_any_family(monkeypatch: pytest.MonkeyPatch) -> None:
    reachable = socket.AF_INET6

    class OneFamilySocket(socket.socket):
        def connect(self, _address: object) -> None:
            if self.family != reachable:
                raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))

    monkeypatch.setattr(socket, "socket", OneFamilySocket)
    assert outage.has_internet_route()
    reachable = socket.AF_UNIX
    assert not outage.has_internet_route()


def test_unresolved_names_are_known_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_options: object) -> NoReturn:
        raise socket.gaierror(socket.EAI_AGAIN, "no name server answers")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    urls = ["dpmaster://masters.invalid:27950/Xonotic/3", "json+https://masters.invalid/list"]
    sources = parse_sources(load_games(resource_folder() / "games"), game_ids=(), masters=urls, servers=())
    poll = MasterPoll(sources.masters, lambda _targets: None)
    poll.start()
    assert poll.wait(LIMIT_S)
    assert [state.is_host_unknown for state in poll.states] == [True, True]
    assert find_outage(poll.states, lambda: True) is Outage.NO_NAMES
