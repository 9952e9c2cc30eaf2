"""Which servers are dropped once no source lists them, and what becomes of rows."""

import random
from collections.abc import Iterable

import numpy as np
import pytest
from catalogue_helpers import GAMES, NOW, failed_query, reply, server_info, target

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import INFO_TEXTS
from browser_app.catalogue.filters.server_filter import parse_filter
from browser_app.catalogue.list_descriptions import merge_descriptions, merge_steam_counts
from browser_app.catalogue.row_allocator import RowAllocator
from browser_app.catalogue.server_info import DescribedServer, PlayerInfo, QueryTarget, SavedServer
from browser_app.catalogue.source_listings import source_id
from browser_app.catalogue.user_lists import FriendGroup, FriendList, ServerMatcher, UserLists
from browser_app.protocols.address import Address

FIRST, SECOND = source_id("dpmaster://192.0.2.1"), source_id("json+https://192.0.2.2/servers.json")


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(GAMES)


def listing(catalogue: Catalogue, source: int, numbers: Iterable[int], *, is_complete: bool = True) -> None:
    rows = [catalogue.row_of(target(number).address) for number in numbers]
    catalogue.rows.set_listing(
        source, np.array([row for row in rows if row is not None], np.intp), is_complete=is_complete
    )


def known(catalogue: Catalogue) -> set[int]:
    """Return the numbers of the servers in the catalogue."""
    return {number for number in range(500) if catalogue.row_of(target(number).address) is not None}


def test_silent_unlisted_servers_are_dropped(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0), reply(1), *(failed_query(number) for number in range(2, 10))])
    listing(catalogue, FIRST, range(10))
    assert not catalogue.rows.drop_unlisted(100)
    assert len(catalogue.rows.polled_targets()) == 2
    listing(catalogue, FIRST, [0, 2, 3])
    changes = catalogue.rows.drop_unlisted(4)
    assert changes.removed.tolist() == changes.ids.tolist() == [4, 5, 6, 7]
    assert catalogue.rows.drop_unlisted(4).removed.tolist() == [8, 9]
    assert not catalogue.rows.drop_unlisted(4)
    assert known(catalogue) == {0, 1, 2, 3}
    assert (catalogue.server_count, len(catalogue)) == (4, 10)
    assert np.flatnonzero(parse_filter("-full").matching_rows(catalogue)).tolist() == [0, 1, 2, 3]
    listing(catalogue, FIRST, [])
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == {0, 1}  # these have answered


def test_users_own_servers_stay(catalogue: Catalogue) -> None:
    one, two, three, four, five = (target(number).address for number in range(5))
    catalogue.rows.add([target(6)])
    catalogue.merge([failed_query(number) for number in range(8)])
    catalogue.set_user_lists(
        UserLists(
            favourite=ServerMatcher(frozenset({one})),
            has_user_data=ServerMatcher(frozenset({two})),
            password_saved=ServerMatcher(frozenset({three})),
            recently_left=ServerMatcher(frozenset({four})),
            last_played={five: NOW},
            blocked=ServerMatcher(networks=("10.0.0.0/24",)),
        )
    )
    catalogue.rows.in_use = lambda: [row for row in [catalogue.row_of(target(5).address)] if row is not None]
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == {0, 1, 2, 3, 4, 5, 6}
    assert {each.address for each in catalogue.rows.polled_targets()} == {
        one,
        two,
        three,
        four,
        five,
        target(6).address,
    }
    catalogue.set_user_lists(UserLists())
    catalogue.rows.in_use = tuple
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == {6}


def test_friends_keep_servers_that_have_answered(catalogue: Catalogue) -> None:
    ann = (PlayerInfo("Ann", 1.0, 600.0, None, None, False),)
    catalogue.set_user_lists(UserLists(friends=FriendList({"Friends": FriendGroup(frozenset({"ann"}))})))
    catalogue.merge([reply(0, player_list=ann), reply(1, player_list=())])
    merge_descriptions(catalogue, [DescribedServer(target(2), server_info(2, player_list=ann))], NOW)
    assert catalogue.friends.tolist() == [1, 0, 1]
    listing(catalogue, FIRST, range(3))
    catalogue.rows.listings.set_enabled(set())
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == {0}


def test_failed_source_keeps_its_servers(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0), failed_query(1), failed_query(2), reply(3)])
    listing(catalogue, FIRST, [0, 1])
    listing(catalogue, FIRST, [2, 3], is_complete=False)
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == {0, 1, 3}
    catalogue.rows.listings.set_enabled({SECOND})
    catalogue.rows.drop_unlisted(100)
    assert known(catalogue) == set()


