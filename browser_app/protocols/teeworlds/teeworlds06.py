"""Queries of Teeworlds 0.6 and DDNet: the info request and its two replies.

Formats as in DDNet's `server.cpp` and `serverinfo.cpp`: after a header of ten bytes, all fields are zero-terminated
texts. A DDNet server sends its clients in as many datagrams as it takes; servers of the original game have 16 slots,
ignore the extension of the request and send one datagram.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession
from browser_app.protocols.teeworlds.teeworlds_reply import (
    MAX_CLIENTS,
    MAX_REPLY_BYTES,
    TeeworldsClient,
    TeeworldsReply,
    build_reply,
    derive_token,
)

REPLY_HEADER: Final = b"\xff" * 10
VANILLA_INFO: Final = b"inf3"
EXTENDED_INFO: Final = b"iext"
MORE_CLIENTS: Final = b"iex+"

_TOKEN_BITS = 24
_VANILLA_TOKEN_MASK = 0xFF
"""The original game reads and echoes only the last byte of the token."""
_MAX_MORE_DATAGRAMS = 64
"""Further datagrams of one reply: twice as many as 255 clients with the longest names take."""
_INTEGER = re.compile(rb"-?\d{1,10}")


class _ClientsPacket(NamedTuple):
    """One further datagram of an extended reply."""

    token: int
    number: int
    clients: tuple[TeeworldsClient, ...]


class _InfoPacket(NamedTuple):
    """First or only datagram of a reply."""

    token: int
    info: TeeworldsReply


def build_info_request_06(token: int) -> bytes:
    """Return the extended request with a token of 24 bits."""
    return b"xe" + (token >> 8).to_bytes(2, "big") + b"\0\0\xff\xff\xff\xffgie3" + bytes([token & 0xFF])


def parse_vanilla_info(data: bytes) -> tuple[int, TeeworldsReply]:
    """Parse an `inf3` reply with its header; return its token and the info."""
    fields = _split_fields(data, VANILLA_INFO)
    if len(fields) < 10:
        raise PacketError("truncated info")
    flags, *counts = map(_parse_integer, fields[5:10])
    clients = _parse_clients(fields[10:], fields_per_client=5)
    return _parse_integer(fields[0]), build_reply(map(_decode_text, fields[1:5]), flags, counts, clients)


def _parse_reply(data: bytes) -> _InfoPacket | _ClientsPacket:
    kind = data[10:14]
    if kind == VANILLA_INFO:
        return _InfoPacket(*parse_vanilla_info(data))
    if kind == EXTENDED_INFO:
        return _parse_extended_info(data)
    fields = _split_fields(data, MORE_CLIENTS)
    if len(fields) < 3:
        raise PacketError("truncated list")
    token, number = map(_parse_integer, fields[:2])
    if not 1 <= number <= _MAX_MORE_DATAGRAMS:
        raise PacketError("invalid number")
    return _ClientsPacket(token, number, _parse_clients(fields[3:], fields_per_client=6))


def _parse_extended_info(data: bytes) -> _InfoPacket:
    fields = _split_fields(data, EXTENDED_INFO)
    if len(fields) < 13:
        raise PacketError("truncated info")
    token, version, name, map_name, _map_checksum, _map_size, game_type, *numbers, _reserved = fields[:13]
    flags, *counts = map(_parse_integer, numbers)
    clients = _parse_clients(fields[13:], fields_per_client=6)
    texts = map(_decode_text, (version, name, map_name, game_type))
    return _InfoPacket(_parse_integer(token), build_reply(texts, flags, counts, clients))


def _split_fields(data: bytes, kind: bytes) -> list[bytes]:
    """Return the zero-terminated texts of a reply, without an incomplete last one."""
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    if not data.startswith(REPLY_HEADER + kind):
        raise PacketError("not this protocol")
    return data[14:].split(b"\0")[:-1]


def _parse_clients(fields: Sequence[bytes], fields_per_client: int) -> tuple[TeeworldsClient, ...]:
    """Return the clients, from the first five fields of each."""
    columns = [fields[number::fields_per_client][:MAX_CLIENTS] for number in range(fields_per_client)]
    return tuple(
        [
            TeeworldsClient(
                _decode_text(name),
                _decode_text(clan),
                _parse_integer(score),
                is_spectator=is_player == b"0",
                is_bot=None,
            )
            for name, clan, _country, score, is_player, *_ in zip(*columns, strict=False)
        ]
    )


def _decode_text(field: bytes) -> str:
    return field.decode("utf-8", "replace")


def _parse_integer(field: bytes) -> int:
    if not _INTEGER.fullmatch(field):
        raise PacketError("invalid number")
    return int(field)


class Teeworlds06Session(SingleReplySession[TeeworldsReply]):
    """`QuerySession` with a server of version 0.6.

    Every reply echoes the token: all 24 bits of it, or the lowest eight, which therefore differ between attempts.
    """

    __slots__ = ("_infos", "_more_clients", "_tokens")

    def __init__(self) -> None:
        super().__init__()
        self._tokens: list[int] = []
        self._infos: dict[int, TeeworldsReply] = {}
        self._more_clients: dict[int, dict[int, tuple[TeeworldsClient, ...]]] = {}
        """Token → number of the datagram → its clients."""

    def build_request(self, token: bytes) -> bytes:
        """Return the datagram of one more attempt."""
        number = derive_token(token, _TOKEN_BITS)
        used = {earlier & _VANILLA_TOKEN_MASK for earlier in self._tokens}
        while number & _VANILLA_TOKEN_MASK in used:
            number = (number + 1) % (1 << _TOKEN_BITS)
        self._tokens.append(number)
        return build_info_request_06(number)

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        packet = _parse_reply(data)
        is_vanilla = data[10:14] == VANILLA_INFO
        token = self._find_sent_token(packet.token, is_vanilla)
        if isinstance(packet, _InfoPacket):
            self._infos[token] = packet.info
        else:
            self._more_clients.setdefault(token, {})[packet.number] = packet.clients
        self.answered_attempt = self._tokens.index(token)
        return self._try_complete(token)

    def _find_sent_token(self, token: int, is_vanilla: bool) -> int:
        """Return the token of the attempt that was answered."""
        for sent in self._tokens:
            if token == (sent & _VANILLA_TOKEN_MASK if is_vanilla else sent):
                return sent
        raise PacketError("wrong token")

    def _try_complete(self, token: int) -> ReceiveStatus:
        info = self._infos.get(token)
        if info is None:
            return PARTIAL
        more = self._more_clients.get(token, {})
        clients = info.client_list or ()
        for number in sorted(more):
            clients += more[number]
        if len(clients) < info.clients and (clients or more):
            return PARTIAL
        # A busy server leaves out its clients, and nothing in the reply says so.
        info.client_list = clients[:MAX_CLIENTS] if len(clients) >= info.clients else None
        self.reply = info
        return DONE

    def skip_current_part(self) -> bool:
        """Give up on missing clients; return whether there is a reply."""
        if self.reply is None and self._infos:
            self.reply = next(iter(self._infos.values()))
            self.reply.client_list = None
        return self.reply is not None
