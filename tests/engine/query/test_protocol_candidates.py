"""Servers that are listed with more than one query protocol."""

import pytest
from fake_game_servers import INFO, QUICK, UNLIMITED, FakeServerThread, after, silent
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.query.scanner import Scanner
from browser_app.games.game_registry import GameRegistry

pytestmark = pytest.mark.slow


def outcome(
    fake_servers: FakeServerThread, protocols: tuple[str, ...], *, alive: bool, late: bool = False
) -> list[tuple[str, bool]]:
    """Scan one A2S server listed with these protocols.

    Return protocol and success of each result.
    """
    target = fake_servers.add(after(0, INFO) if alive else silent).target
    named = [QueryTarget(target.address, protocol, None) for protocol in protocols]
    with Scanner(GameRegistry(())) as scanner:
        scan = scanner.scan(named[:1], pace=UNLIMITED, timing=QUICK)
        assert wait_until(lambda: bool(scan.results) or not late)
        scan.add(named[1:])
        scan.seal()
        assert scan.wait(LIMIT_S)
    progress = scan.progress
    assert (progress.targets, progress.finished) == (1, 1)
    assert progress.answered == sum(result.status is QueryStatus.OK for result in scan.results)
    return [(result.target.protocol, result.info is not None) for result in scan.results]


@pytest.mark.parametrize("late", [False, True])
def test_next_after_failure(late: bool) -> None:
    with FakeServerThread() as fake_servers:
        assert outcome(fake_servers, ("quake3", "a2s"), alive=True, late=late) == [("quake3", False), ("a2s", True)]


@pytest.mark.parametrize("late", [False, True])
def test_none_after_reply(late: bool) -> None:
    with FakeServerThread() as fake_servers:
        assert outcome(fake_servers, ("a2s", "quake3"), alive=True, late=late) == [("a2s", True)]


@pytest.mark.parametrize("late", [False, True])
def test_unresponsive_server_has_one_result(late: bool) -> None:
    with FakeServerThread() as fake_servers:
        assert outcome(fake_servers, ("a2s", "quake3"), alive=False, late=late) == [("a2s", False)]


def test_only_one_other_protocol() -> None:
    with FakeServerThread() as fake_servers:
        protocols = ("quake3", "darkplaces", "a2s")
        assert outcome(fake_servers, protocols, alive=True, late=True) == [("quake3", False)]
