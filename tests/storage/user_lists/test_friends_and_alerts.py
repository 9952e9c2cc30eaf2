"""Friends and alerts survive a restart."""

import pytest

from browser_app.protocols.address import Address
from browser_app.storage.database import Database
from browser_app.storage.user_lists import search_alert_store
from browser_app.storage.user_lists.alert_store import AlertKind, AlertStore, ServerAlert
from browser_app.storage.user_lists.friend_store import MAX_FRIEND_LENGTH, Friend, FriendKind, FriendStore
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind, SearchAlertStore

A, B = Address("192.0.2.1", 27015), Address("2001:db8::1", 26000)


def test_friends_ignore_case(database: Database) -> None:
    friends = FriendStore(database)
    friends.add_all(
        [
            Friend(FriendKind.NAME, " *moth* ", "friends", 1.0),
            Friend(FriendKind.PATTERN, "[X]*", "team", 2.0),
            Friend(FriendKind.ID, "12345", "others", 3.0),
        ]
    )
    database.flush()
    for now in (friends, FriendStore(database)):
        assert [friend.value for friend in now] == ["*moth*", "[X]*", "12345"]
        names = now.build_friend_list()
        assert names.group_of("*MOTH*") == "friends"
        assert names.group_of("a moth b") is None
        assert names.group_of("[x] Ann") == "team"
        assert names.group_of("12345") is None
        is_friend = now.create_player_predicate()
        assert [is_friend(*each) for each in (("12345", "ann"), ("1", "*MOTH*"), ("1", "[x] Ann"))] == [True] * 3
        assert not is_friend("1", "12345")


def test_readding_moves_group(database: Database) -> None:
    friends = FriendStore(database)
    friends.add_all([Friend(FriendKind.NAME, "moth", "friends", 1.0)])
    friends.add_all([Friend(FriendKind.NAME, "Moth", "team", 2.0)])
    database.flush()
    wanted = [Friend(FriendKind.NAME, "Moth", "team", 2.0)]
    assert list(friends) == list(FriendStore(database)) == wanted
    friends.remove(FriendKind.NAME, "MOTH")
    database.flush()
    assert list(friends) == list(FriendStore(database)) == []
    assert not friends.build_friend_list()


@pytest.mark.parametrize(
    "friend",
    [
        Friend(FriendKind.NAME, "  ", "team", 1.0),
        Friend(FriendKind.PATTERN, "*?*", "team", 1.0),
        Friend(FriendKind.NAME, "x" * (MAX_FRIEND_LENGTH + 1), "team", 1.0),
        Friend(FriendKind.NAME, "moth", "foes", 1.0),
    ],
)
def test_bad_friend_rejects_batch(database: Database, friend: Friend) -> None:
    friends = FriendStore(database)
    with pytest.raises(ValueError, match=r"."):
        friends.add_all([Friend(FriendKind.NAME, "fine", "team", 1.0), friend])
    assert list(friends) == []


def test_alerts_survive_restart(database: Database) -> None:
    alerts = AlertStore(database)
    alerts.set(ServerAlert(A, AlertKind.PLAYERS, 10, "Ours", 1.0))
    alerts.set(ServerAlert(B, AlertKind.FRIEND, 0, "Theirs", 2.0))
    alerts.set(ServerAlert(A, AlertKind.PLAYERS, 6, "Ours", 3.0))
    alerts.set(ServerAlert(A, AlertKind.SLOT, 0, "Ours", 4.0))
    alerts.remove(A, AlertKind.SLOT)
    database.flush()
    for now in (alerts, AlertStore(database)):
        assert set(now) == {
            ServerAlert(A, AlertKind.PLAYERS, 6, "Ours", 3.0),
            ServerAlert(B, AlertKind.FRIEND, 0, "Theirs", 2.0),
        }
        assert now.find_alerts(A) == {AlertKind.PLAYERS: ServerAlert(A, AlertKind.PLAYERS, 6, "Ours", 3.0)}


@pytest.mark.parametrize(("kind", "players"), [(AlertKind.PLAYERS, 0), (AlertKind.SLOT, 3), (AlertKind.PLAYERS, 256)])
def test_bad_count_is_rejected(database: Database, kind: AlertKind, players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        AlertStore(database).set(ServerAlert(A, kind, players, "Ours", 1.0))


def test_search_alerts_survive_restart(database: Database) -> None:
    alerts = SearchAlertStore(database)
    alerts.add(SearchAlert(SearchAlertKind.PLAYER, " moth ", 1.0))
    near_me = SearchAlert(SearchAlertKind.FILTER, "CTF near me", 2.0)
    alerts.add(near_me)
    alerts.add(SearchAlert(SearchAlertKind.PLAYER, "Moth", 3.0))
    alerts.add(SearchAlert(SearchAlertKind.FILTER, "Old", 4.0))
    alerts.add_all([SearchAlert(SearchAlertKind.FILTER, "CTF", 2.0)], [near_me])
    alerts.remove(SearchAlertKind.FILTER, "Old")
    database.flush()
    for now in (alerts, SearchAlertStore(database)):
        assert set(now) == {
            SearchAlert(SearchAlertKind.PLAYER, "Moth", 3.0),
            SearchAlert(SearchAlertKind.FILTER, "CTF", 2.0),
        }
        assert now.find(SearchAlertKind.PLAYER, "MOTH") == SearchAlert(SearchAlertKind.PLAYER, "Moth", 3.0)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (SearchAlertKind.PLAYER, " "),
        (SearchAlertKind.PATTERN, "*?"),
        (SearchAlertKind.PLAYER, "x" * (MAX_FRIEND_LENGTH + 1)),
        (SearchAlertKind.FILTER, ""),
    ],
)
def test_bad_search_alert_is_rejected(database: Database, kind: SearchAlertKind, value: str) -> None:
    alerts = SearchAlertStore(database)
    with pytest.raises(ValueError, match=r"."):
        alerts.add(SearchAlert(kind, value, 1.0))
    assert len(alerts) == 0


def test_search_alerts_are_limited(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_alert_store, "MAX_SEARCH_ALERTS", 1)
    alerts = SearchAlertStore(database)
    alerts.add(SearchAlert(SearchAlertKind.PLAYER, "moth", 1.0))
    alerts.add(SearchAlert(SearchAlertKind.PLAYER, "moth", 2.0))
    with pytest.raises(ValueError, match="Remove one first"):
        alerts.add(SearchAlert(SearchAlertKind.PLAYER, "owl", 1.0))
    alerts.add_all([SearchAlert(SearchAlertKind.PLAYER, "owl", 1.0)], alerts)
    assert [alert.value for alert in alerts] == ["owl"]
