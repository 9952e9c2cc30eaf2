"""Exchanges of an A2S query: challenges, late replies, unanswered parts."""

import pytest
from a2s_samples import PLAIN_INFO, a2s_info
from goldsource_encoder import encode_goldsource_info

from browser_app.protocols.a2s.a2s import A2SPlayer
from browser_app.protocols.a2s.a2s_server import (
    A2SRequest,
    encode_challenge,
    encode_info,
    encode_players,
    encode_rules,
    parse_a2s_request,
)
from browser_app.protocols.a2s.a2s_session import MAX_CHALLENGES, A2SSession
from browser_app.protocols.query_session import DONE, PacketError, QueryParts, ReceiveStatus

TOKEN = b"aZ09aZ09"
EXPECTED_INFO = a2s_info(steam_id=90071992547409921)
INFO = encode_info(EXPECTED_INFO)
PLAYERS = encode_players([A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0)])
RULES = encode_rules({b"tickrate": b"30"})
CHALLENGE = b"\x01\x02\x03\x04"


def started_session(want: QueryParts) -> A2SSession:
    session = A2SSession(want)
    assert session.build_request(TOKEN) == b"\xff\xff\xff\xffTSource Engine Query\0"
    return session


def asked(step: bytes | ReceiveStatus) -> A2SRequest:
    assert isinstance(step, bytes)
    return parse_a2s_request(step)


def test_info_needs_one_reply() -> None:
    session = started_session(QueryParts.INFO)
    more_before = session.has_more
    assert session.receive(INFO) is DONE
    assert (more_before, session.has_more) == (True, False)
    assert session.reply is not None
    assert session.reply.info == EXPECTED_INFO
    assert session.reply.players is None
    assert session.reply.rules is None
    assert session.answered_attempt is None


def test_one_challenge_serves_all() -> None:
    session = started_session(QueryParts.ALL)
    assert asked(session.receive(encode_challenge(CHALLENGE))) == A2SRequest(QueryParts.INFO, CHALLENGE)
    assert asked(session.build_request(TOKEN)) == A2SRequest(QueryParts.INFO, CHALLENGE)
    assert asked(session.receive(INFO)) == A2SRequest(QueryParts.PLAYERS, CHALLENGE)
    assert asked(session.receive(PLAYERS)) == A2SRequest(QueryParts.RULES, CHALLENGE)
    assert session.receive(RULES) is DONE
    assert session.reply is not None
    assert session.reply.players == (A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0))
    assert session.reply.rules == {b"tickrate": b"30"}


def test_challenge_may_change() -> None:
    session = started_session(QueryParts.ALL)
    assert asked(session.receive(INFO)) == A2SRequest(QueryParts.PLAYERS, None)
    assert asked(session.receive(encode_challenge(CHALLENGE))) == A2SRequest(QueryParts.PLAYERS, CHALLENGE)
    assert asked(session.receive(PLAYERS)) == A2SRequest(QueryParts.RULES, CHALLENGE)
    assert asked(session.receive(encode_challenge(b"next"))) == A2SRequest(QueryParts.RULES, b"next")


def test_players_without_challenge() -> None:
    session = started_session(QueryParts.PLAYERS)
    session.receive(INFO)
    assert session.receive(PLAYERS) is DONE


@pytest.mark.parametrize("legs_before", [(), (INFO,), (INFO, PLAYERS)])
def test_at_most_three_challenges(legs_before: tuple[bytes, ...]) -> None:
    session = started_session(QueryParts.ALL)
    for reply in legs_before:
        session.receive(reply)
    for number in range(MAX_CHALLENGES):
        assert asked(session.receive(encode_challenge(b"%04d" % number))).challenge == b"%04d" % number
    with pytest.raises(PacketError, match="too many challenges"):
        session.receive(encode_challenge(CHALLENGE))
    assert asked(session.build_request(TOKEN)).challenge == b"0002"


def test_challenge_may_be_longer_but_not_shorter() -> None:
    session = started_session(QueryParts.INFO)
    with pytest.raises(PacketError, match="truncated challenge"):
        session.receive(encode_challenge(CHALLENGE[:3]))
    assert asked(session.receive(encode_challenge(CHALLENGE) + b"more")).challenge == CHALLENGE


def test_other_reply_is_rejected() -> None:
    session = started_session(QueryParts.ALL)
    for early in (PLAYERS, RULES):
        with pytest.raises(PacketError, match="unexpected kind"):
            session.receive(early)
    session.receive(INFO)
    for late in (INFO, encode_goldsource_info(PLAIN_INFO), RULES):
        with pytest.raises(PacketError, match="unexpected kind"):
            session.receive(late)
    session.receive(PLAYERS)
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(PLAYERS)
    session.receive(RULES)
    for anything in (INFO, PLAYERS, RULES, encode_challenge(CHALLENGE)):
        with pytest.raises(PacketError, match="unexpected"):
            session.receive(anything)


def test_skipped_info_has_no_reply() -> None:
    session = started_session(QueryParts.ALL)
    assert not session.skip_current_part()
    assert not session.has_more
    assert session.reply is None


def test_skipped_players_then_rules() -> None:
    session = started_session(QueryParts.ALL)
    session.receive(INFO)
    assert session.skip_current_part()
    assert session.has_more
    assert asked(session.build_request(TOKEN)) == A2SRequest(QueryParts.RULES, None)
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(PLAYERS)
    assert session.receive(RULES) is DONE
    assert session.reply is not None
    assert session.reply.players is None
    assert session.reply.rules == {b"tickrate": b"30"}


def test_skipped_last_part_ends() -> None:
    session = started_session(QueryParts.RULES)
    session.receive(INFO)
    assert session.skip_current_part()
    assert not session.has_more


def test_late_info_is_no_probe() -> None:
    session = started_session(QueryParts.INFO)
    assert session.build_ping_probe() is None
    session.receive(INFO)
    proof = session.build_ping_probe()
    assert proof is not None
    assert parse_a2s_request(proof) == A2SRequest(QueryParts.PLAYERS, None)
    assert session.is_probe_reply(encode_challenge(CHALLENGE))
    assert session.is_probe_reply(PLAYERS)
    for other in (INFO, encode_goldsource_info(PLAIN_INFO), RULES, b"", b"\xff\xff\xff\xff"):
        assert not session.is_probe_reply(other)


def test_no_probe_after_challenge() -> None:
    session = started_session(QueryParts.INFO)
    session.receive(encode_challenge(CHALLENGE))
    session.receive(INFO)
    assert session.build_ping_probe() is None


def test_goldsource_then_source() -> None:
    session = started_session(QueryParts.PLAYERS)
    assert asked(session.receive(encode_goldsource_info(PLAIN_INFO))).requested_part is QueryParts.PLAYERS
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(INFO)
    assert session.reply is not None
    assert session.reply.info.appid is None


def test_second_header_is_skipped() -> None:
    session = started_session(QueryParts.PLAYERS)
    session.receive(INFO)
    assert session.receive(b"\xff\xff\xff\xff" + PLAYERS) is DONE
