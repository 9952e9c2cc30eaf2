"""Favourites that seem to have moved: what counts as a move, what answers do."""

import numpy as np
import pytest

from browser_app.application.favourite_moves import (
    MIN_SILENCE_S,
    FavouriteMove,
    find_favourite_moves,
    follow_move,
    keep_address,
)
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, SavedServer, ServerInfo
from browser_app.catalogue.user_lists import ServerMatcher, UserLists
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")
HOME, FAKE, OTHER = (Address(f"192.0.2.{number}", 26000) for number in (1, 2, 3))
KEY = "d0:" + "A" * 43 + "="
FAVOURITE = Favourite(HOME, "Ours", 5.0, "darkplaces", "xonotic", KEY)
NOW = 1_800_000_000.0


def info(address: Address, key: str | None) -> ServerInfo:
    return ServerInfo("xonotic", f"Server {address.host}", "dance", address, 3, 0, 0, 16, stable_key=key)


def reply(address: Address, key: str | None = KEY) -> QueryResult:
    target = QueryTarget(address, "darkplaces", "xonotic")
    return QueryResult(target, QueryStatus.OK, info(address, key), None, 30.0, False, 1, NOW)


def failure(address: Address) -> QueryResult:
    target = QueryTarget(address, "darkplaces", "xonotic")
    return QueryResult(target, QueryStatus.NO_ANSWER, None, "timeout", None, False, 3, NOW)


@pytest.fixture
def catalogue() -> Catalogue:
    """Return a catalogue with a favourite that answered two hours ago, in another run."""
    catalogue = Catalogue(GAMES)
    catalogue.restore([SavedServer(reply(HOME).target, info(HOME, KEY), 30.0, NOW - 2 * MIN_SILENCE_S)])
    return catalogue


def moves(catalogue: Catalogue, now: float = NOW) -> list[FavouriteMove]:
    return list(find_favourite_moves([FAVOURITE], catalogue, now))


def test_only_abandoned_address_has_moved(catalogue: Catalogue) -> None:
    catalogue.merge([reply(FAKE)])
    assert moves(catalogue) == []  # not asked yet
    catalogue.merge([failure(HOME)])
    (move,) = moves(catalogue)
    assert (move.favourite, move.address, move.name, catalogue.row_of(FAKE)) == (FAVOURITE, FAKE, "Ours", move.server)
    assert moves(catalogue, NOW - 1.5 * MIN_SILENCE_S) == []  # silent for half an hour
    catalogue.merge([reply(HOME), failure(HOME)])
    assert moves(catalogue, NOW + 60) == []  # it has just answered


def test_several_claims_prove_nothing(catalogue: Catalogue) -> None:
    catalogue.merge([failure(HOME), reply(FAKE), reply(OTHER)])
    assert moves(catalogue) == []
    catalogue.merge([reply(OTHER, None)])
    assert [each.address for each in moves(catalogue)] == [FAKE]
    catalogue.merge([failure(FAKE)])
    assert moves(catalogue) == []


def test_no_move_to_another_favourite(catalogue: Catalogue) -> None:
    catalogue.merge([failure(HOME), reply(FAKE)])
    catalogue.set_user_lists(UserLists(favourite=ServerMatcher(frozenset({HOME, FAKE}))))
    assert moves(catalogue) == []


def test_nothing_moves_by_itself(catalogue: Catalogue) -> None:
    with UserStorage(user_paths()) as storage:
        storage.favourites.add(FAVOURITE)
        catalogue.set_user_lists(storage.collect_user_lists(NOW))
        catalogue.merge([failure(HOME), reply(FAKE)])
        catalogue.set_user_lists(storage.collect_user_lists(NOW))
        marked = np.flatnonzero(catalogue.favourite).tolist()
        assert marked == [catalogue.row_of(HOME)]
        assert not catalogue.password_saved.any()
        assert list(storage.favourites) == [FAVOURITE]


@pytest.mark.parametrize("follows", [True, False])
def test_answer_is_stored(catalogue: Catalogue, follows: bool) -> None:
    catalogue.merge([failure(HOME), reply(FAKE)])
    with UserStorage(user_paths()) as storage:
        storage.favourites.add(FAVOURITE)
        (move,) = moves(catalogue)
        (follow_move if follows else keep_address)(storage.favourites, move)
        assert list(find_favourite_moves(storage.favourites, catalogue, NOW)) == []
    with UserStorage(user_paths()) as storage:
        (stored,) = storage.favourites
        assert (stored.address, stored.stable_key) == ((FAKE, KEY) if follows else (HOME, None))
        assert (stored.name, stored.added_at) == ("Ours", 5.0)