def test_switched_off_source_takes_its_servers(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0, stable_key="d0:x"), reply(1), reply(2), failed_query(3), reply(4)])
    catalogue.set_user_lists(UserLists(favourite=ServerMatcher(frozenset({target(2).address}))))
    listing(catalogue, FIRST, range(4))
    listing(catalogue, FIRST, [0, 2, 3])  # server 1 has answered, so that it stays one of this source's
    listing(catalogue, SECOND, [3])
    saved = catalogue.saved_servers(range(5))
    assert [each.sources for each in saved] == [(FIRST,), (FIRST,), (FIRST,), ()]
    for enabled, expected in (({FIRST, SECOND}, {0, 1, 2, 3, 4}), ({SECOND}, {2, 3, 4}), (set[int](), {2, 4})):
        catalogue.rows.listings.set_enabled(enabled)
        catalogue.rows.drop_unlisted(100)
        assert known(catalogue) == expected
    assert catalogue.row_with_key("d0:x", target(9).address) is None
    later = Catalogue(GAMES)
    later.rows.listings.set_enabled({SECOND})
    later.restore(saved)
    later.rows.drop_unlisted(100)
    assert known(later) == {4}


def test_reused_row_is_like_a_new_one(catalogue: Catalogue) -> None:
    players = tuple(PlayerInfo(name, 1.0, 600.0, None, None, False) for name in ("Ann", "Bob", "Cid", "Dan"))
    friends = UserLists(friends=FriendList({"Friends": FriendGroup(frozenset({"ann"}))}))
    for each in (catalogue, fresh := Catalogue(GAMES)):
        each.set_user_lists(friends)
    catalogue.restore([SavedServer(target(0), server_info(0, players=9), 40.0, NOW - 50, (FIRST,))])
    catalogue.merge(
        [
            reply(0, 20.0, player_list=players, rules={"a": "b"}, stable_key="d0:x", tags=("mod",)),
            reply(1, 20.0, player_list=players),
            failed_query(0),
        ]
    )
    merge_steam_counts(catalogue, {target(0).address: 3}, NOW)
    catalogue.rescore()
    catalogue.set_user_lists(UserLists())
    catalogue.rows.listings.set_enabled(())
    assert catalogue.rows.drop_unlisted(100).removed.tolist() == [0]
    assert [catalogue.player_lists.get(0), catalogue.query_error(0), catalogue.server_info(0)] == [None] * 3
    assert catalogue.search_texts()[0] == ""

    catalogue.set_user_lists(friends)
    assert catalogue.merge([failed_query(2)]).added.tolist() == [0]
    assert catalogue.merge([reply(2, 70.0)]).removed.tolist() == []
    fresh.merge([failed_query(2)])
    fresh.merge([reply(2, 70.0)])
    for each in (catalogue, fresh):
        each.rescore()
    for name in catalogue._buffers.keys() - {"operator", "constants_row"}:
        np.testing.assert_array_equal(catalogue._buffers[name][0], fresh._buffers[name][0], name)
    for name in (*INFO_TEXTS, "game", "protocol", "country", "address"):
        assert catalogue.text_column(name)[0] == fresh.text_column(name)[0]
    assert catalogue.targets[0] == target(2)
    assert catalogue.server_info(0) == fresh.server_info(0)
    assert catalogue.search_texts()[0] == fresh.search_texts()[0]
    assert catalogue.saved_servers([0]) == fresh.saved_servers([0])
    assert catalogue.row_of(target(0).address) is None
    assert catalogue.merge([reply(3, stable_key="d0:x")]).added.tolist() == [2]
    assert catalogue.row_with_key("d0:x", target(9).address) == 2


def test_full_catalogue_has_room_for_answers() -> None:
    catalogue = Catalogue(GAMES, max_rows=3000)
    catalogue.merge([failed_query(number) for number in range(2998)])
    catalogue.merge([reply(2998)])
    catalogue.rows.add([target(2999)])
    listing(catalogue, FIRST, range(3000))
    catalogue.rows.in_use = lambda: [0]
    changes = catalogue.merge([failed_query(1), reply(5000), failed_query(5001), reply(5002), failed_query(5003)])
    rows = [row for row in (catalogue.row_of(target(number).address) for number in (5000, 5002)) if row is not None]
    assert len(rows) == 2
    assert set(rows) < set(changes.added.tolist())
    assert set(changes.added.tolist()) <= set(changes.removed.tolist())
    assert known(catalogue) >= {0, 1}
    assert catalogue.status[rows].tolist() == [1, 1]
    assert not catalogue.rows.listings.listed_rows(len(catalogue))[rows].any()
    for kept in (2998, 2999):
        assert catalogue.row_of(target(kept).address) == kept
    for first in range(6000, 9000, 500):
        catalogue.merge([reply(number) for number in range(first, first + 500)])
    silent = catalogue.occupied & catalogue.never_answered
    assert np.flatnonzero(silent).tolist() == [0, 2999]  # in use, and added by the user
    assert (catalogue.server_count, len(catalogue)) == (3000, 3000)
    assert catalogue.merge([reply(9999)]).ids.tolist() == []
    catalogue.rows.in_use = tuple
    assert catalogue.merge([reply(9999)]).added.tolist() == [0]
    catalogue.merge([failed_query(2998)])
    assert catalogue.merge([reply(9998), failed_query(9997)]).added.tolist() == [2998]  # the only silent one


