"""The legs of an A2S query: challenges, late answers, parts that stay unanswered."""

import pytest
from a2s_samples import PLAIN_INFO, a2s_info

from browser_app.protocols.a2s import A2SPlayer
from browser_app.protocols.a2s_conversation import MAX_CHALLENGES, A2SConversation
from browser_app.protocols.a2s_server import (
    A2SRequest,
    read_request,
    write_challenge,
    write_goldsource_info,
    write_info,
    write_players,
    write_rules,
)
from browser_app.protocols.conversation import DONE, Refused, Step, Want

TOKEN = b"aZ09aZ09"
TOLD = a2s_info(steam_id=90071992547409921)
INFO = write_info(TOLD)
PLAYERS = write_players([A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0)])
RULES = write_rules({b"tickrate": b"30"})
CHALLENGE = b"\x01\x02\x03\x04"


def begun(want: Want) -> A2SConversation:
    conversation = A2SConversation(want)
    assert conversation.request(TOKEN) == b"\xff\xff\xff\xffTSource Engine Query\0"
    return conversation


def asked(step: bytes | Step) -> A2SRequest:
    assert isinstance(step, bytes)
    return read_request(step)


def test_info_alone_is_done_after_the_first_answer() -> None:
    conversation = begun(Want.INFO)
    more_before = conversation.more
    assert conversation.receive(INFO) is DONE
    assert (more_before, conversation.more) == (True, False)
    assert conversation.reply is not None
    assert conversation.reply.info == TOLD
    assert conversation.reply.players is None
    assert conversation.reply.rules is None
    assert conversation.answered_attempt is None


def test_one_challenge_serves_all_legs() -> None:
    conversation = begun(Want.ALL)
    assert asked(conversation.receive(write_challenge(CHALLENGE))) == A2SRequest(Want.INFO, CHALLENGE)
    assert asked(conversation.request(TOKEN)) == A2SRequest(Want.INFO, CHALLENGE)
    assert asked(conversation.receive(INFO)) == A2SRequest(Want.PLAYERS, CHALLENGE)
    assert asked(conversation.receive(PLAYERS)) == A2SRequest(Want.RULES, CHALLENGE)
    assert conversation.receive(RULES) is DONE
    assert conversation.reply is not None
    assert conversation.reply.players == (A2SPlayer("Ann", 7, 61.5), A2SPlayer("Bob", -1, 0.0))
    assert conversation.reply.rules == {b"tickrate": b"30"}


def test_the_challenge_may_come_in_a_later_leg_and_may_change() -> None:
    conversation = begun(Want.ALL)
    assert asked(conversation.receive(INFO)) == A2SRequest(Want.PLAYERS, None)
    assert asked(conversation.receive(write_challenge(CHALLENGE))) == A2SRequest(Want.PLAYERS, CHALLENGE)
    assert asked(conversation.receive(PLAYERS)) == A2SRequest(Want.RULES, CHALLENGE)
    assert asked(conversation.receive(write_challenge(b"next"))) == A2SRequest(Want.RULES, b"next")


def test_players_answered_without_a_challenge() -> None:
    conversation = begun(Want.PLAYERS)
    conversation.receive(INFO)
    assert conversation.receive(PLAYERS) is DONE


@pytest.mark.parametrize("legs_before", [(), (INFO,), (INFO, PLAYERS)])
def test_no_leg_takes_more_than_three_challenges(legs_before: tuple[bytes, ...]) -> None:
    conversation = begun(Want.ALL)
    for reply in legs_before:
        conversation.receive(reply)
    for number in range(MAX_CHALLENGES):
        assert asked(conversation.receive(write_challenge(b"%04d" % number))).challenge == b"%04d" % number
    with pytest.raises(Refused, match="too many challenges"):
        conversation.receive(write_challenge(CHALLENGE))
    assert asked(conversation.request(TOKEN)).challenge == b"0002"


def test_a_challenge_may_be_longer_but_not_shorter() -> None:
    conversation = begun(Want.INFO)
    with pytest.raises(Refused, match="truncated challenge"):
        conversation.receive(write_challenge(CHALLENGE[:3]))
    assert asked(conversation.receive(write_challenge(CHALLENGE) + b"more")).challenge == CHALLENGE


def test_an_answer_of_another_kind_is_never_the_answer_of_this_leg() -> None:
    conversation = begun(Want.ALL)
    for early in (PLAYERS, RULES):
        with pytest.raises(Refused, match="unasked kind"):
            conversation.receive(early)
    conversation.receive(INFO)
    for late in (INFO, write_goldsource_info(PLAIN_INFO), RULES):
        with pytest.raises(Refused, match="unasked kind"):
            conversation.receive(late)
    conversation.receive(PLAYERS)
    with pytest.raises(Refused, match="unasked kind"):
        conversation.receive(PLAYERS)
    conversation.receive(RULES)
    for anything in (INFO, PLAYERS, RULES, write_challenge(CHALLENGE)):
        with pytest.raises(Refused, match="unasked"):
            conversation.receive(anything)


def test_giving_up_info_leaves_nothing() -> None:
    conversation = begun(Want.ALL)
    assert not conversation.give_up()
    assert not conversation.more
    assert conversation.reply is None


def test_giving_up_players_goes_on_with_the_rules() -> None:
    conversation = begun(Want.ALL)
    conversation.receive(INFO)
    assert conversation.give_up()
    assert conversation.more
    assert asked(conversation.request(TOKEN)) == A2SRequest(Want.RULES, None)
    with pytest.raises(Refused, match="unasked kind"):
        conversation.receive(PLAYERS)
    assert conversation.receive(RULES) is DONE
    assert conversation.reply is not None
    assert conversation.reply.players is None
    assert conversation.reply.rules == {b"tickrate": b"30"}


def test_giving_up_the_last_leg_ends_the_query() -> None:
    conversation = begun(Want.RULES)
    conversation.receive(INFO)
    assert conversation.give_up()
    assert not conversation.more


def test_the_proof_cannot_be_answered_by_a_late_info() -> None:
    conversation = begun(Want.INFO)
    assert conversation.proof() is None
    conversation.receive(INFO)
    proof = conversation.proof()
    assert proof is not None
    assert read_request(proof) == A2SRequest(Want.PLAYERS, None)
    assert conversation.confirms(write_challenge(CHALLENGE))
    assert conversation.confirms(PLAYERS)
    for other in (INFO, write_goldsource_info(PLAIN_INFO), RULES, b"", b"\xff\xff\xff\xff"):
        assert not conversation.confirms(other)


def test_no_proof_is_needed_after_a_challenge() -> None:
    conversation = begun(Want.INFO)
    conversation.receive(write_challenge(CHALLENGE))
    conversation.receive(INFO)
    assert conversation.proof() is None


def test_goldsource_counts_as_info_and_its_twin_is_refused() -> None:
    conversation = begun(Want.PLAYERS)
    assert asked(conversation.receive(write_goldsource_info(PLAIN_INFO))).part is Want.PLAYERS
    with pytest.raises(Refused, match="unasked kind"):
        conversation.receive(INFO)
    assert conversation.reply is not None
    assert conversation.reply.info.appid is None


def test_a_second_header_in_front_of_the_message_is_skipped() -> None:
    conversation = begun(Want.PLAYERS)
    conversation.receive(INFO)
    assert conversation.receive(b"\xff\xff\xff\xff" + PLAYERS) is DONE
