"""The memory of lists: which servers a refresh queries.

Also what happens to those of a source that is switched off.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from loopback_servers import always, dpmaster, quake3, serving, silent
from measurements import TIMES
from pytestqt.qtbot import QtBot

from browser_app.application import listing_update
from browser_app.bridge.saved_server_sync import SavedServerSync
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.engine.masters import dpmaster_client
from browser_app.engine.masters.query_sources import QuerySources, parse_sources
from browser_app.engine.masters.udp_master_client import UdpMasterTiming
from browser_app.engine.poll_listings import PollListings
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")
QUICK = QueryTiming(waits_s=(0.2,), late_reply_wait_s=0.2)


@dataclass
class ListDriver:
    """A server list whose masters a test switches on and off."""

    qtbot: QtBot
    server_list: ServerListController
    sources: QuerySources = field(default_factory=QuerySources)
    enabled: Sequence[str] = ()

    def use(self, urls: Sequence[str], *, servers: Sequence[Address] = ()) -> None:
        """Switch these masters on and all others off."""
        self.sources = parse_sources(GAMES, masters=urls, servers=[f"quake3://{each}" for each in servers])
        self.server_list.listing_updater.enable_sources(urls)
        self.wait()

    def refresh(self) -> ServerPoll:
        """Refresh and wait for the end."""
        self.server_list.refresh()
        self.wait()
        assert self.server_list.poll is not None
        return self.server_list.poll

    def refresh_until_answered(self, address: Address) -> None:
        """Refresh until a server has answered.

        On a busy machine it may answer too late for `QUICK`.
        """
        for _ in range(TIMES):
            self.refresh()
            row = self.server_list.catalogue.row_of(address)
            if row is not None and self.server_list.catalogue.status[row] == QueryStatus.OK:
                return
        pytest.fail(f"{address} does not answer")

    def wait(self) -> None:
        """Wait until nothing is under way."""
        server_list = self.server_list
        self.qtbot.waitUntil(lambda: not server_list.is_running and not server_list.listing_updater.is_running)

    def known(self, addresses: Sequence[Address]) -> list[bool]:
        """Return which of these servers are in the list."""
        return [self.server_list.catalogue.row_of(each) is not None for each in addresses]


@pytest.fixture
def driver(qtbot: QtBot) -> Iterator[ListDriver]:
    with ExitStack() as stack:
        scanner = stack.enter_context(Scanner(GAMES))

        def start(known: Sequence[QueryTarget]) -> ServerPoll:
            return start_poll(scanner, made.sources, pace=PACES["unlimited"], timing=QUICK, known=known)

        def query(target: QueryTarget) -> None:
            pytest.fail(f"{target} was queried")

        made = ListDriver(
            qtbot,
            ServerListController(Catalogue(GAMES), start, query, dict, lambda: None),  # type: ignore[arg-type]
        )
        yield made
        made.server_list.close()
        made.server_list.deleteLater()


def test_unresponsive_server_is_queried_while_listed(driver: ListDriver) -> None:
    with serving(*[silent] * 30, *[quake3()] * 3) as addresses:
        dead, alive = addresses[:30], addresses[30:]
        with serving(dpmaster([*dead, *alive[:2]]), dpmaster([dead[0], *alive[1:]])) as (bad, good):
            urls = [f"dpmaster://{each}/Quake3Arena/71" for each in (bad, good)]
            driver.use(urls)
            assert driver.refresh().progress.targets == driver.refresh().progress.targets == 33
            driver.server_list.catalogue.set_user_lists(
                UserLists(
                    favourite=ServerMatcher(frozenset({dead[1]})), blocked=ServerMatcher(networks=("127.0.0.0/8",))
                )
            )
            driver.use(urls[1:])
            # The bad list's own servers are gone, except for the favourite.
            assert driver.known(addresses) == [True, True, *[False] * 28, False, True, True]
            assert driver.refresh().progress.targets == 4
            driver.use(urls)
            assert driver.refresh().progress.targets == 33


def test_server_that_answered_is_queried_again(driver: ListDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(quake3(), silent, silent) as (alive, dead, own):
        listed = dpmaster([alive, dead])
        with serving(lambda request: listed(request)) as (master,):  # noqa: PLW0108 (replaced below)
            driver.use([f"dpmaster://{master}/Quake3Arena/71"], servers=[own])
            driver.refresh_until_answered(alive)
            listed = dpmaster([])
            driver.refresh()
            assert driver.known([alive, dead, own]) == [True, True, True]  # an empty list counts as a failure
            listed = dpmaster([Address("127.0.0.1", 9)])
            poll = driver.refresh()
            assert driver.known([alive, dead, own]) == [True, False, True]
            assert poll.progress.targets == 3  # the two that stay, and the one listed now
            listed = always()
            hasty = UdpMasterTiming(requests_s=(0.0,), no_answer_s=0.1)
            monkeypatch.setattr(dpmaster_client, "UdpMasterTiming", lambda: hasty)
            assert driver.refresh().progress.targets == 2


def test_dropped_rows_are_announced(driver: ListDriver) -> None:
    with serving(silent, silent, quake3()) as addresses:
        with serving(dpmaster(addresses)) as (master,):
            driver.use([f"dpmaster://{master}/Quake3Arena/71"])
            driver.refresh_until_answered(addresses[2])
        removed: list[list[int]] = []
        orders: list[int] = []
        driver.server_list.changed.connect(lambda changes: removed.append(changes.removed.tolist()))
        driver.server_list.rescored.connect(lambda: orders.append(len(removed)))
        answered = driver.server_list.catalogue.row_of(addresses[2])
        assert answered is not None
        assert driver.server_list.seconds_since_answer(answered) < 60
        driver.use([])
        assert removed == [[0, 1, 2]]
        assert orders[-1:] == [1]  # the table is sorted after the rows were dropped
        age = driver.server_list.seconds_since_answer(answered)
        assert age != age


def test_sources_of_saved_servers_are_known(driver: ListDriver) -> None:
    with serving(quake3(), quake3()) as addresses, UserStorage(user_paths()) as storage:
        sync = SavedServerSync(driver.server_list, storage.database)
        with serving(dpmaster(addresses[:1]), dpmaster(addresses)) as masters:
            urls = [f"dpmaster://{each}/Quake3Arena/71" for each in masters]
            driver.use(urls)
            driver.refresh()
        sync.close()
        storage.database.flush()
        later = ServerListController(Catalogue(GAMES), None, None, dict, lambda: None)  # type: ignore[arg-type]
        later.listing_updater.enable_sources(urls[:1])
        loading = SavedServerSync(later, storage.database)
        loading.load()
        driver.qtbot.waitUntil(lambda: not later.is_loading)
        assert [later.catalogue.row_of(each) is not None for each in addresses] == [True, False]
        loading.close()
        later.close()
        later.deleteLater()


def test_long_list_is_applied_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing_update, "SLICE_SIZE", 10)
    catalogue, listings = Catalogue(GAMES), PollListings()
    targets = [QueryTarget(Address("192.0.2.1", port), "quake3", None) for port in range(1, 96)]
    catalogue.merge([QueryResult(each, QueryStatus.NO_ANSWER, None, "", None, False, 3, 0.0) for each in targets])
    listings.add("dpmaster://192.0.2.9", targets[:50])
    listings.add("dpmaster://192.0.2.9", targets[40:60])
    poll = SimpleNamespace(listings=listings, source_urls=["dpmaster://192.0.2.9", "dpmaster://192.0.2.8"])
    steps = list(listing_update.update_listings(catalogue, poll, frozenset(poll.source_urls)))  # type: ignore[arg-type]
    assert [len(each.ids) for each in steps] == [0] * 5 + [10, 10, 10, 5]
    assert np.concatenate([each.removed for each in steps]).tolist() == list(range(60, 95))
