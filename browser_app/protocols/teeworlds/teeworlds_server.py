"""Server side of Teeworlds queries, both versions."""

from collections.abc import Iterator
from dataclasses import dataclass

from browser_app.protocols.query_session import PacketError
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07
from browser_app.protocols.teeworlds.teeworlds_reply import (
    PASSWORD_FLAG,
    TeeworldsClient,
    TeeworldsReply,
    pack_int,
    unpack_int,
)

_EXTENSION = b"xe"
_REQUEST_06 = b"\xff\xff\xff\xffgie3"
_CLIENTS_PER_DATAGRAM = 24
"""As many as fit into 1,400 bytes, whatever their names."""


@dataclass(frozen=True, slots=True)
class InfoRequest06:
    """An info request of version 0.6."""

    token: int
    extended: bool
    """DDNet's extension is requested."""


@dataclass(frozen=True, slots=True)
class TokenRequest07:
    """A request for the server's token."""

    client_token: bytes


@dataclass(frozen=True, slots=True)
class InfoRequest07:
    """An info request of version 0.7."""

    server_token: bytes
    client_token: bytes
    info_token: int


def parse_request_06(data: bytes) -> InfoRequest06:
    """Parse an info request of version 0.6."""
    if len(data) != 15 or data[6:14] != _REQUEST_06:
        raise PacketError("not this protocol")
    if data.startswith(_EXTENSION):
        return InfoRequest06(int.from_bytes(data[2:4], "big") << 8 | data[14], extended=True)
    return InfoRequest06(data[14], extended=False)


def parse_request_07(data: bytes) -> TokenRequest07 | InfoRequest07:
    """Parse a request of version 0.7.

    Raises:
        PacketError: the data is no such request, or is a token request that is too short to be answered.
    """
    if data.startswith(teeworlds07.CONTROL_HEADER) and data[7:8] == teeworlds07.TOKEN_MESSAGE:
        if len(data) < teeworlds07.TOKEN_REQUEST_BYTES:
            raise PacketError("too short")
        return TokenRequest07(data[8:12])
    if not data.startswith(teeworlds07.CONNECTIONLESS_HEADER) or data[9:17] != teeworlds07.INFO_REQUEST:
        raise PacketError("not this protocol")
    return InfoRequest07(data[1:5], data[5:9], unpack_int(data, 17)[0])


def encode_vanilla_info(reply: TeeworldsReply, token: int) -> bytes:
    """Encode the plain reply of version 0.6, which echoes eight bits of the token."""
    fields = [str(token & 0xFF), reply.version, reply.name, reply.map, reply.game_type, *_format_numbers(reply)]
    for client in reply.client_list or ():
        fields += _format_client(client)
    return teeworlds06.REPLY_HEADER + teeworlds06.VANILLA_INFO + _encode_texts(fields)


def encode_extended_info(reply: TeeworldsReply, token: int) -> Iterator[bytes]:
    """Yield the datagrams of the extended reply."""
    clients = reply.client_list or ()
    fields = [str(token), reply.version, reply.name, reply.map, "0", "0", reply.game_type, *_format_numbers(reply), ""]
    for client in clients[:_CLIENTS_PER_DATAGRAM]:
        fields += [*_format_client(client), ""]
    yield teeworlds06.REPLY_HEADER + teeworlds06.EXTENDED_INFO + _encode_texts(fields)
    for number, first in enumerate(range(_CLIENTS_PER_DATAGRAM, len(clients), _CLIENTS_PER_DATAGRAM), 1):
        fields = [str(token), str(number), ""]
        for client in clients[first : first + _CLIENTS_PER_DATAGRAM]:
            fields += [*_format_client(client), ""]
        yield teeworlds06.REPLY_HEADER + teeworlds06.MORE_CLIENTS + _encode_texts(fields)


def encode_token_reply(request: TokenRequest07, server_token: bytes) -> bytes:
    """Encode the reply to a token request."""
    return teeworlds07.CONTROL_HEADER + request.client_token + teeworlds07.TOKEN_MESSAGE + server_token


def encode_info_07(reply: TeeworldsReply, request: InfoRequest07) -> bytes:
    """Encode the info reply of version 0.7."""
    header = teeworlds07.CONNECTIONLESS_HEADER + request.client_token + request.server_token + teeworlds07.INFO_REPLY
    numbers = (int(reply.password), 1, reply.players, reply.max_players, reply.clients, reply.max_clients)
    body = pack_int(request.info_token)
    body += _encode_texts([reply.version, reply.name, "", reply.map, reply.game_type])
    body += b"".join(map(pack_int, numbers))
    for client in reply.client_list or ():
        kind = teeworlds07.SPECTATOR_KIND if client.is_spectator else teeworlds07.BOT_KIND if client.is_bot else 0
        body += _encode_texts([client.name, client.clan]) + b"".join(map(pack_int, (-1, client.score or 0, kind)))
    return header + body


def _format_numbers(reply: TeeworldsReply) -> list[str]:
    flags = PASSWORD_FLAG if reply.password else 0
    return [*map(str, (flags, reply.players, reply.max_players, reply.clients, reply.max_clients))]


def _format_client(client: TeeworldsClient) -> list[str]:
    return [client.name, client.clan, "-1", str(client.score or 0), "0" if client.is_spectator else "1"]


def _encode_texts(texts: list[str]) -> bytes:
    return b"".join(text.encode("utf-8", "replace").replace(b"\0", b"") + b"\0" for text in texts)
