"""The catalogue: rows that stay, merging, silence, pings, memory, marks and scores."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_servers import GAMES, NOW, answer, facts, filled, silence, target
from noise import best_of

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import PlayerInfo, QueryResult, QueryStatus, QueryTarget, SavedServer
from browser_app.catalogue.user_lists import FriendGroup, FriendList, ServerMatcher, UserLists
from browser_app.games.game_profile import RankingConstants
from browser_app.protocols.address import Address


def _player(name: str) -> PlayerInfo:
    return PlayerInfo(name, 1.0, 60.0, None, None, False)


@pytest.fixture
def catalogue() -> Catalogue:
    return Catalogue(GAMES)


def test_new_servers_are_unknown_in_every_way(catalogue: Catalogue) -> None:
    assert catalogue.add([target(1), target(2)]).tolist() == [0, 1]
    assert len(catalogue) == 2
    assert catalogue.server_info(0) is None
    assert catalogue.status.tolist() == [QueryStatus.NEVER_QUERIED, QueryStatus.NEVER_QUERIED]
    assert np.isnan(catalogue.players).all()
    assert np.isnan(catalogue.ping_ms).all()
    assert catalogue.game[0] == "ns2"
    assert catalogue.address[1] == "10.0.0.2:27016"


def test_one_row_an_address_whoever_names_it(catalogue: Catalogue) -> None:
    assert catalogue.add([target(1), target(1), target(2)]).tolist() == [0, 0, 1]
    assert catalogue.add([target(2), target(3)]).tolist() == [1, 2]
    assert catalogue.row_of(target(3).address) == 2
    assert catalogue.row_of(Address("10.9.9.9", 1)) is None


def test_who_is_asked_again_is_asked_as_the_game_that_it_told(catalogue: Catalogue) -> None:
    unnamed = target(1)._replace(game=None)
    catalogue.merge([replace(answer(1), target=unnamed), replace(answer(2, game=None), target=target(2))])
    assert catalogue.targets == [target(1), target(2)]


def test_rows_keep_their_place_while_the_columns_grow(catalogue: Catalogue) -> None:
    catalogue.merge([answer(number, players=number % 24) for number in range(100)])
    catalogue.merge([answer(number, players=number % 24) for number in range(1000)])
    assert catalogue.players.tolist() == [number % 24 for number in range(1000)]
    assert [catalogue.row_of(target(number).address) for number in (0, 99, 999)] == [0, 99, 999]
    assert catalogue.name[999] == "Server 999"
    assert len(catalogue.search_texts()) == len(catalogue.ping_samples) == 1000


def test_there_is_room_for_so_many_and_no_more() -> None:
    catalogue = Catalogue(GAMES, max_rows=3)
    assert catalogue.add([target(number) for number in range(5)]).tolist() == [0, 1, 2, -1, -1]
    changes = catalogue.merge([answer(4), answer(1), silence(3)])
    assert changes.ids.tolist() == [1]
    assert (len(catalogue), catalogue.rejected_count) == (3, 4)


def test_an_answer_fills_the_row(catalogue: Catalogue) -> None:
    catalogue.add([target(0)])
    changes = catalogue.merge([answer(0, reserved=2, password=None, ranked=True)])
    assert changes.ids.tolist() == [0]
    assert changes.added.tolist() == []
    assert {"name", "players", "ping_ms", "status"} <= changes.columns
    assert catalogue.status[0] == QueryStatus.OK
    assert (catalogue.players[0], catalogue.max_players[0], catalogue.usable_slots[0]) == (12, 24, 22)
    assert np.isnan(catalogue.password[0])
    assert catalogue.ranked[0] == 1
    assert catalogue.ping_ms[0] == 50.0
    assert catalogue.last_answer[0] == NOW
    assert catalogue.server_info(0) == facts(0, reserved=2, password=None, ranked=True)


def test_the_change_set_names_the_columns_that_changed(catalogue: Catalogue) -> None:
    assert catalogue.merge([answer(0)]).added.tolist() == [0]
    assert catalogue.merge([answer(0)]).columns == frozenset()
    assert catalogue.merge([answer(0, map="ns2_tram")]).columns == {"map"}
    assert catalogue.merge([answer(0, map="ns2_tram", server_skill=1500.0)]).columns == {"server_skill"}
    assert catalogue.merge([answer(0, map="ns2_tram")]).columns == {"server_skill"}
    nothing = catalogue.merge([])
    assert not nothing
    assert nothing.columns == frozenset()


def test_a_silent_server_keeps_its_facts_but_not_its_ping(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0), answer(1)])
    changes = catalogue.merge([silence(0), silence(1, QueryStatus.MALFORMED)])
    assert changes.columns == {"status", "attempts", "ping_ms"}
    assert catalogue.status.tolist() == [QueryStatus.NO_ANSWER, QueryStatus.MALFORMED]
    assert np.isnan(catalogue.ping_ms).all()
    assert catalogue.players.tolist() == [12, 12]
    assert catalogue.server_info(0) == facts(0)
    assert catalogue.query_error(0) == "no answer in 3 attempts"
    assert catalogue.last_answer[0] == NOW


def test_a_server_that_comes_back_is_as_before(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0)])
    catalogue.merge([silence(0)])
    catalogue.merge([answer(0, 60.0)])
    assert catalogue.status[0] == QueryStatus.OK
    assert catalogue.query_error(0) is None
    assert catalogue.ping_ms[0] == 50.0


def test_several_answers_of_one_server_in_a_batch_count_in_their_order(catalogue: Catalogue) -> None:
    changes = catalogue.merge([answer(0, 70.0, players=3), answer(1), answer(0, 60.0, players=5), silence(0)])
    assert changes.ids.tolist() == [0, 1]
    assert catalogue.status[0] == QueryStatus.NO_ANSWER
    assert catalogue.players[0] == 5
    assert catalogue.ping_samples[0, -2:].tolist() == [70.0, 60.0]


def test_the_protocol_and_game_that_answered_are_kept(catalogue: Catalogue) -> None:
    address = target(0).address
    catalogue.add([QueryTarget(address, "a2s", None)])
    catalogue.add([QueryTarget(address, "quake3", "openarena")])
    assert (catalogue.protocol[0], catalogue.game[0]) == ("quake3", "openarena")
    catalogue.merge([answer(0)])
    catalogue.add([QueryTarget(address, "quake3", "openarena")])
    assert catalogue.targets[0] == target(0)
    assert (catalogue.protocol[0], catalogue.game[0]) == ("a2s", "ns2")


@pytest.mark.parametrize(
    ("pings", "shown"),
    [([50.0], 50), ([50, 40], 40), ([50, 40, 60, 70], 40), ([50, 40, 60, 70, 80], 50), ([1, 50, 50, 50, 50, 50], 50)],
)
def test_the_ping_shown_is_the_low_quantile_of_the_last_five(pings: list[float], shown: float) -> None:
    catalogue = Catalogue(GAMES)
    for ping in pings:
        catalogue.merge([answer(0, ping)])
    assert catalogue.ping_ms[0] == shown


def test_an_estimated_ping_is_marked_and_gives_way_to_a_proven_one(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, 500.0, estimated=True)])
    assert (catalogue.ping_ms[0], catalogue.ping_estimated[0]) == (500.0, True)
    catalogue.merge([answer(0, 80.0)])
    assert (catalogue.ping_ms[0], catalogue.ping_estimated[0]) == (80.0, False)
    catalogue.merge([answer(0, 3.0, estimated=True)])
    assert (catalogue.ping_ms[0], catalogue.ping_estimated[0]) == (80.0, False)
    assert np.isnan(catalogue.ping_samples[0, :-1]).all()


def test_a_ping_of_a_busy_machine_is_marked_until_a_better_one_comes(catalogue: Catalogue) -> None:
    busy = replace(answer(0, 90.0), ping_measured_under_load=True)
    for taken, (shown, marked) in ((busy, (90, True)), (busy, (90, True)), (answer(0, 40.0), (40, False))):
        catalogue.merge([taken])
        assert (catalogue.ping_ms[0], catalogue.ping_loaded[0]) == (shown, marked)
    catalogue.merge([busy])
    assert (catalogue.ping_ms[0], catalogue.ping_loaded[0]) == (40, False)


@pytest.mark.parametrize("other", [answer(0, None), answer(0, 40.0, estimated=True)], ids=["none", "estimated"])
def test_an_answer_whose_ping_is_not_taken_changes_nothing_about_it(catalogue: Catalogue, other: QueryResult) -> None:
    catalogue.merge([replace(answer(0, 90.0), ping_measured_under_load=True)])
    changes = catalogue.merge([other])
    assert (catalogue.ping_ms[0], catalogue.ping_loaded[0]) == (90, True)
    assert not changes.columns & {"ping_ms", "ping_loaded", "ping_estimated"}


def test_an_answer_without_a_ping_changes_no_sample(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, None)])
    assert np.isnan(catalogue.ping_ms[0])
    catalogue.merge([answer(0, 40.0), answer(0, None)])
    assert catalogue.ping_ms[0] == 40.0


def test_details_outlive_an_answer_without_them(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, player_list=(_player("Ann"),))])
    catalogue.merge([answer(0, rules={"a": "b"})])
    catalogue.merge([answer(0, players=7)])
    assert catalogue.server_info(0) == facts(0, players=7, player_list=(_player("Ann"),), rules={"a": "b"})
    assert "ann" in catalogue.search_texts()[0]
    catalogue.merge([answer(0, player_list=())])
    assert "ann" not in catalogue.search_texts()[0]


def test_remembered_servers_are_old_until_they_answer(catalogue: Catalogue) -> None:
    changes = catalogue.restore(
        [SavedServer(target(0), facts(0), 30.0, NOW), SavedServer(target(1), facts(1), None, NOW)]
    )
    assert changes.added.tolist() == [0, 1]
    assert catalogue.old.tolist() == [True, True]
    assert catalogue.status.tolist() == [QueryStatus.NEVER_QUERIED] * 2
    catalogue.rescore()
    assert catalogue.score[0] > 0
    assert np.isnan(catalogue.score[1])
    catalogue.merge([answer(0, 90.0)])
    assert catalogue.old.tolist() == [False, True]
    assert catalogue.ping_ms[0] == 90.0


def test_memory_never_overwrites_an_answer(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, players=20)])
    catalogue.restore([SavedServer(target(0), facts(0, players=3), 500.0, NOW - 100)])
    assert (catalogue.players[0], catalogue.ping_ms[0], catalogue.old[0]) == (20, 50.0, False)


def test_known_servers_are_remembered_the_same(catalogue: Catalogue) -> None:
    catalogue.add([target(5)])
    catalogue.merge([answer(0, 41.5), answer(1, None)])
    known = catalogue.saved_servers(range(len(catalogue)))
    assert known == [SavedServer(target(0), facts(0), 41.5, NOW), SavedServer(target(1), facts(1), None, NOW)]
    assert catalogue.saved_servers([]) == []
    other = Catalogue(GAMES)
    other.restore(known)
    assert other.saved_servers(range(2)) == known


def test_marks_hold_for_servers_now_and_later(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0), answer(1)])
    marks = ServerMatcher(
        addresses=frozenset({target(0).address, target(2).address}), keys={"steam:3": target(9).address}
    )
    catalogue.set_user_lists(UserLists(favourite=marks))
    assert catalogue.favourite.tolist() == [True, False]
    catalogue.merge([answer(2), answer(3), answer(4, stable_key="steam:3")])
    assert catalogue.favourite.tolist() == [True, False, True, False, True]
    catalogue.set_user_lists(UserLists())
    assert not catalogue.favourite.any()


HOME = target(0).address
BY_KEY = UserLists(favourite=ServerMatcher(frozenset({HOME}), {"d0:x": HOME}))


def test_a_copied_key_marks_nobody_while_its_owner_is_at_home(catalogue: Catalogue) -> None:
    catalogue.set_user_lists(BY_KEY)
    catalogue.merge([answer(0, stable_key="d0:x"), answer(1, stable_key="d0:x")])
    assert catalogue.favourite.tolist() == [True, False]
    catalogue.merge([silence(0), answer(1, stable_key="d0:x")])
    assert catalogue.favourite.tolist() == [True, False]


def test_a_copied_key_loses_its_mark_when_the_owner_answers_later(catalogue: Catalogue) -> None:
    catalogue.set_user_lists(BY_KEY)
    catalogue.merge([answer(1, stable_key="d0:x")])
    assert catalogue.favourite.tolist() == [True]
    changes = catalogue.merge([answer(0)])
    assert catalogue.favourite.tolist() == [False, True]
    assert changes.ids.tolist() == [0, 1]
    assert "favourite" in changes.columns


def test_a_key_that_two_servers_carry_marks_neither(catalogue: Catalogue) -> None:
    catalogue.merge([silence(0), answer(1, stable_key="d0:x"), answer(2, stable_key="d0:x")])
    catalogue.set_user_lists(BY_KEY)
    assert catalogue.favourite.tolist() == [True, False, False]
    catalogue.merge([answer(2, stable_key="d0:y")])
    assert catalogue.favourite.tolist() == [True, True, False]


def test_a_favourite_that_moved_since_the_last_run_is_known_by_its_key(catalogue: Catalogue) -> None:
    catalogue.restore([SavedServer(target(0), facts(0, stable_key="d0:x"), 50.0, NOW)])
    catalogue.set_user_lists(BY_KEY)
    catalogue.merge([answer(1, stable_key="d0:x")])
    assert catalogue.favourite.tolist() == [True, False]
    catalogue.merge([silence(0)])
    assert catalogue.favourite.tolist() == [True, True]


def test_a_server_can_be_named_by_the_address_the_game_is_told(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0)])
    connect = facts(0).connect
    catalogue.set_user_lists(
        UserLists(
            favourite=ServerMatcher(addresses=frozenset({connect})), notes={connect: "ours"}, last_played={connect: 7.0}
        )
    )
    assert catalogue.favourite[0]
    assert catalogue.note_of(0) == "ours"
    assert list(catalogue.notes()) == [(0, "ours")]
    assert catalogue.last_played[0] == 7.0


def test_servers_are_blocked_by_network_and_name(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, name="Best CASINO [1]"), answer(300), answer(1)])
    catalogue.set_user_lists(
        UserLists(blocked=ServerMatcher(networks=("10.0.1.0/24", "nonsense"), names=("*casino [1]",)))
    )
    assert catalogue.blocked.tolist() == [True, True, False]


def test_friends_are_counted_by_name_patterns(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, player_list=(_player("[X] Ann"), _player("Bob"), _player("Bobby")))])
    catalogue.set_user_lists(UserLists(friends=FriendList({"team": FriendGroup(patterns=("*ann", "bob"))})))
    assert catalogue.friends[0] == 2
    catalogue.merge([answer(0, player_list=(_player("BOB"),))])
    assert catalogue.friends[0] == 1
    catalogue.set_user_lists(UserLists())
    assert catalogue.friends[0] == 0


def test_the_score_is_the_product_of_its_factors(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0, server_skill=2000.0, players=14, performance=20.0, ping_ms=80.0)])
    catalogue.rescore({"ns2": 1200.0})
    assert catalogue.score[0] == pytest.approx(0.207958, abs=1e-6)
    assert np.prod(list(catalogue.factors_of(0).values())) == pytest.approx(catalogue.score[0], rel=1e-12)
    catalogue.add([target(9)])
    assert np.isnan(catalogue.score[1])
    assert catalogue.factors_of(1) == {}


def test_silent_servers_are_not_ranked(catalogue: Catalogue) -> None:
    catalogue.merge([answer(0), silence(1)])
    catalogue.merge([silence(0)])
    catalogue.rescore()
    assert np.isnan(catalogue.score).all()


def test_each_game_and_mode_has_its_own_constants_unless_a_preset_holds() -> None:
    duel = {"game": "xonotic", "mode": "duel", "performance": None, "players": 2}
    catalogue = filled(duel, {**duel, "mode": "ctf"}, {**duel, "mode": "a mode nobody knows"}, {**duel, "game": None})
    viability = [catalogue.factors_of(row)["players"] for row in range(4)]
    assert viability[0] > viability[1] == viability[2] > viability[3]
    catalogue.rescore(preset=RankingConstants())
    assert len({catalogue.factors_of(row)["players"] for row in range(4)}) == 1


def test_modes_that_servers_invent_cost_no_memory(catalogue: Catalogue) -> None:
    catalogue.merge([answer(number, mode=f"mode {number}") for number in range(500)])
    assert set(catalogue.constants_row.tolist()) == {catalogue.constants_row[0]}


def test_what_is_unknown_reaches_the_ranking_as_unknown(catalogue: Catalogue) -> None:
    catalogue.merge(
        [answer(0, performance=None, password=None, joinable=None), answer(1, joinable=False, password=True)]
    )
    inputs = catalogue.ranking_inputs({"xonotic": 5.0})
    assert np.isnan(inputs.performance[0])
    assert inputs.reports_performance.tolist() == [True, True]
    assert np.isnan(inputs.player_skill).all()
    assert inputs.can_join.tolist() == [True, False]
    assert inputs.password.tolist() == [False, True]


def test_only_a_game_with_a_mode_of_its_own_name_has_other_modes() -> None:
    catalogue = filled({"mode": "ns2"}, {"mode": "siege"}, {"mode": None}, {"game": "xonotic", "mode": "ctf"})
    assert catalogue.ranking_inputs().other_mode.tolist() == [False, True, False, False]


@given(st.lists(st.tuples(st.integers(0, 5), st.none() | st.floats(1, 400), st.integers(0, 30)), max_size=30))
def test_batching_makes_no_difference(events: list[tuple[int, float | None, int]]) -> None:
    answers = [silence(n) if ping is None else answer(n, ping, players=players) for n, ping, players in events]
    at_once, one_by_one = Catalogue(GAMES), Catalogue(GAMES)
    at_once.merge(answers)
    for each in answers:
        one_by_one.merge([each])
    assert len(at_once) == len(one_by_one) == len({number for number, _, _ in events})
    for name in ("players", "ping_ms", "status", "ping_samples", "attempts"):
        np.testing.assert_array_equal(at_once.number_column(name), one_by_one.number_column(name))


def test_merging_is_as_fast_for_a_full_catalogue_as_the_frame_needs() -> None:
    catalogue = Catalogue(GAMES)
    answers = [answer(number) for number in range(20_000)]
    catalogue.merge(answers)
    turns = itertools.cycle(
        [replace(each, info=facts(number, players=players)) for number, each in enumerate(answers)]
        for players in (3, 4)
    )

    def took_s() -> float:
        """For 500 answers."""
        fresh = next(turns)
        start = time.process_time()
        for first in range(0, 20_000, 500):
            catalogue.merge(fresh[first : first + 500])
        return (time.process_time() - start) / 40

    assert best_of(took_s, 0.010) < 0.010  # 3 ms is the aim
