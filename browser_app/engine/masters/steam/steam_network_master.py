"""Server list from Steam's own network, through the optional library steamio.

Written against steamio's source (1.1) and tested with a fake; never verified on the live network. Like the library,
asyncio is imported by the first poll: a start of the program needs neither.
"""

import importlib
import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind
from browser_app.engine.masters.steam.steam_web_master import SteamMaster, names_steam_app, parse_steam_app
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_registry import GameRegistry
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.protocols.master_lists.steam_server_list import build_steam_filter
from browser_app.protocols.query_protocols import A2S

_log = logging.getLogger(__name__)

NEEDS_STEAMIO = N_("requires the steamio library: pip install ready-room[steam]")
_MAX_SERVERS = 20_000
"""Servers requested; Steam itself returns at most about 10,000."""


@dataclass(frozen=True, slots=True)
class SteamNetworkMaster(SteamMaster):
    """Steam's own network, queried after an anonymous login."""

    def poll(self, sink: TargetSink) -> None:
        """Pass the servers that Steam's network lists to `sink`.

        Runs an event loop in the calling thread.
        """
        import asyncio

        steam = _load_steamio()
        try:
            asyncio.run(_fetch_servers(steam, self, sink))
        except asyncio.CancelledError:
            raise RequestError(_("stopped")) from None
        except RequestError:
            raise
        except Exception as error:
            if not sink.count:  # once the list is there, errors while disconnecting do not matter
                text = _("No list from the Steam network ({name})")
                raise RequestError(text.format(name=type(error).__name__)) from error
            _log.debug("error after the list was received: %r", error)


def _load_steamio() -> ModuleType:
    try:
        steam = importlib.import_module("steam")
    except ModuleNotFoundError:
        raise RequestError(_(NEEDS_STEAMIO)) from None
    except ImportError as error:
        raise RequestError(_("steamio cannot be loaded: {msg}").format(msg=error.msg)) from error
    if not hasattr(steam, "Client"):  # another library of that name
        raise RequestError(_(NEEDS_STEAMIO))
    return steam


async def _fetch_servers(steam: ModuleType, master: SteamNetworkMaster, sink: TargetSink) -> None:
    import asyncio

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # noqa: S101 (this is a coroutine)

    def cancel() -> None:
        loop.call_soon_threadsafe(task.cancel)

    with sink.cancel_token.calling_on_cancel(cancel):
        async with steam.Client() as client:
            # The login task runs the connection until it is closed, and retries forever if it cannot connect.
            login = asyncio.create_task(client.anonymous_login())
            ready = asyncio.create_task(client.wait_until_ready())
            try:
                await asyncio.wait({login, ready}, return_when=asyncio.FIRST_COMPLETED)
                if not ready.done():
                    login.result()
                    raise RequestError(_("The Steam network refused the anonymous login"))
                # Not client.fetch_servers: its GameServer (steamio 1.1) keeps the game port and drops the query port.
                servers = await client._state.fetch_servers(build_steam_filter({"appid": master.appid}), _MAX_SERVERS)  # noqa: SLF001
                sink.add_entries(_to_targets(servers, master.game), NetworkScope.INTERNET)
            finally:
                await client.close()
                for each in (login, ready):
                    each.cancel()


def _to_targets(servers: Iterable[Any], game: str | None) -> Iterator[QueryTarget]:
    """Convert steamio's servers, whose `addr` is `IP:QUERYPORT`."""
    for server in servers:
        with suppress(ValueError):
            yield QueryTarget(parse_address(str(server.addr)), A2S, game)


def _parse(url: str, games: GameRegistry) -> SteamNetworkMaster:
    return SteamNetworkMaster(url, *parse_steam_app(urlsplit(url), games))


def _matches(parts: SplitResult) -> bool:
    return not parts.hostname and not parts.path and names_steam_app(parts)


STEAM_NETWORK = MasterKind(("steam-network:?appid=N",), _matches, _parse, is_for_own_games=True)
