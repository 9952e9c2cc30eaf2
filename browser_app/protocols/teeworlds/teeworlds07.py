"""Queries of Teeworlds 0.7: a token is requested first, then the info.

Formats as in Teeworlds' `network.cpp`, `server.cpp` and `mastersrv.h`. Against reflection attacks, a server sends its
token only in reply to a datagram as long as its longest reply, and answers no info request without that token.
"""

from typing import Final

from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus, SingleReplySession
from browser_app.protocols.teeworlds import teeworlds06
from browser_app.protocols.teeworlds.teeworlds_reply import (
    MAX_CLIENTS,
    MAX_REPLY_BYTES,
    TeeworldsClient,
    TeeworldsReply,
    build_reply,
    derive_token,
    pack_int,
    unpack_int,
)

CONTROL_HEADER: Final = b"\x04\0\0"
CONNECTIONLESS_HEADER: Final = b"\x21"
TOKEN_MESSAGE: Final = b"\x05"
NO_TOKEN: Final = b"\xff" * 4
INFO_REQUEST: Final = b"\xff\xff\xff\xffgie3"
INFO_REPLY: Final = b"\xff\xff\xff\xffinf3"
TOKEN_REQUEST_BYTES: Final = 520
"""Length of a token request; servers ignore shorter ones."""
SPECTATOR_KIND, BOT_KIND = 1, 2
TIME_SCORE_FLAG: Final = 2
"""Scores are times in seconds."""
_NO_TIME = -1

_INFO_TOKEN_BITS = 24


def build_token_request(own_token: bytes) -> bytes:
    """Return the request for the server's token; `own_token` has four bytes."""
    return (CONTROL_HEADER + NO_TOKEN + TOKEN_MESSAGE + own_token).ljust(TOKEN_REQUEST_BYTES, b"\0")


def build_info_request_07(server_token: bytes, own_token: bytes, info_token: int) -> bytes:
    """Return the info request; the reply echoes `own_token` and `info_token`."""
    return CONNECTIONLESS_HEADER + server_token + own_token + INFO_REQUEST + pack_int(info_token)


def parse_info_07(body: bytes) -> tuple[int, TeeworldsReply]:
    """Parse an `inf3` message; return its token and the info.

    `body` is a datagram without its header.
    """
    info_token, position = unpack_int(body, 0)
    texts = []
    for _number in range(5):
        text, position = _read_text(body, position)
        texts.append(text)
    numbers = []
    for _number in range(6):
        number, position = unpack_int(body, position)
        numbers.append(number)
    version, name, _host_name, map_name, game_type = texts
    flags, _skill_level, *counts = numbers
    clients = _read_clients(body, position, no_score=_NO_TIME if flags & TIME_SCORE_FLAG else None)
    return info_token, build_reply((version, name, map_name, game_type), flags, counts, clients)


def _read_text(body: bytes, position: int) -> tuple[str, int]:
    end = body.find(b"\0", position)
    if end < 0:
        raise PacketError("truncated text")
    return body[position:end].decode("utf-8", "replace"), end + 1


def _read_clients(body: bytes, position: int, no_score: int | None) -> tuple[TeeworldsClient, ...]:
    clients: list[TeeworldsClient] = []
    while position < len(body) and len(clients) < MAX_CLIENTS:
        name, position = _read_text(body, position)
        clan, position = _read_text(body, position)
        _country, position = unpack_int(body, position)
        score, position = unpack_int(body, position)
        kind, position = unpack_int(body, position)
        known_score = None if score == no_score else score
        clients.append(TeeworldsClient(name, clan, known_score, kind == SPECTATOR_KIND, kind == BOT_KIND))
    return tuple(clients)


class Teeworlds07Session(SingleReplySession[TeeworldsReply]):
    """`QuerySession` with a server of version 0.7.

    Both replies echo a token of ours, which shows what attempt they answer.
    """

    __slots__ = ("_info_tokens", "_server_token", "_tokens")

    def __init__(self) -> None:
        super().__init__()
        self._tokens: list[bytes] = []
        self._info_tokens: list[int] = []
        self._server_token = b""

    def build_request(self, token: bytes) -> bytes:
        """Return the request for the server's token, or for the info once that is known."""
        self._tokens.append(derive_token(token, 32).to_bytes(4, "big"))
        self._info_tokens.append(derive_token(token[::-1], _INFO_TOKEN_BITS))
        if not self._server_token:
            return build_token_request(self._tokens[-1])
        return build_info_request_07(self._server_token, self._tokens[-1], self._info_tokens[-1])

    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        if len(data) > MAX_REPLY_BYTES:
            raise PacketError("too large")
        if data.startswith(CONTROL_HEADER):
            return self._receive_token(data)
        if not self._server_token:
            raise PacketError("unexpected kind")
        self._receive_info(data)
        return DONE

    def _receive_token(self, data: bytes) -> bytes:
        own, message, server_token = data[3:7], data[7:8], data[8:12]
        if self._server_token:
            raise PacketError("duplicate")
        if own not in self._tokens:
            raise PacketError("wrong token")
        if message != TOKEN_MESSAGE or len(server_token) < 4 or server_token == NO_TOKEN:
            raise PacketError("not this protocol")
        attempt = self.answered_attempt = self._tokens.index(own)
        self._server_token = server_token
        return build_info_request_07(server_token, own, self._info_tokens[attempt])

    def _receive_info(self, data: bytes) -> None:
        if data.startswith(teeworlds06.REPLY_HEADER):
            # DDNet replies in the format of version 0.6 on maps that exist only in that version, and then echoes only
            # the first byte of the packed token.
            first_byte, reply = teeworlds06.parse_vanilla_info(data)
            info_token = next((each for each in self._info_tokens if pack_int(each)[0] == first_byte), -1)
        else:
            if not data.startswith(CONNECTIONLESS_HEADER) or data[9:17] != INFO_REPLY:
                raise PacketError("not this protocol")
            if data[1:5] not in self._tokens or data[5:9] != self._server_token:
                raise PacketError("wrong token")
            info_token, reply = parse_info_07(data[17:])
        if info_token not in self._info_tokens:
            raise PacketError("wrong token")
        self.reply = reply
