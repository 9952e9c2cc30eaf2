"""Friends: made from the players' page and in their dialog, marked in the table, found by list and filter."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_rig import Room

from browser_app.storage.friends import Friend, FriendKind
from browser_app.ui.dialogs.friends import FriendsDialog
from browser_app.ui.inspector import PLAYERS
from browser_app.ui.line_list import LINE
from browser_app.ui.lists import FRIENDS
from browser_app.ui.player_lines import PlayerLine
from browser_app.ui.players_list import PlayersList


def open_players(room: Room) -> tuple[int, PlayersList]:
    """The players of the fullest server."""
    busy = max(room.servers(), key=lambda server: room.catalogue.players[server])
    room.table.select_server(busy)
    room.settle()
    room.window.servers.inspector.turn_to(PLAYERS)
    return busy, room.window.servers.inspector.players.list


def line_of(players: PlayersList, name: str) -> tuple[int, PlayerLine]:
    return next((at, line) for at, line in enumerate(players._lines.lines) if line.name == name and not line.title)


def a_human(players: PlayersList) -> str:
    return next(line.name for line in players._lines.lines if not line.title and not line.bot)


def click(players: PlayersList, name: str, x: int) -> None:
    place, _ = line_of(players, name)
    where = QPoint(x, place * LINE + LINE // 2)
    QTest.mouseClick(players.viewport(), Qt.MouseButton.LeftButton, pos=where)


def open_dialog(room: Room) -> FriendsDialog:
    room.bot.mouseClick(room.window.servers.inspector.players.friends, Qt.MouseButton.LeftButton)
    dialog = room.window.people.friends.dialog
    assert dialog is not None
    room.bot.waitExposed(dialog)
    return dialog


def friends_of(room: Room) -> list[tuple[FriendKind, str, str]]:
    return [(friend.kind, friend.value, friend.group) for friend in room.program.session.friends]


def test_one_click_makes_a_friend_who_is_marked_and_listed(room: Room) -> None:
    busy, players = open_players(room)
    name = a_human(players)
    click(players, name, 200)
    assert friends_of(room) == []
    click(players, name, 20)
    assert friends_of(room) == [(FriendKind.NAME, name, "friends")]
    assert line_of(players, name)[1].marks.startswith("friend")
    row = room.model.rows(room.servers().index(busy), room.servers().index(busy))[0]
    assert row.friends == 1
    room.window.servers.side.choose(FRIENDS)
    assert busy in room.servers()
    click(players, name, 20)
    assert friends_of(room) == []
    assert line_of(players, name)[1].group is None


def test_keys_choose_a_player_copy_the_name_and_make_a_friend(room: Room) -> None:
    _, players = open_players(room)
    players.setFocus()
    room.press(Qt.Key.Key_Down)
    chosen = players.chosen()
    assert chosen is not None
    room.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == chosen.name
    room.press(Qt.Key.Key_F)
    assert friends_of(room) == [(FriendKind.NAME, chosen.name, "friends")]
    assert players.chosen() == line_of(players, chosen.name)[1]


def test_the_dialog_adds_moves_and_removes(room: Room) -> None:
    busy, players = open_players(room)
    name = a_human(players)
    dialog = open_dialog(room)
    dialog.field.setFocus()
    QTest.keyClicks(dialog.field, name[:-1] + "?")
    dialog.group.setCurrentIndex(dialog.group.findData("team"))
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert friends_of(room) == [(FriendKind.PATTERN, name[:-1] + "?", "team")]
    assert line_of(players, name)[1].group == "team"
    friend = next(iter(room.program.session.friends))
    assert room.catalogue.name[busy] in room.window.people.friends.seen(friend)
    dialog.choose(friend)
    dialog.move_to.setCurrentIndex(dialog.move_to.findData("others"))
    dialog.move_to.activated.emit(dialog.move_to.currentIndex())
    assert friends_of(room)[0][2] == "others"
    assert dialog.chosen() is not None
    room.bot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert friends_of(room) == []
    assert not dialog.remove.isEnabled()
    dialog.close()


def test_the_dialog_says_what_is_no_friend_and_keeps_what_was_written(room: Room) -> None:
    dialog = open_dialog(room)
    dialog.field.setFocus()
    QTest.keyClicks(dialog.field, "*?")
    assert not dialog.add.isEnabled()
    assert dialog.reason.text() == "a pattern needs at least one letter"
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog.field.text() == "*?"
    assert friends_of(room) == []
    dialog.kind.setCurrentIndex(dialog.kind.findData(FriendKind.NAME))
    assert dialog.add.isEnabled()
    assert dialog.reason.isHidden()
    dialog.close()


def test_who_is_a_friend_by_a_pattern_is_shown_there(room: Room) -> None:
    _, players = open_players(room)
    name = a_human(players)
    room.window.people.friends.put(Friend(FriendKind.PATTERN, f"{name[0]}*", "team", 1.0))
    click(players, name, 20)
    dialog = room.window.people.friends.dialog
    assert dialog is not None
    chosen = dialog.chosen()
    assert chosen is not None
    assert chosen.value == f"{name[0]}*"
    dialog.close()


def test_a_filter_finds_a_group(room: Room) -> None:
    busy, players = open_players(room)
    room.window.people.friends.put(Friend(FriendKind.NAME, a_human(players), "team", 1.0))
    room.filter("friend:team")
    assert busy in room.servers()
    room.press(Qt.Key.Key_Escape)
    room.filter("friend:others")
    assert room.servers() == []
