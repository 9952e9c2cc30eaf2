"""Teeworlds and DDNet queries: recorded replies, tokens, parts, damage."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from family_servers import exchanges
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QuerySession
from browser_app.protocols.teeworlds import teeworlds07
from browser_app.protocols.teeworlds.teeworlds06 import Teeworlds06Session
from browser_app.protocols.teeworlds.teeworlds07 import Teeworlds07Session
from browser_app.protocols.teeworlds.teeworlds_list import parse_teeworlds_list
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsClient, TeeworldsReply, pack_int, unpack_int
from browser_app.protocols.teeworlds.teeworlds_server import (
    InfoRequest07,
    TokenRequest07,
    encode_extended_info,
    encode_info_07,
    encode_token_reply,
    encode_vanilla_info,
    parse_request_06,
    parse_request_07,
)

SERVER_TOKEN = b"\x01\x02\x03\x04"


def reply_with(players: int, listed: bool = True) -> TeeworldsReply:
    people = tuple(
        TeeworldsClient(f"Player {number}", "Clan", -number, is_spectator=number % 3 == 0, is_bot=None)
        for number in range(players)
    )
    playing = sum(not each.is_spectator for each in people)
    return TeeworldsReply(
        "0.6.4, 16.4", "Ünïcode", "Gold Mine", "DM", True, playing, 62, players, 64, people if listed else ()
    )


def asked_07(*tokens: bytes) -> tuple[Teeworlds07Session, list[TokenRequest07]]:
    session, requests = Teeworlds07Session(), []
    for token in tokens:
        request = parse_request_07(session.build_request(token))
        assert isinstance(request, TokenRequest07)
        requests.append(request)
    return session, requests


def info_request(session: Teeworlds07Session, request: TokenRequest07) -> InfoRequest07:
    datagram = session.receive(encode_token_reply(request, SERVER_TOKEN))
    assert isinstance(datagram, bytes)
    info = parse_request_07(datagram)
    assert isinstance(info, InfoRequest07)
    assert info.server_token == SERVER_TOKEN
    return info


def test_06_token_identifies_attempt() -> None:
    session = Teeworlds06Session()
    requests = [parse_request_06(session.build_request(token)) for token in (b"first000", b"second00")]
    assert all(request.extended for request in requests)
    assert session.receive(next(encode_extended_info(reply_with(3), requests[1].token))) is DONE
    assert session.answered_attempt == 1
    assert session.reply == reply_with(3)


def test_06_vanilla_reply_identifies_attempt() -> None:
    session = Teeworlds06Session()
    tokens = [parse_request_06(session.build_request(b"%08d" % number)).token & 0xFF for number in range(20)]
    assert len(set(tokens)) == 20
    assert session.receive(encode_vanilla_info(reply_with(3), tokens[7])) is DONE
    assert session.answered_attempt == 7
    assert session.reply == reply_with(3)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_06_reply_in_three_datagrams(first: int) -> None:
    session = Teeworlds06Session()
    token = parse_request_06(session.build_request(b"token000")).token
    datagrams = [*encode_extended_info(reply_with(64), token)]
    assert len(datagrams) == 3
    datagrams = datagrams[first:] + datagrams[:first]
    assert [session.receive(datagram) for datagram in datagrams] == [PARTIAL, PARTIAL, DONE]
    assert session.reply == reply_with(64)


def test_06_lost_datagram_keeps_the_counts() -> None:
    session = Teeworlds06Session()
    token = parse_request_06(session.build_request(b"token000")).token
    assert session.receive(next(encode_extended_info(reply_with(64), token))) is PARTIAL
    assert session.has_more
    assert session.skip_current_part()
    assert session.reply is not None
    assert (session.reply.clients, session.reply.client_list) == (64, None)


def test_06_busy_server_leaves_out_its_clients() -> None:
    session = Teeworlds06Session()
    token = parse_request_06(session.build_request(b"token000")).token
    assert session.receive(next(encode_extended_info(reply_with(30, listed=False), token))) is DONE
    assert session.reply is not None
    assert (session.reply.clients, session.reply.client_list) == (30, None)


@pytest.mark.parametrize("clients", [-1, 70_000])
def test_06_absurd_counts_are_rejected(clients: int) -> None:
    session = Teeworlds06Session()
    token = parse_request_06(session.build_request(b"token000")).token
    reply = replace(reply_with(0), clients=clients)
    with pytest.raises(PacketError, match="invalid number"):
        session.receive(next(encode_extended_info(reply, token)))


def test_06_foreign_token_is_rejected() -> None:
    session = Teeworlds06Session()
    token = parse_request_06(session.build_request(b"token000")).token
    foreign = [token ^ 0x10000, token ^ 1]
    for datagram in (*(next(encode_extended_info(reply_with(1), each)) for each in foreign), b"\xff" * 10 + b"iex+"):
        with pytest.raises(PacketError):
            session.receive(datagram)
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(encode_vanilla_info(reply_with(1), token ^ 1))
    assert session.receive(encode_vanilla_info(reply_with(1), token)) is DONE
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(encode_vanilla_info(reply_with(1), token))


def test_07_asks_for_a_token_first() -> None:
    session, requests = asked_07(b"first000", b"second00")
    info = info_request(session, requests[1])
    assert session.answered_attempt == 1
    wanted = reply_with(16)
    for client in wanted.client_list or ():
        client.is_bot = False
    assert session.receive(encode_info_07(wanted, info)) is DONE
    assert session.reply == wanted


@pytest.mark.parametrize(("flags", "scores"), [(0, [-1, 61]), (2, [None, 61]), (3, [None, 61])])
def test_07_time_may_be_missing(flags: int, scores: list[int | None]) -> None:
    texts = b"0.7.5\0Race\0host\0map\0Race\0"
    numbers = b"".join(map(pack_int, (flags, 0, 2, 16, 2, 16)))
    clients = b"".join(b"x\0\0" + pack_int(-1) + pack_int(score) + pack_int(0) for score in (-1, 61))
    _token, reply = teeworlds07.parse_info_07(pack_int(5) + texts + numbers + clients)
    assert [client.score for client in reply.client_list or ()] == scores


def test_07_retries_the_info_with_the_known_token() -> None:
    session, requests = asked_07(b"first000")
    info_request(session, requests[0])
    again = parse_request_07(session.build_request(b"second00"))
    assert isinstance(again, InfoRequest07)
    assert again.server_token == SERVER_TOKEN
    assert session.receive(encode_info_07(reply_with(0), again)) is DONE


def test_07_accepts_an_info_of_version_06() -> None:
    session, requests = asked_07(b"token000")
    info = info_request(session, requests[0])
    datagram = encode_vanilla_info(reply_with(2), 0).replace(b"inf30", b"inf3%d" % pack_int(info.info_token)[0])
    assert session.receive(datagram) is DONE
    assert session.reply == reply_with(2)


def test_07_foreign_tokens_are_rejected() -> None:
    session, requests = asked_07(b"token000")
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(encode_info_07(reply_with(0), InfoRequest07(SERVER_TOKEN, b"abcd", 1)))
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(encode_token_reply(TokenRequest07(b"abcd"), SERVER_TOKEN))
    info = info_request(session, requests[0])
    for server_token, client_token, info_token in (
        (b"abcd", info.client_token, info.info_token),
        (SERVER_TOKEN, b"abcd", info.info_token),
        (SERVER_TOKEN, info.client_token, info.info_token + 1),
    ):
        with pytest.raises(PacketError, match="wrong token"):
            session.receive(encode_info_07(reply_with(0), InfoRequest07(server_token, client_token, info_token)))
    with pytest.raises(PacketError, match="duplicate"):
        session.receive(encode_token_reply(requests[0], SERVER_TOKEN))
    assert session.reply is None


@given(st.integers(-(2**31), 2**31 - 1))
def test_packed_integers_are_read_back(value: int) -> None:
    packed = pack_int(value)
    assert unpack_int(b"x" + packed + b"y", 1) == (value, 1 + len(packed))
    with pytest.raises(PacketError, match="truncated"):
        unpack_int(packed[:-1], 0)


def answers_06(session: Teeworlds06Session) -> list[bytes]:
    token = parse_request_06(session.build_request(b"token000")).token
    return [*encode_extended_info(reply_with(40), token), encode_vanilla_info(reply_with(3), token)]


def answers_07(session: Teeworlds07Session) -> list[bytes]:
    request = parse_request_07(session.build_request(b"token000"))
    assert isinstance(request, TokenRequest07)
    return [encode_token_reply(request, SERVER_TOKEN), encode_info_07(reply_with(3), info_request(session, request))]


@pytest.mark.parametrize(("new", "answers"), [(Teeworlds06Session, answers_06), (Teeworlds07Session, answers_07)])
def test_damaged_replies_raise_only_packet_errors(
    new: Callable[[], QuerySession], answers: Callable[[QuerySession], list[bytes]]
) -> None:
    for number in range(len(answers(new()))):
        whole = answers(new())[number]
        for position in range(len(whole)):
            flipped = bytearray(whole)
            flipped[position] ^= 0x91
            for damaged in (whole[:position], bytes(flipped)):
                session = new()
                answers(session)
                with suppress(PacketError):
                    session.receive(damaged)


def test_recorded_ddnet_replies_are_read() -> None:
    for each in exchanges("ddnet06"):
        if not each.what.startswith("gie3 extended"):
            continue
        session = Teeworlds06Session()
        session._tokens = [0x123456]
        steps = [session.receive(datagram) for datagram in each.replies]
        assert steps[-1] is DONE
        assert session.reply is not None
        assert (session.reply.name, session.reply.max_clients) == ("Rig DDNet", 64)
        assert session.reply.client_list is not None
        assert len(session.reply.client_list) == session.reply.clients == session.reply.players
        assert session.reply.password == (session.reply.clients == 0)


def test_recorded_teeworlds_replies_are_read() -> None:
    names = []
    for each in exchanges("teeworlds07"):
        if each.what.startswith("gie3"):
            request = parse_request_07(each.request)
            info_token, reply = teeworlds07.parse_info_07(each.replies[0][17:])
            assert isinstance(request, InfoRequest07)
            assert info_token == request.info_token
            assert (reply.version, reply.name, reply.map, reply.max_players) == ("0.7.5", "Rig [D] Fam", "dm1", 12)
            names.append([client.name for client in reply.client_list or ()])
    assert names == [[], ["Razor", "Ünïcode", "Third"]]


def entry(*addresses: str, **info: object) -> dict[str, object]:
    clients = [{"name": "Ünïcode", "clan": "C", "score": -61, "is_player": True}, {"name": "x", "is_player": False}]
    values = {"max_clients": 64, "max_players": 63, "passworded": True, "game_type": "DDraceNetwork", "name": "Rig"}
    return {
        "addresses": list(addresses),
        "info": values | {"map": {"name": "Gold Mine"}, "version": "0.6.4, 18.1", "clients": clients} | info,
    }


def test_list_describes_servers() -> None:
    document = json.dumps({"servers": [entry("tw-0.6+udp://192.0.2.1:8303", "tw-0.7+udp://192.0.2.1:8303")]})
    (server,) = parse_teeworlds_list([document[:100].encode(), document[100:].encode()])
    assert server is not None
    assert (server.protocol, server.address) == ("teeworlds06", Address("192.0.2.1", 8303))
    assert server.reply == TeeworldsReply(
        "0.6.4, 18.1",
        "Rig",
        "Gold Mine",
        "DDraceNetwork",
        True,
        1,
        63,
        2,
        64,
        (
            TeeworldsClient("Ünïcode", "C", -61, is_spectator=False, is_bot=None),
            TeeworldsClient("x", "", None, is_spectator=True, is_bot=None),
        ),
    )


@pytest.mark.parametrize(
    "bad",
    [
        1,
        {},
        {"addresses": ["tw-0.6+udp://192.0.2.1:8303"]},
        entry(),
        entry("tw-0.8+udp://192.0.2.1:8303"),
        *(entry("tw-0.6+udp://192.0.2.1:8303", **{key: "x"}) for key in ("clients", "max_players", "passworded")),
        entry("tw-0.6+udp://224.0.0.1:8303", "tw-0.6+udp://192.0.2.1", "tw-0.6+udp://"),
    ],
)
def test_list_entries_without_a_server(bad: object) -> None:
    assert [*parse_teeworlds_list([json.dumps({"servers": [bad]}).encode()])] == [None]


def test_list_values_of_wrong_type_are_left_out() -> None:
    wrong = {key: [True] for key in ("name", "map", "version", "clients")}
    (server,) = parse_teeworlds_list(
        [json.dumps({"servers": [entry("tw-0.7+udp://192.0.2.1:8303", **wrong)]}).encode()]
    )
    assert server is not None
    assert (server.protocol, server.reply.name, server.reply.map) == ("teeworlds07", "", "")
    assert server.reply.client_list == ()


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"servers": {}}', b'{"servers": [1', b"\xff"])
def test_other_documents_are_no_list(body: bytes) -> None:
    with pytest.raises(DescribedListError):
        list(parse_teeworlds_list([body]))
