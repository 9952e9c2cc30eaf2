"""The last games of the user that XonStat knows of: `GET /games?player_id=…`, twenty at most, newest first."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.asking import Asking, Question, SourceError
from browser_app.player.xonstat_skill import XONSTAT, checked_mode, in_plain_words
from browser_app.protocols.coloured_text import plain
from browser_app.protocols.json_text import NoJSON, read_json

MOST = 20
_MAX_TEXT = 100


class RecentGame(NamedTuple):
    """One game."""

    time: float
    """When it was reported (Unix time, s)."""
    mode: str
    map: str
    server: str


def ask_games(asking: Asking, player: int, base: str = XONSTAT) -> tuple[RecentGame, ...]:
    """Ask XonStat for the last games of a player, by the number that it has for him.

    Raises:
        SourceError: it told nothing.
    """
    question = Question(
        f"{base}/games",
        {"player_id": str(player)},
        _("last games of player {number}").format(number=player),
        headers={"Accept": "application/json"},
    )
    return asking.ask(question, read_games, _in_words, in_plain_words)


def read_games(body: bytes) -> tuple[RecentGame, ...]:
    """Read a list of games; entries that make no sense are left out.

    Raises:
        SourceError: it is no such list.
    """
    try:
        answer = read_json(body)
    except NoJSON:
        raise SourceError(_("XonStat's answer is not JSON.")) from None
    entries = [] if answer is None else answer  # Go writes an empty list so
    if not isinstance(entries, list):
        raise SourceError(_("XonStat's answer makes no sense."))
    games = (_game(each) for each in entries[:MOST] if isinstance(each, dict))
    return tuple(game for game in games if game is not None)


def _game(entry: Mapping[str, object]) -> RecentGame | None:
    mode, moment = checked_mode(entry.get("game_type_cd")), _moment(entry.get("create_dt"))
    if mode is None or moment is None:
        return None
    return RecentGame(moment, mode, _text(entry.get("map_name")), _text(entry.get("server_name")))


def _moment(value: object) -> float | None:
    try:
        moment = datetime.fromisoformat(value).timestamp() if isinstance(value, str) else -1.0
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment >= 0 else None


def _text(value: object) -> str:
    return plain(value, "xonotic")[:_MAX_TEXT] if isinstance(value, str) else ""


def _in_words(games: tuple[RecentGame, ...]) -> str:
    return ngettext("{n} game", "{n} games", len(games)).format(n=len(games))
