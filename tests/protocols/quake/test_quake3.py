"""Quake III and DarkPlaces queries: tokens, replies, infostrings, players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.protocols.quake.infostring import MAX_REPLY_BYTES
from browser_app.protocols.quake.quake3 import (
    MAX_PLAYER_LINES,
    Quake3Player,
    Quake3Reply,
    Quake3Session,
    parse_quake3_reply,
)
from browser_app.protocols.quake.quake3_server import (
    Quake3Request,
    encode_info_response,
    encode_status_response,
    parse_quake3_request,
)
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import DONE, PacketError, QueryParts

SERVER = Address("192.0.2.1", 27960)
STATUS = b"\xff\xff\xff\xffstatusResponse\n"


def asked(must_echo: bool, *tokens: bytes) -> Quake3Session:
    session = Quake3Session(must_echo)
    for token in tokens:
        sent = parse_quake3_request(session.build_request(token))
        assert sent == Quake3Request(wants_players=True, challenge=token.decode())
    return session


def players_of(lines: str) -> tuple[Quake3Player, ...]:
    players = parse_quake3_reply(STATUS + b"\\k\\v\n" + lines.encode()).players
    assert players is not None
    return players


def info_of(infostring: bytes) -> dict[str, str]:
    return parse_quake3_reply(STATUS + infostring + b"\n").info


@pytest.mark.parametrize("must_echo", [False, True])
def test_token_identifies_attempt(must_echo: bool) -> None:
    session = asked(must_echo, b"first000", b"second00", b"third000")
    assert session.receive(encode_status_response({"a": "b"}, [], challenge="second00")) is DONE
    assert session.answered_attempt == 1
    assert session.reply == Quake3Reply({"a": "b", "challenge": "second00"}, ())
    assert not session.has_more


@pytest.mark.parametrize("must_echo", [False, True])
def test_foreign_token_is_rejected(must_echo: bool) -> None:
    session = asked(must_echo, b"token000")
    for reply in (
        encode_status_response({"a": "b"}, [], challenge="token001"),
        encode_info_response({"a": "b"}, challenge="token00"),
    ):
        with pytest.raises(PacketError, match="wrong token"):
            session.receive(reply)
    assert session.reply is None
    assert session.receive(encode_status_response({"a": "b"}, [], challenge="token000")) is DONE


@pytest.mark.parametrize(
    "reply", [encode_status_response({"a": "b"}, []), encode_status_response({"challenge": "", "a": "b"}, [])]
)
def test_only_darkplaces_echoes(reply: bytes) -> None:
    quake = asked(False, b"token000")
    assert quake.receive(reply) is DONE
    assert quake.answered_attempt is None
    with pytest.raises(PacketError, match="wrong token"):
        asked(True, b"token000").receive(reply)


def test_info_has_no_players() -> None:
    session = asked(True, b"token000")
    assert session.receive(encode_info_response({"clients": "64"}, challenge="token000")) is DONE
    assert session.reply is not None
    assert session.reply.players is None


def test_second_reply_is_rejected() -> None:
    session = asked(False, b"token000")
    reply = encode_status_response({"a": "b"}, [])
    session.receive(reply)
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(reply)


def test_one_request_is_sent() -> None:
    session = asked(False, b"token000")
    assert session.build_ping_probe() is None
    assert not session.is_probe_reply(b"")
    assert not session.skip_current_part()


@pytest.mark.parametrize(("name", "interval_s"), [("quake3", 0), ("darkplaces", 1.05), ("fivem", 0.5)])
@pytest.mark.parametrize("want", [QueryParts.INFO, QueryParts.ALL])
def test_registry_knows_echoes(name: str, interval_s: float, want: QueryParts) -> None:
    session = QUERY_PROTOCOLS[name].new_session(want, SERVER)
    session.build_request(b"token000")
    if name == "quake3":
        assert session.receive(encode_status_response({"a": "b"}, [])) is DONE
    else:
        with pytest.raises(PacketError):
            session.receive(encode_status_response({"a": "b"}, []))
    assert QUERY_PROTOCOLS[name].min_interval_s == interval_s


def test_fivem_gets_getinfo() -> None:
    """FiveM servers ignore more than 8 characters after the word, breaks included."""
    session = QUERY_PROTOCOLS["fivem"].new_session(QueryParts.ALL, SERVER)
    request = session.build_request(b"token000")
    assert request == b"\xff\xff\xff\xffgetinfo token000"
    assert parse_quake3_request(request) == Quake3Request(wants_players=False, challenge="token000")
    assert session.receive(encode_info_response({"clients": "3"}, challenge="token000")) is DONE
    assert session.reply == Quake3Reply({"clients": "3", "challenge": "token000"}, None)


@pytest.mark.parametrize(
    ("line", "player"),
    [
        ('7 52 "Ann"', Quake3Player("Ann", "7", 52, None)),
        ('-3 0 ""', Quake3Player("", "-3", 0, None)),
        ('12 48 1 "^1Red"', Quake3Player("^1Red", "12", 48, 1)),
        ('-666 41 0 "watcher"', Quake3Player("watcher", "-666", 41, 0)),
        ('24 20 "plX" 2', Quake3Player("plX", "24", 20, 2)),
        ('-9999 33 "Spec" 0', Quake3Player("Spec", "-9999", 33, 0)),
        ('36.0465 41 2 "clan arena"', Quake3Player("clan arena", "36.0465", 41, 2)),
        ('12,3:human:spectator 41 "full"', Quake3Player("full", "12,3:human:spectator", 41, None)),
        ('1 2 "a "quoted" name"', Quake3Player('a "quoted" name', "1", 2, None)),
        ('1 2 "team 5" 3', Quake3Player("team 5", "1", 2, 3)),
        ('1 2 "3" 4"', Quake3Player('3" 4', "1", 2, None)),
        ('0 0 "Xaero" [bot]', Quake3Player("Xaero", "0", 0, None)),
        ('5 -1 "joining"', Quake3Player("joining", "5", -1, None)),
        ('1 2 "carriage"\r', Quake3Player("carriage", "1", 2, None)),
        ('1 2 "力"', Quake3Player("力", "1", 2, None)),
    ],
)
def test_player_lines(line: str, player: Quake3Player) -> None:
    assert players_of(line + "\n") == (player,)
    assert players_of(f'1 1 "before"\n{line}\n2 2 "after"\n')[1] == player


@pytest.mark.parametrize("line", ["", "\n", "7 52", '7 "name"', '7 x "name"', "map: q3dm17", '7 52 "open', '7 1e3 "n"'])
def test_invalid_player_lines(line: str) -> None:
    assert players_of(f'{line}\n1 1 "Ann"\n') == (Quake3Player("Ann", "1", 1, None),)


def test_long_numbers_are_rejected_or_cut_off() -> None:
    assert players_of(f'1 {"9" * 5000} "Ann"\n') == ()
    assert players_of(f'{"9" * 5000} 1 "Ann"\n')[0].ping == 1


def test_player_line_limit() -> None:
    assert len(players_of('1 2 "n"\n' * (MAX_PLAYER_LINES + 50))) == MAX_PLAYER_LINES


@pytest.mark.parametrize(
    ("infostring", "info"),
    [
        (b"\\a\\1\\b\\2", {"a": "1", "b": "2"}),
        (b"a\\1\\b\\2", {"a": "1", "b": "2"}),
        (b"\\a\\\\b\\2", {"a": "", "b": "2"}),
        (b"\\a\\1\\a\\2\\b\\3", {"a": "1", "b": "3"}),
        (b"\\a\\1\\b", {"a": "1"}),
        (b"\\a\\1\\", {"a": "1"}),
        (b"\\ Admin\\me", {"Admin": "me"}),
        (b"\\a\\ 1 ", {"a": " 1 "}),
        (b"\\a\\\xe9\\b\\\xc3\xa9", {"a": "é", "b": "é"}),
        (b"\\a\\1\0", {"a": "1\0"}),
    ],
)
def test_infostrings(infostring: bytes, info: dict[str, str]) -> None:
    assert info_of(infostring) == info


def test_trailing_zeros_ignored() -> None:
    assert parse_quake3_reply(b"\xff\xff\xff\xffinfoResponse\n\\a\\1\0").info == {"a": "1"}


def test_latin1_name_spoils_no_other() -> None:
    reply = parse_quake3_reply(STATUS + b'\\a\\\xc3\xa9\n1 1 "\xe9"\n2 2 "\xc3\xa9"\n')
    assert reply.info == {"a": "é"}
    assert reply.players is not None
    assert [player.name for player in reply.players] == ["é", "é"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not this protocol"),
        (b"\xff\xff\xff\xffprint\nbad", "not this protocol"),
        (b"statusResponse\n\\a\\b\n", "not this protocol"),
        (STATUS, "no infostring"),
        (STATUS + b"\\a\\b", "truncated infostring"),
        (STATUS + b'\n1 1 "n"\n', "no infostring"),
        (STATUS + b"\\a\\" + b"x" * MAX_REPLY_BYTES, "too large"),
    ],
)
def test_invalid_replies(data: bytes, reason: str) -> None:
    with pytest.raises(PacketError, match=reason):
        parse_quake3_reply(data)


@pytest.mark.parametrize(
    ("data", "request_"),
    [
        (b"\xff\xff\xff\xffgetstatus", Quake3Request(True, "")),
        (b"\xff\xff\xff\xffgetstatus\n", Quake3Request(True, "")),
        (b"\xff\xff\xff\xffgetinfo xyz\n", Quake3Request(False, "xyz")),
        (b"\xff\xff\xff\xffgetinfo xyz more", Quake3Request(False, "xyz")),
    ],
)
def test_parse_requests(data: bytes, request_: Quake3Request) -> None:
    assert parse_quake3_request(data) == request_


@pytest.mark.parametrize("data", [b"", b"getstatus", b"\xff\xff\xff\xffgetstatusx", b"\xff\xff\xff\xffrcon x"])
def test_invalid_requests(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_quake3_request(data)


TEXTS = st.text(st.characters(exclude_characters='\\\n\r"\0', exclude_categories=["Cs", "Cc"]), max_size=30)
KEYS = TEXTS.map(str.strip).filter(lambda key: key not in ("", "challenge"))
SCORES = st.from_regex(r"-?[0-9]{1,5}(\.[0-9]{1,4})?", fullmatch=True)
NUMBERS = st.integers(-9999, 99999)
PLAYERS = st.lists(st.builds(Quake3Player, TEXTS, SCORES, NUMBERS, st.none() | st.integers(0, 20)), max_size=20)


@given(st.dictionaries(KEYS, TEXTS, min_size=1), PLAYERS, st.booleans())
def test_status_round_trip(info: dict[str, str], players: list[Quake3Player], behind: bool) -> None:
    reply = parse_quake3_reply(encode_status_response(info, players, team_after_name=behind))
    assert reply == Quake3Reply(info, tuple(players))
    assert parse_quake3_reply(encode_info_response(info)) == Quake3Reply(info, None)
