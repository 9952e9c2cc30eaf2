"""Memory for what the servers on one host send."""

import pytest
from catalogue_helpers import NOW, server_info

from browser_app.catalogue import details_budget
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.details_budget import DetailsBudget, estimate_details_bytes
from browser_app.catalogue.reply_readers.server_info_text import PlainRules
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget
from browser_app.games.game_files import GameFiles
from browser_app.protocols.address import Address


def player(name: str) -> PlayerInfo:
    return PlayerInfo(name, None, None, None, None, None)


def merge(catalogue: Catalogue, host: str, port: int, name: str) -> int:
    """Merge a reply with many rules and a player; return the server's row."""
    info = server_info(
        1,
        player_list=(player(name),),
        rules=PlainRules({f"key {number}": name for number in range(100)}),
        game_files=GameFiles("doom2.wad", ("maps.wad",)),
    )
    address = Address(host, port)
    catalogue.merge([QueryResult(QueryTarget(address, "a2s", "ns2"), QueryStatus.OK, info, None, 20.0, False, 1, NOW)])
    row = catalogue.row_of(address)
    assert row is not None
    return row


def names_of(catalogue: Catalogue, row: int) -> list[str] | None:
    info = catalogue.server_info(row)
    assert info is not None
    assert (info.player_list is None) == (info.rules is None) == (info.game_files is None)
    return None if info.player_list is None else [each.name for each in info.player_list]


def test_oldest_replies_of_host_lose_details(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(details_budget, "MAX_BYTES_PER_HOST", 60_000)
    catalogue = Catalogue({})
    elsewhere = merge(catalogue, "192.0.2.9", 27015, "moth")
    rows = [merge(catalogue, "192.0.2.8", port, f"player {port}") for port in range(5)]
    assert [names_of(catalogue, row) for row in rows] == [None, None, ["player 2"], ["player 3"], ["player 4"]]
    assert catalogue.search_texts()[rows[0]].count("player") == 0
    assert names_of(catalogue, elsewhere) == ["moth"]
    merge(catalogue, "192.0.2.8", 0, "player 0")
    assert [names_of(catalogue, row) for row in rows] == [["player 0"], None, None, ["player 3"], ["player 4"]]


def test_dropped_servers_free_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(details_budget, "MAX_BYTES_PER_HOST", 20_000)
    catalogue = Catalogue({})
    row = merge(catalogue, "192.0.2.8", 1, "moth")
    catalogue._forget_reply(row)
    assert catalogue._details_budget._bytes_by_host == {}


def test_this_machine_has_no_limit() -> None:
    budget = DetailsBudget()
    assert not any(budget.store(row, "127.0.0.1", details_budget.MAX_BYTES_PER_HOST) for row in range(9))


def test_addresses_of_one_machine_share_limit() -> None:
    budget = DetailsBudget()
    assert budget.store(0, "2001:db8::1", details_budget.MAX_BYTES_PER_HOST) == []
    assert budget.store(1, "2001:db8::2", details_budget.MIN_COUNTED_BYTES) == [0]
    assert budget.store(2, "2001:db8::3", details_budget.MIN_COUNTED_BYTES - 1) == []


def test_rules_are_estimated_as_sent() -> None:
    rules = PlainRules({b"a" * 1000: b"b" * 1000})
    assert 2_000 < estimate_details_bytes((), rules, None) < 2_500
    assert "_texts" not in vars(rules)
