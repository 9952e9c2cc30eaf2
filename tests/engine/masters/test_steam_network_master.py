import asyncio
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.engine.masters.steam.steam_network_master import SteamNetworkMaster
from browser_app.engine.masters.target_sink import MasterPollContext, TargetSink
from browser_app.engine.network.request_errors import RequestError
from browser_app.protocols.address import Address

MASTER = SteamNetworkMaster("steam-network:?appid=4920", 4920, "ns2")


class FakeSteamClient:
    """The used part of steamio 1.1's `Client`.

    It runs its connection until closed, and is ready after some time.
    """

    made: "list[FakeSteamClient]" = []  # noqa: RUF012 (cleared for each test)
    login: Callable[["FakeSteamClient"], Any]
    servers: list[Any]
    ends_badly: bool

    def __init__(self) -> None:
        self.closed = asyncio.Event()
        self.ready = asyncio.Event()
        self.asked: list[tuple[str, int]] = []
        self._state = SimpleNamespace(fetch_servers=self._fetch)
        self.made.append(self)

    async def __aenter__(self) -> "FakeSteamClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.closed.is_set()

    async def anonymous_login(self) -> None:
        await type(self).login(self)

    async def wait_until_ready(self) -> None:
        await self.ready.wait()

    async def close(self) -> None:
        self.closed.set()
        if self.ends_badly:
            raise ConnectionError

    async def _fetch(self, query: str, limit: int) -> list[Any]:
        self.asked.append((query, limit))
        return self.servers


async def welcome(client: FakeSteamClient) -> None:
    client.ready.set()
    await client.closed.wait()


async def hang(client: FakeSteamClient) -> None:
    await client.closed.wait()


async def refuse(client: FakeSteamClient) -> None:
    """End without ever being ready."""


async def fail(client: FakeSteamClient) -> None:
    raise ConnectionError("secret details")


@pytest.fixture
def steam(monkeypatch: pytest.MonkeyPatch) -> type[FakeSteamClient]:
    module = ModuleType("steam")
    module.Client = FakeSteamClient  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "steam", module)
    FakeSteamClient.made.clear()
    FakeSteamClient.login = staticmethod(welcome)
    FakeSteamClient.servers = []
    FakeSteamClient.ends_badly = False
    return FakeSteamClient


def poll(cancel_token: CancelToken | None = None) -> list[QueryTarget]:
    targets: list[QueryTarget] = []
    MASTER.poll(TargetSink(targets.extend, MasterPollContext(cancel_token=cancel_token or CancelToken())))
    return targets


def test_only_public_servers(steam: type[FakeSteamClient]) -> None:
    listed = ["8.8.8.8:27016", "127.0.0.1:27016", "169.254.1.1:27016", "", "8.8.8.8:0", "9.9.9.9:27015"]
    steam.servers = [SimpleNamespace(addr=address, gameport=27015) for address in listed]
    assert poll() == [
        QueryTarget(Address("8.8.8.8", 27016), "a2s", "ns2"),
        QueryTarget(Address("9.9.9.9", 27015), "a2s", "ns2"),
    ]
    (client,) = steam.made
    assert client.asked == [(r"\appid\4920", 20_000)]
    assert client.closed.is_set()


@pytest.mark.parametrize(("login", "error"), [(refuse, "refused the anonymous login"), (fail, r"\(ConnectionError\)")])
def test_steam_errors(steam: type[FakeSteamClient], login: Callable[..., Any], error: str) -> None:
    steam.login = staticmethod(login)
    with pytest.raises(RequestError, match=error) as caught:
        poll()
    assert "secret" not in str(caught.value)
    assert steam.made[0].closed.is_set()


def test_cancel_ends_at_once(steam: type[FakeSteamClient]) -> None:
    steam.login = staticmethod(hang)
    cancel_token = CancelToken()
    threading.Timer(0.1, cancel_token.cancel).start()
    began = time.monotonic()
    with pytest.raises(RequestError):
        poll(cancel_token)
    assert time.monotonic() - began < LIMIT_S
    assert steam.made[0].closed.is_set()


def test_disconnect_keeps_list(steam: type[FakeSteamClient]) -> None:
    steam.servers = [SimpleNamespace(addr="8.8.8.8:27016")]
    steam.ends_badly = True
    assert len(poll()) == 1


def test_broken_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "steam.py").write_text("from sys import no_such_thing\n")
    monkeypatch.delitem(sys.modules, "steam", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RequestError, match="cannot be loaded: cannot import name 'no_such_thing'"):
        poll()


@pytest.mark.parametrize("module", [None, ModuleType("steam")])
def test_missing_library(monkeypatch: pytest.MonkeyPatch, module: ModuleType | None) -> None:
    monkeypatch.setitem(sys.modules, "steam", module)  # None: not to be found
    with pytest.raises(RequestError, match=r"pip install ready-room\[steam\]"):
        poll()


def test_in_master_poll(steam: type[FakeSteamClient]) -> None:
    steam.servers = [SimpleNamespace(addr="8.8.8.8:27016")]
    targets: list[QueryTarget] = []
    round_ = MasterPoll([MASTER], targets.extend)
    round_.start()
    assert round_.wait(LIMIT_S)
    (state,) = round_.states
    assert (state.url, state.ok, state.servers, state.error) == ("steam-network:?appid=4920", True, 1, None)
    assert len(targets) == 1