def test_rows_never_show_another_server(catalogue: Catalogue) -> None:
    """Random polls, drops and uses; every row is compared with what it should hold."""
    chance = random.Random(5)
    catalogue.rows._allocator = RowAllocator(60)
    expected: dict[int, str | None] = {}
    used: dict[int, int] = {}
    catalogue.rows.in_use = lambda: [*used.values()]
    for _step in range(150):
        numbers = chance.sample(range(200), 12)
        answers = [
            reply(each, name=f"{each} {_step}") if chance.random() < 0.4 else failed_query(each) for each in numbers
        ]
        removed = catalogue.merge(answers).removed.tolist()
        listing(catalogue, FIRST, chance.sample(range(200), 80))
        listing(catalogue, SECOND, chance.sample(range(200), 20))
        catalogue.rows.listings.set_enabled(chance.choice([{FIRST}, {SECOND}, {FIRST, SECOND}]))
        removed += catalogue.rows.drop_unlisted(chance.randrange(1, 40)).removed.tolist()
        assert not set(removed) & set(used.values())
        expected |= {each: f"{each} {_step}" for each, answer in zip(numbers, answers, strict=True) if answer.info}
        rows = {each: row for each in range(200) if (row := catalogue.row_of(target(each).address)) is not None}
        expected = {each: expected.get(each) for each in rows}
        assert len(set(rows.values())) == len(rows) == catalogue.server_count == np.count_nonzero(catalogue.occupied)
        assert {each: catalogue.name[row] or None for each, row in rows.items()} == expected
        assert {each: catalogue.targets[row] for each, row in rows.items()} == {each: target(each) for each in rows}
        assert all(rows[each] == row for each, row in used.items())
        used = {each: rows[each] for each in chance.sample(list(rows), min(3, len(rows)))}
    assert len(catalogue) == 60


def test_ever_new_hosts_do_not_fill_the_memory(catalogue: Catalogue) -> None:
    catalogue.merge([reply(0)])
    for first in range(1, 6001, 1000):
        catalogue.merge([failed_query(number) for number in range(first, first + 1000)])
        catalogue.rows.drop_unlisted(10_000)
    assert (catalogue.server_count, len(catalogue)) == (1, 1001)
    assert len(catalogue.rows._operator_ids) < 4000
    assert len(catalogue.address.pool) < 4000
    catalogue.merge([reply(1), reply(7000)])
    assert len(set(catalogue.operator[catalogue.occupied].tolist())) == 3


def test_server_found_by_name_keeps_row(catalogue: Catalogue) -> None:
    named = QueryTarget(Address("games.example", 25565), "a2s", "ns2")
    (row,) = catalogue.rows.add([named]).tolist()
    catalogue.rows.set_found_target(named.address, target(3))
    catalogue.merge([reply(3)])
    assert catalogue.targets[row].address == target(3).address
    assert [catalogue.row_of(each) for each in (named.address, target(3).address)] == [row, row]
    assert catalogue.rows.add([named]).tolist() == [row]
    assert np.flatnonzero(parse_filter('address:"games.example:25565"').matching_rows(catalogue)).tolist() == [row]
    assert catalogue.server_count == 1
    catalogue.rows.drop(np.array([row]))
    assert catalogue.row_of(named.address) is None


def test_server_of_two_rows_loses_that_by_name(catalogue: Catalogue) -> None:
    catalogue.merge([reply(3)])
    (row,) = catalogue.rows.add([QueryTarget(Address("games.example", 25565), "a2s", "ns2")]).tolist()
    catalogue.rows.set_found_target(Address("games.example", 25565), target(3))
    found = catalogue.row_of(target(3).address)
    assert found is not None
    assert found == catalogue.row_of(Address("games.example", 25565)) != row
    assert catalogue.added_by_user[found]
    assert catalogue.server_count == 1
