"""Filtering, sorting and holding of the server order."""

from collections.abc import Callable

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import ServerFilter, parse_filter
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.games import GameRegistry
from browser_app.protocols.address import Address
from browser_app.ui.lists.server_list_membership import ALL_LIST, FAVOURITES_LIST, ServerLists
from browser_app.ui.servers.server_order import MAX_SHOWN_PER_HOST, HoldReason, ServerOrder


def answer(number: int, *, players: int, ping_ms: float, game: str = "ns2") -> QueryResult:
    target = QueryTarget(Address("192.0.2.1", number), "a2s", game)
    info = ServerInfo(
        game=game,
        name=f"server {number}",
        map="ns2_veil",
        connect=target.address,
        players=players,
        bots=0,
        spectators=0,
        max_players=24,
    )
    return QueryResult(target, QueryStatus.OK, info, None, ping_ms, False, 1, 1.0)


@pytest.fixture
def catalogue(games: GameRegistry) -> Catalogue:
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
def shown(qtbot: QtBot, catalogue: Catalogue, games: GameRegistry) -> tuple[ServerOrder, Callable[[], list[int]]]:
    order = ServerOrder(catalogue, ServerLists(catalogue, games, {}))
    orders: list[list[int]] = []
    order.order_changed.connect(lambda rows: orders.append(rows.tolist()))
    return order, lambda: orders[-1]


Shown = tuple[ServerOrder, Callable[[], list[int]]]


def term(text: str) -> dict[str, ServerFilter]:
    return {"text": parse_filter(text)}


