"""Reader of Warzone 2100's lobby.

Hosts answer no queries: what it says is all that is known of them.
"""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.json_parser import count_or_none
from browser_app.protocols.master_lists.described_list import parse_host_port
from browser_app.protocols.master_lists.warzone_list import WarzoneGame, parse_warzone_list
from browser_app.protocols.query_protocols import LISTED

_GAME = "warzone2100"


def read_warzone_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the lobby's list; see `parse_warzone_list`."""
    for game in parse_warzone_list(chunks):
        info = None if game is None else _describe(game, games)
        yield None if info is None else DescribedServer(QueryTarget(info.connect, LISTED, info.game), info)


def _describe(game: WarzoneGame, games: GameRegistry) -> ServerInfo | None:
    """Return what is known of a game; it leaves the list when it begins."""
    address = parse_host_port(game.host, game.port)
    if address is None:
        return None
    rules = {"host": game.host_player, "mods": game.mods}
    return ServerInfo(
        game=_GAME if _GAME in games else None,
        name=clean_text(game.name),
        map=clean_text(game.map),
        connect=address,
        players=count_or_none(game.players),
        bots=None,
        spectators=count_or_none(game.spectators),
        max_players=count_or_none(game.max_players) or None,
        version=clean_text(game.version) or None,
        password=game.has_password,
        rules=PlainRules({key: text for key, text in rules.items() if text}),
    )
