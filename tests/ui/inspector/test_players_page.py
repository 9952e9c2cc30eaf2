"""Players page: groups, marks, headline and mirrored painting."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.catalogue.server_info import PlayerInfo, ServerInfo
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.ui.inspector.inspector_page_base import LIST_LINE_HEIGHT
from browser_app.ui.inspector.player_list_text import (
    PlayerLine,
    group_players,
    group_summary,
    player_lines,
    players_headline,
)
from browser_app.ui.inspector.players_page import PLAYER_NAME_LEFT, PlayerListView
from browser_app.ui.widgets.theme import Theme

LTR = Qt.LayoutDirection.LeftToRight


def player(
    name: str, score: float = 0.0, team: int | None = None, *, bot: bool = False, spectator: bool = False
) -> PlayerInfo:
    return PlayerInfo(name, score, None, None, team, bot, spectator)


def test_groups_and_their_summaries() -> None:
    players = [
        player("a", 5.0, team=1),
        player("b", 31.0, team=1),
        player("c", 7.0, team=2),
        player("d", 99.0, bot=True),
        player("e", 0.0, spectator=True),
    ]
    groups = group_players(players, team_names=QUERY_PROTOCOLS["darkplaces"].team_names)
    assert [(title, group_summary(group)) for title, group in groups] == [
        ("Red", "2 players, 36 points"),
        ("Blue", "1 player, 7 points"),
        ("Bots", "1, not counted"),
        ("Spectators", "1, not counted"),
    ]
    assert [each.name for each in groups[0][1]] == ["b", "a"]


def test_no_points_without_teams() -> None:
    ((title, group),) = group_players([player("a", 5.0), player("b", 3.0)], team_names={})
    assert (title, group_summary(group)) == ("Players", "2 players")


def test_friend_and_best_marks() -> None:
    players = [player("a", 5.0), player("b", 9.0), player("c", 99.0, bot=True), player("d", 50.0, spectator=True)]
    lines = player_lines(players, lambda each: {"a": "team", "b": "friends"}.get(each.name), team_names={}, times=False)
    assert [(line.name, line.marks_text) for line in lines if not line.is_heading] == [
        ("b", "friend, best"),
        ("a", "teammate"),
        ("c", ""),
        ("d", ""),
    ]


def test_no_player_is_best_without_scores() -> None:
    lines = player_lines([player("a", 0.0), player("b", 0.0)], lambda _: None, team_names={}, times=False)
    assert not any(line.is_best for line in lines)


def test_player_without_name() -> None:
    lines = player_lines([player("", 5.0), player("b", 3.0)], lambda _: None, team_names={}, times=False)
    assert [(line.title, line.can_be_friend) for line in lines[1:]] == [("no name", False), ("b", True)]
    assert lines[1].accessible_text == "no name (best) 5 –"


@pytest.mark.parametrize(
    ("players", "is_querying", "words"),
    [
        ((), False, "3 playing. 5 slots free. No player names available."),
        ((), True, "3 playing. 5 slots free."),
        (
            (player("", 5.0), player("robot", 1.0, bot=True)),
            False,
            "3 playing. 5 slots free. No player names available.",
        ),
        ((player("a", 5.0),), False, "3 playing. 5 slots free."),
        (None, False, "No player list from this server."),
    ],
)
def test_headline(players: tuple[PlayerInfo, ...] | None, is_querying: bool, words: str) -> None:
    facts = ServerInfo(None, "", "", Address("127.0.0.1", 1), 3, 0, 0, 8, player_list=players)
    assert players_headline(facts, is_querying=is_querying) == words
    assert "names" not in players_headline(replace(facts, players=0, player_list=()), is_querying=False)


def test_headline_shows_average_skill() -> None:
    facts = ServerInfo(None, "", "", Address("127.0.0.1", 1), 3, 0, 0, 8, server_skill=987.6, player_list=())
    assert players_headline(facts, is_querying=True) == "3 playing. 5 slots free. Average skill 988."
    assert "skill" not in players_headline(replace(facts, players=0), is_querying=True)


def test_headline_of_unjoinable_server() -> None:
    facts = ServerInfo(None, "", "", Address("127.0.0.1", 1), 3, 0, 5, 8, joinable=False, player_list=())
    assert players_headline(facts, is_querying=True) == "3 playing, 5 spectators. 0 slots free."


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_line_is_mirrored(qtbot: QtBot, qapp: QApplication, direction: Qt.LayoutDirection) -> None:
    theme = Theme(qapp, "light")
    players = PlayerListView(theme)
    qtbot.addWidget(players)
    players.setLayoutDirection(direction)
    players.setFixedWidth(300)
    players.show_items(player_lines([player("WWWW", 5.0)], lambda _: None, team_names={}, times=False))
    players.show()
    top = players.visualRect(players.model().index(1, 0)).top()
    image = players.grab().toImage()
    ground = image.pixelColor(150, top + 2)

    def inked(left: int, width: int) -> bool:
        ratio = image.devicePixelRatio()
        columns = range(left, left + width) if direction is LTR else range(300 - left - width, 300 - left)
        rows = range(top + 4, top + LIST_LINE_HEIGHT - 4)
        return any(image.pixelColor(round(x * ratio), round(y * ratio)) != ground for x in columns for y in rows)

    def mark_at(x: int) -> PlayerLine | None:
        where, none = QPointF(x if direction is LTR else 299 - x, top + 5), Qt.KeyboardModifier.NoModifier
        button = Qt.MouseButton.LeftButton
        return players.player_mark_at(QMouseEvent(QEvent.Type.MouseButtonPress, where, where, button, button, none))

    assert inked(PLAYER_NAME_LEFT, 30)
    assert not inked(130, 60)
    assert inked(190, 36)
    marked = mark_at(5)
    assert marked is not None
    assert marked.name == "WWWW"
    assert mark_at(PLAYER_NAME_LEFT + 5) is None
    theme.deleteLater()