def test_sorts_and_reverses(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.reorder()
    scores = catalogue.score[last()]
    assert np.all(np.diff(scores) <= 0)
    order.sort_by("ping")
    assert last() == [2, 0, 1, 3]
    order.sort_by("ping")
    assert last() == [3, 1, 0, 2]


@pytest.mark.parametrize("order_name", ["unheard", "address", "--ping", ""])
def test_order_without_column_changes_nothing(shown: Shown, order_name: str) -> None:
    order, _last = shown
    order.set_sort_column("-ping")
    order.set_sort_column(order_name)
    assert order.sort_column == "-ping"


def test_filters_keep_favourites_in_their_list(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    catalogue.set_user_lists(
        UserLists(favourite=ServerMatcher(addresses=frozenset({Address("192.0.2.1", 1), Address("192.0.2.1", 3)})))
    )
    order.show_list(FAVOURITES_LIST, term("players=0"))
    assert last() == [2, 0]
    order.show_list(ALL_LIST, term("players=0"))
    assert last() == [2]


def test_favourites_on_top_in_sort_order(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    pinned = frozenset({Address("192.0.2.1", 2), Address("192.0.2.1", 4)})
    catalogue.set_user_lists(UserLists(favourite=ServerMatcher(addresses=pinned)))
    order.sort_by("ping")
    assert last() == [2, 0, 1, 3]
    order.set_favourites_on_top(True)
    assert last() == [1, 3, 2, 0]
    order.sort_by("ping")
    assert last() == [3, 1, 0, 2]
    order.show_list(ALL_LIST, term("players=12"))
    assert last() == [3, 0]
    order.set_favourites_on_top(False)
    assert last() == [3, 0]


def test_favourites_on_top_keep_host_limit(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    catalogue.merge([answer(number, players=9, ping_ms=100 + number) for number in range(5, 12)])
    catalogue.set_user_lists(UserLists(favourite=ServerMatcher(addresses=frozenset({Address("192.0.2.1", 11)}))))
    order.set_sort_column("ping")
    order.show_list(ALL_LIST, {}, limit_hosts=True)
    before = last()
    order.set_favourites_on_top(True)
    assert before[-1] == 10
    assert last() == [10, *before[:-1]]


def test_hold_ends_with_last_reason(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.sort_by("ping")
    before = last()
    order.set_hold(HoldReason.POINTER, True)
    order.set_hold(HoldReason.MENU, True)
    catalogue.merge([answer(4, players=12, ping_ms=1, game="tf2")])
    order.refresh()
    order.set_hold(HoldReason.POINTER, False)
    assert last() == before
    order.set_hold(HoldReason.MENU, False)
    assert last() != before


def test_held_order_appends_new_servers(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.sort_by("ping")
    before = last()
    order.set_hold(HoldReason.POINTER, True)
    catalogue.merge([answer(5, players=1, ping_ms=1)])
    catalogue.rescore()
    order.refresh()
    assert last() == [*before, 4]
    order.set_hold(HoldReason.POINTER, False)
    assert last() == [4, *before]


def test_refresh_keeps_selected_server(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.show_list(ALL_LIST, term("players>=6"))
    order.sort_by("ping")
    assert last() == [0, 1, 3]
    order.set_selected_server(1)
    catalogue.merge([answer(2, players=0, ping_ms=40)])
    order.refresh()
    assert last() == [0, 1, 3]
    order.set_selected_server(0)
    order.refresh()
    assert last() == [0, 3]


def test_matching_rows_ignore_hold_and_selection(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    order.show_list(ALL_LIST, term("players>=6"))
    order.set_selected_server(1)
    order.set_hold(HoldReason.POINTER, True)
    catalogue.merge(
        [answer(2, players=0, ping_ms=40), answer(5, players=9, ping_ms=9), answer(6, players=9, ping_ms=9)]
    )
    assert order.matching_rows(catalogue).tolist() == [True, True, False, True, False, False]
    order.refresh()
    assert set(last()) == {0, 1, 3, 4, 5}
    assert order.matching_rows(catalogue).tolist() == [True, False, False, True, True, True]


def test_sidebar_counts(catalogue: Catalogue, games: GameRegistry) -> None:
    saved = {"Near": "ping<=40", "From tomorrow": "unheard>3"}
    lists = ServerLists(catalogue, games, saved)
    lists.lan_servers = frozenset({1})
    counts = {item.key: item.server_count for item in lists.sidebar_items() if item.key}
    own = {"favourites": 0, "recent": 0, "friends": 0, "lan": 1}
    named = {"saved:Near": 3, "saved:From tomorrow": 0}
    assert counts == {"all": 4, **own, "blocked": 0, **named, "game:ns2": 3, "game:tf2": 1}
    catalogue.set_user_lists(UserLists(blocked=ServerMatcher(addresses=frozenset({Address("192.0.2.1", 4)}))))
    counts = {item.key: item.server_count for item in lists.sidebar_items() if item.key}
    assert counts == {"all": 3, **own, "blocked": 1, **named, "game:ns2": 3}
    lists.games_without_key = frozenset({"cs2", "ns2"})
    assert [item.key for item in lists.sidebar_items() if item.needs_key] == ["game:cs2"]
    lists.shown_games = frozenset({"ns2", "xonotic"})
    assert lists.shown_games_without_key == {"ns2"}


def test_list_membership(catalogue: Catalogue, games: GameRegistry) -> None:
    lists = ServerLists(catalogue, games, {"Near": "ping<=40"})
    lists.lan_servers = frozenset({3})
    catalogue.friends[0] = 1
    shown = {key: lists.list_rows(key).nonzero()[0].tolist() for key in ("lan", "friends", "saved:Near", "game:ns2")}
    assert shown == {"lan": [3], "friends": [0], "saved:Near": [0, 1, 2], "game:ns2": [0, 1, 2]}


def test_host_limit_keeps_best_favourites_and_selected(shown: Shown, catalogue: Catalogue) -> None:
    order, last = shown
    catalogue.merge([answer(port, players=4, ping_ms=10 + port) for port in range(5, 12)])
    catalogue.set_user_lists(UserLists(favourite=ServerMatcher(addresses=frozenset({Address("192.0.2.1", 11)}))))
    catalogue.rescore()
    order.sort_by("ping")
    everybody = last()
    assert len(everybody) == 11
    assert order.host_limit_count == 11 - MAX_SHOWN_PER_HOST - 1
    order.set_selected_server(everybody[-2])
    order.show_list(ALL_LIST, {}, limit_hosts=True)
    favourite = int(catalogue.favourite.nonzero()[0][0])
    assert last() == [row for row in everybody if row in (*everybody[:MAX_SHOWN_PER_HOST], everybody[-2], favourite)]
    assert order.host_limit_count == 11 - len(last())
