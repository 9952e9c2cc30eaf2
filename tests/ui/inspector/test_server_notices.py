"""What the inspector says about a server's data: age, origin, and suspicions."""

import pytest

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import (
    DescribedServer,
    QueryResult,
    QueryStatus,
    QueryTarget,
    SavedServer,
    ServerInfo,
)
from browser_app.catalogue.suspicion import SuspicionMark
from browser_app.protocols.address import Address
from browser_app.ui.inspector.server_notices import server_notices

NOW, HOUR_S = 1_700_000_000.0, 3600.0
HERE = Address("192.0.2.1", 27015)
TARGET = QueryTarget(HERE, "a2s", "tf2")
INFO = ServerInfo("tf2", "Somewhere", "cp_steel", HERE, 5, 0, None, 24)
FAILURE = QueryResult(TARGET, QueryStatus.NO_ANSWER, None, "no answer", None, False, 3, NOW)


def reply(at: float = NOW, *, estimated: bool = False) -> QueryResult:
    return QueryResult(TARGET, QueryStatus.OK, INFO, None, 50.0, estimated, 1, at)


@pytest.fixture
def catalogue() -> Catalogue:
    """A catalogue with one server, as of an answer."""
    catalogue = Catalogue({})
    catalogue.merge([reply()])
    return catalogue


def state(catalogue: Catalogue) -> str:
    return server_notices(catalogue, 0, NOW + HOUR_S, HOUR_S).state


def test_fresh_answer_has_no_notice(catalogue: Catalogue) -> None:
    assert server_notices(catalogue, 0, NOW + 1.0, 1.0) == ("", "")


def test_silence_has_age(catalogue: Catalogue) -> None:
    catalogue.merge([FAILURE])
    assert state(catalogue) == "No answer. These values are 1 h old."


def test_age_is_right_after_the_clock_was_set(catalogue: Catalogue) -> None:
    catalogue.merge([FAILURE])
    assert server_notices(catalogue, 0, NOW + 24 * HOUR_S, 40.0).state == "No answer. These values are 40 s old."


def test_saved_values_have_age() -> None:
    catalogue = Catalogue({})
    catalogue.restore([SavedServer(TARGET, INFO, 50.0, NOW)])
    assert state(catalogue) == "These values are 1 h old."
    catalogue.merge([reply(NOW + HOUR_S)])
    assert state(catalogue) == ""


def test_description_names_its_list() -> None:
    catalogue = Catalogue({})
    merge_descriptions(catalogue, [DescribedServer(TARGET, INFO)], NOW + HOUR_S - 5.0)
    assert state(catalogue) == "From its list, 5 s ago."
    catalogue.merge([FAILURE])
    assert state(catalogue) == "No answer so far. From its list, 5 s ago."


def test_estimated_ping_is_noted() -> None:
    catalogue = Catalogue({})
    catalogue.merge([reply(estimated=True)])
    assert state(catalogue).startswith("The ping is estimated")
    catalogue.merge([FAILURE])
    assert "estimated" not in state(catalogue)


def test_suspicion_marks_are_warnings(catalogue: Catalogue) -> None:
    catalogue.suspicions[0] = SuspicionMark.FROZEN_TIMES | SuspicionMark.NEGATIVE_TIME
    notices = server_notices(catalogue, 0, NOW, 0.0)
    assert notices.state == ""
    assert notices.warning == (
        "Reports a negative play time for a player. The play times of its players never increase."
    )
