"""Play Now's texts about servers that it leaves out."""

import pytest
from catalogue_helpers import GAMES, NOW, failed_query, reply, server_info, target

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import DescribedServer, SavedServer
from browser_app.engine.catalogue_snapshot import PlayOptions, build_snapshot
from browser_app.ranking.play_now_choice import ExclusionReason, choose_servers
from browser_app.ui.play.play_now_texts import (
    exclusion_sentence,
    exclusions_in_scope,
    exclusions_text,
    passed_over_text,
)


@pytest.fixture
def catalogue() -> Catalogue:
    """Return servers in all states that Play Now distinguishes."""
    servers = Catalogue(GAMES)
    servers.merge(
        [
            reply(0, players=24),
            reply(1, players=0, joinable=False, closed=True),
            failed_query(2),
            reply(5, players=1),
        ]
    )
    merge_descriptions(servers, [DescribedServer(target(3), server_info(3))], NOW)
    servers.restore([SavedServer(target(4), server_info(4), 20.0, NOW - 60)])
    servers.rescore()
    return servers


def row_of(catalogue: Catalogue, number: int) -> int:
    row = catalogue.row_of(target(number).address)
    assert row is not None
    return row


def test_unqueried_servers_have_not_failed_to_answer(catalogue: Catalogue) -> None:
    snapshot = build_snapshot(catalogue, PlayOptions())
    counts = exclusions_in_scope(catalogue, snapshot, choose_servers(snapshot.candidates))
    assert {each.label: each.servers for each in counts} == {"Full or closed": 2, "Not queried": 2, "No answer": 1}
    assert exclusions_text(counts) == "Full or closed: 2 · Not queried: 2 · No answer: 1"


@pytest.mark.parametrize(
    ("number", "reason", "sentence"),
    [
        (0, ExclusionReason.FULL, "“Server 0” is full."),
        (1, ExclusionReason.FULL, "“Server 1” accepts no players now."),
        (2, ExclusionReason.NO_ANSWER, "“10.0.0.2:27016” does not answer."),
        (3, ExclusionReason.NO_ANSWER, "“Server 3” has not been queried."),
        (4, ExclusionReason.NO_ANSWER, "“Server 4” has not been queried."),
    ],
)
def test_sentences(catalogue: Catalogue, number: int, reason: ExclusionReason, sentence: str) -> None:
    assert exclusion_sentence(catalogue, row_of(catalogue, number), reason) == sentence


def test_better_saved_server_is_passed_over_as_not_queried(catalogue: Catalogue) -> None:
    snapshot = build_snapshot(catalogue, PlayOptions())
    choice = choose_servers(snapshot.candidates)
    text = passed_over_text(catalogue, snapshot, choice, row_of(catalogue, 5))
    assert text == "“Server 4” ranks higher. “Server 4” has not been queried."
