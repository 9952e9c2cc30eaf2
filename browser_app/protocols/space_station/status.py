"""Status of a Space Station 14 server: a document in JSON over HTTP.

It is served on the game port, for any program (`docs.spacestation14.com`, "Server HTTP API"). A hub's list contains the
same document for each server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.http_reply import HttpReplyReader, build_http_request
from browser_app.protocols.json_parser import (
    MAX_REPLY_VALUES,
    JSONParseError,
    count_or_none,
    flag_or_none,
    parse_json,
    text_or_empty,
)
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

DEFAULT_PORT: Final = 1212
STATUS_PATH: Final = "/status"
MAX_TAGS: Final = 32
_MAX_TEXT = 1024
_MAX_COUNT = 100_000

IN_LOBBY, IN_ROUND, AFTER_ROUND = 0, 1, 2
"""Values of `run_level`."""


@dataclass(slots=True)
class SpaceStationStatus:
    """A server's status. Texts are as sent, empty if missing."""

    name: str
    players: int | None
    soft_max_players: int | None
    """Number of players above which only few may join; 0 if there is none."""
    run_level: int | None
    tags: tuple[str, ...]
    """Such as `rp:low`, `lang:en`, `region:eu_w` and `18+`."""
    preset: str
    """Game mode of the round; many servers hide it."""
    map: str
    panic_bunker: bool | None
    """New players cannot join."""
    round_id: int | None
    round_start_time: str
    """As in ISO 8601."""


def parse_space_station_status(document: object) -> SpaceStationStatus:
    """Return the status in a document.

    Missing or invalid values are empty or None.
    """
    if not isinstance(document, Mapping) or "players" not in document:
        raise PacketError("no status")
    name, preset, map_name, start = (
        text_or_empty(document.get(key))[:_MAX_TEXT] for key in ("name", "preset", "map", "round_start_time")
    )
    tags = document.get("tags")
    return SpaceStationStatus(
        name,
        count_or_none(document.get("players"), _MAX_COUNT),
        count_or_none(document.get("soft_max_players"), _MAX_COUNT),
        count_or_none(document.get("run_level"), AFTER_ROUND),
        tuple(filter(None, map(text_or_empty, tags[:MAX_TAGS]))) if isinstance(tags, list) else (),
        preset,
        map_name,
        flag_or_none(document.get("panic_bunker")),
        count_or_none(document.get("round_id"), 2**31),
        start,
    )


class SpaceStationSession(SingleReplySession[SpaceStationStatus]):
    """`QuerySession` that sends one HTTP request. Its ping is the TCP connect time."""

    __slots__ = ("_reader", "_server")

    def __init__(self, server: Address) -> None:
        super().__init__()
        self._server = server
        self._reader = HttpReplyReader()

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - TCP needs no token
        """Return the request."""
        return build_http_request(self._server, STATUS_PATH)

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        try:
            self._reader.feed(data)
        except PacketError:
            self._reader = HttpReplyReader()  # discards what was read of the invalid reply
            raise
        if not self._reader.is_complete:
            return PARTIAL
        self.reply = self._parse_body()
        return DONE

    def skip_current_part(self) -> bool:
        """Return whether there is a reply, perhaps ended by the connection."""
        if self.reply is None:
            try:
                self._reader.finish()
                self.reply = self._parse_body()
            except PacketError:
                return False
        return True

    def _parse_body(self) -> SpaceStationStatus:
        try:
            text = self._reader.body.decode("utf-8", "replace")
            return parse_space_station_status(parse_json(text, max_values=MAX_REPLY_VALUES))
        except JSONParseError:
            raise PacketError("not JSON") from None
