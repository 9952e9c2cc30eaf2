"""Exchanges of an A2S query: challenges, late replies, unanswered parts."""

import pytest
from a2s_samples import PLAIN_INFO, a2s_info
from goldsource_encoder import encode_goldsource_info

from browser_app.protocols.a2s import A2SPlayer
from browser_app.protocols.a2s_server import (
    A2SRequest,
    encode_challenge,
    encode_info,
    encode_players,
    encode_rules,
    parse_a2s_request,
)
from browser_app.protocols.a2s_session import MAX_CHALLENGES, A2SSession
from browser_app.protocols.query_session import DONE, PacketError, QueryParts, ReceiveStatus

TOKEN = b"aZ09aZ09"
TOLD = a2s_info(steam_id=90071992547409921)
INFO = encode_info(TOLD)
PLAYERS = encode_players([A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0)])
RULES = encode_rules({b"tickrate": b"30"})
CHALLENGE = b"\x01\x02\x03\x04"


def begun(want: QueryParts) -> A2SSession:
    conversation = A2SSession(want)
    assert conversation.build_request(TOKEN) == b"\xff\xff\xff\xffTSource Engine Query\0"
    return conversation


def asked(step: bytes | ReceiveStatus) -> A2SRequest:
    assert isinstance(step, bytes)
    return parse_a2s_request(step)


def test_info_alone_is_done_after_one_reply() -> None:
    conversation = begun(QueryParts.INFO)
    more_before = conversation.has_more
    assert conversation.receive(INFO) is DONE
    assert (more_before, conversation.has_more) == (True, False)
    assert conversation.reply is not None
    assert conversation.reply.info == TOLD
    assert conversation.reply.players is None
    assert conversation.reply.rules is None
    assert conversation.answered_attempt is None


def test_one_challenge_serves_all_exchanges() -> None:
    conversation = begun(QueryParts.ALL)
    assert asked(conversation.receive(encode_challenge(CHALLENGE))) == A2SRequest(QueryParts.INFO, CHALLENGE)
    assert asked(conversation.build_request(TOKEN)) == A2SRequest(QueryParts.INFO, CHALLENGE)
    assert asked(conversation.receive(INFO)) == A2SRequest(QueryParts.PLAYERS, CHALLENGE)
    assert asked(conversation.receive(PLAYERS)) == A2SRequest(QueryParts.RULES, CHALLENGE)
    assert conversation.receive(RULES) is DONE
    assert conversation.reply is not None
    assert conversation.reply.players == (A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0))
    assert conversation.reply.rules == {b"tickrate": b"30"}


def test_challenge_may_come_late_and_change() -> None:
    conversation = begun(QueryParts.ALL)
    assert asked(conversation.receive(INFO)) == A2SRequest(QueryParts.PLAYERS, None)
    assert asked(conversation.receive(encode_challenge(CHALLENGE))) == A2SRequest(QueryParts.PLAYERS, CHALLENGE)
    assert asked(conversation.receive(PLAYERS)) == A2SRequest(QueryParts.RULES, CHALLENGE)
    assert asked(conversation.receive(encode_challenge(b"next"))) == A2SRequest(QueryParts.RULES, b"next")


def test_players_without_challenge() -> None:
    conversation = begun(QueryParts.PLAYERS)
    conversation.receive(INFO)
    assert conversation.receive(PLAYERS) is DONE


@pytest.mark.parametrize("legs_before", [(), (INFO,), (INFO, PLAYERS)])
def test_at_most_three_challenges_per_exchange(legs_before: tuple[bytes, ...]) -> None:
    conversation = begun(QueryParts.ALL)
    for reply in legs_before:
        conversation.receive(reply)
    for number in range(MAX_CHALLENGES):
        assert asked(conversation.receive(encode_challenge(b"%04d" % number))).challenge == b"%04d" % number
    with pytest.raises(PacketError, match="too many challenges"):
        conversation.receive(encode_challenge(CHALLENGE))
    assert asked(conversation.build_request(TOKEN)).challenge == b"0002"


def test_challenge_may_be_longer_but_not_shorter() -> None:
    conversation = begun(QueryParts.INFO)
    with pytest.raises(PacketError, match="truncated challenge"):
        conversation.receive(encode_challenge(CHALLENGE[:3]))
    assert asked(conversation.receive(encode_challenge(CHALLENGE) + b"more")).challenge == CHALLENGE


def test_reply_of_another_kind_is_rejected() -> None:
    conversation = begun(QueryParts.ALL)
    for early in (PLAYERS, RULES):
        with pytest.raises(PacketError, match="unasked kind"):
            conversation.receive(early)
    conversation.receive(INFO)
    for late in (INFO, encode_goldsource_info(PLAIN_INFO), RULES):
        with pytest.raises(PacketError, match="unasked kind"):
            conversation.receive(late)
    conversation.receive(PLAYERS)
    with pytest.raises(PacketError, match="unasked kind"):
        conversation.receive(PLAYERS)
    conversation.receive(RULES)
    for anything in (INFO, PLAYERS, RULES, encode_challenge(CHALLENGE)):
        with pytest.raises(PacketError, match="unasked"):
            conversation.receive(anything)


def test_skipping_info_leaves_no_reply() -> None:
    conversation = begun(QueryParts.ALL)
    assert not conversation.skip_current_part()
    assert not conversation.has_more
    assert conversation.reply is None


def test_skipping_players_continues_with_rules() -> None:
    conversation = begun(QueryParts.ALL)
    conversation.receive(INFO)
    assert conversation.skip_current_part()
    assert conversation.has_more
    assert asked(conversation.build_request(TOKEN)) == A2SRequest(QueryParts.RULES, None)
    with pytest.raises(PacketError, match="unasked kind"):
        conversation.receive(PLAYERS)
    assert conversation.receive(RULES) is DONE
    assert conversation.reply is not None
    assert conversation.reply.players is None
    assert conversation.reply.rules == {b"tickrate": b"30"}


def test_skipping_last_part_ends_query() -> None:
    conversation = begun(QueryParts.RULES)
    conversation.receive(INFO)
    assert conversation.skip_current_part()
    assert not conversation.has_more


def test_late_info_is_no_probe_reply() -> None:
    conversation = begun(QueryParts.INFO)
    assert conversation.rtt_probe() is None
    conversation.receive(INFO)
    proof = conversation.rtt_probe()
    assert proof is not None
    assert parse_a2s_request(proof) == A2SRequest(QueryParts.PLAYERS, None)
    assert conversation.is_probe_reply(encode_challenge(CHALLENGE))
    assert conversation.is_probe_reply(PLAYERS)
    for other in (INFO, encode_goldsource_info(PLAIN_INFO), RULES, b"", b"\xff\xff\xff\xff"):
        assert not conversation.is_probe_reply(other)


def test_no_probe_after_challenge() -> None:
    conversation = begun(QueryParts.INFO)
    conversation.receive(encode_challenge(CHALLENGE))
    conversation.receive(INFO)
    assert conversation.rtt_probe() is None


def test_goldsource_info_then_source_info() -> None:
    conversation = begun(QueryParts.PLAYERS)
    assert asked(conversation.receive(encode_goldsource_info(PLAIN_INFO))).requested_part is QueryParts.PLAYERS
    with pytest.raises(PacketError, match="unasked kind"):
        conversation.receive(INFO)
    assert conversation.reply is not None
    assert conversation.reply.info.appid is None


def test_second_header_is_skipped() -> None:
    conversation = begun(QueryParts.PLAYERS)
    conversation.receive(INFO)
    assert conversation.receive(b"\xff\xff\xff\xff" + PLAYERS) is DONE
