"""Which servers are shown and in which order: filters, lists, and an order that can be held still."""

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Facts, Status, Target
from browser_app.catalogue.filter_parser import FilterError
from browser_app.catalogue.marks import Marks
from browser_app.catalogue.user_lists import UserLists
from browser_app.games import Games, load_games
from browser_app.paths import resources
from browser_app.protocols.address import Address
from browser_app.ui.list_order import ALL, FAVOURITES, ListOrder


@pytest.fixture(scope="module")
def games() -> Games:
    return load_games(resources() / "games")


def answer(number: int, *, players: int, ping_ms: float, game: str = "ns2") -> Answer:
    target = Target(Address("192.0.2.1", number), "a2s", game)
    facts = Facts(
        game=game,
        name=f"server {number}",
        map="ns2_veil",
        connect=target.address,
        players=players,
        bots=0,
        spectators=0,
        max_players=24,
    )
    return Answer(target, Status.OK, facts, None, ping_ms, False, 1, 1.0)


@pytest.fixture
def catalogue(games: Games) -> Catalogue:
    catalogue = Catalogue(games)
    catalogue.merge(
        [
            answer(1, players=12, ping_ms=30),
            answer(2, players=6, ping_ms=40),
            answer(3, players=0, ping_ms=20),
            answer(4, players=12, ping_ms=50, game="tf2"),
        ]
    )
    catalogue.rescore()
    return catalogue


@pytest.fixture
def shown(qtbot: QtBot, catalogue: Catalogue, games: Games) -> tuple[ListOrder, Callable[[], list[int]]]:
    order = ListOrder(catalogue, games)
    orders: list[list[int]] = []
    order.ordered.connect(lambda rows: orders.append(rows.tolist()))
    return order, lambda: orders[-1]


Shown = tuple[ListOrder, Callable[[], list[int]]]


def test_best_first_and_a_column_turns_round(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.reorder()
    scores = catalogue.score[last()]
    assert np.all(np.diff(scores) <= 0)
    order.sort_by("ping")
    assert last() == [2, 0, 1, 3]
    order.sort_by("ping")
    assert last() == [3, 1, 0, 2]


def test_a_wrong_filter_leaves_the_last_one_in_force(shown: Shown) -> None:
    order, last = shown
    order.set_filter("players>=6 game:ns2")
    assert sorted(last()) == [0, 1]
    with pytest.raises(FilterError):
        order.set_filter("players>=many")
    order.reorder()
    assert sorted(last()) == [0, 1]


def test_no_filter_hides_a_favourite_in_its_own_list(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    catalogue.set_lists(
        UserLists(favourite=Marks(addresses=frozenset({Address("192.0.2.1", 1), Address("192.0.2.1", 3)})))
    )
    order.set_list(FAVOURITES)
    order.set_filter("players=0")
    assert last() == [2, 0]
    order.set_list(ALL)
    assert last() == [2]


def test_a_held_order_waits_for_the_last_hold_to_end(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.sort_by("ping")
    before = last()
    order.hold("while you point", True)
    order.hold("while the menu is open", True)
    catalogue.merge([answer(4, players=12, ping_ms=1, game="tf2")])
    order.refresh()
    order.hold("while you point", False)
    assert last() == before
    order.hold("while the menu is open", False)
    assert last() != before


def test_servers_that_come_while_it_is_held_stand_at_the_end(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.sort_by("ping")
    before = last()
    order.hold("while you point", True)
    catalogue.merge([answer(5, players=1, ping_ms=1)])
    catalogue.rescore()
    order.refresh()
    assert last() == [*before, 4]
    order.hold("while you point", False)
    assert last() == [4, *before]


def test_a_refresh_leaves_the_selected_server_in_sight(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.set_filter("players>=6")
    order.sort_by("ping")
    assert last() == [0, 1, 3]
    order.keep(1)
    catalogue.merge([answer(2, players=0, ping_ms=40)])
    order.refresh()
    assert last() == [0, 1, 3]
    order.keep(0)
    order.refresh()
    assert last() == [0, 3]


def test_the_side_list_counts_what_is_there(shown: Shown, catalogue: Catalogue) -> None:
    order, _ = shown
    counts = {item.key: item.servers for item in order.side_items() if item.key}
    own = {"favourites": 0, "recent": 0, "friends": 0}
    assert counts == {"all": 4, **own, "blocked": 0, "game:ns2": 3, "game:tf2": 1}
    catalogue.set_lists(UserLists(blocked=Marks(addresses=frozenset({Address("192.0.2.1", 4)}))))
    counts = {item.key: item.servers for item in order.side_items() if item.key}
    assert counts == {"all": 3, **own, "blocked": 1, "game:ns2": 3}
