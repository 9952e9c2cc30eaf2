"""Every page and every dialog, walked as a screen reader and a keyboard do: names, roles, actions, the way of Tab."""

from collections.abc import Callable, Mapping
from pprint import pformat

from access_walk import interface, lacks, out_of_reach, tree
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot
from skill_rig import skill_rig
from skill_view_rig import ME, FakePanel, Kept, Steps, record, shown
from window_rig import Room

from browser_app.protocols.server_link import write_join_link
from browser_app.rating import rating_system
from browser_app.storage.friends import Friend, FriendKind
from browser_app.ui.dialogs.password import PasswordDialog
from browser_app.ui.dialogs.take_in_dialog import Line, TakeInDialog
from browser_app.ui.lists import ALL, BLOCKED, FAVOURITES, FRIENDS, LAN, RECENT
from browser_app.ui.skill.fair.balance_dialog import BalanceDialog
from browser_app.ui.skill.fair.line_up import LineUp
from browser_app.ui.skill.fair.paste_dialog import PasteDialog
from browser_app.ui.skill.fair.roster import Roster
from browser_app.ui.skill.pages import PAGES
from browser_app.ui.skill.skill_view import SkillView
from browser_app.ui.theme import Theme
from browser_app.ui.window import SKILL

Problems = dict[str, list[str]]


def walked(problems: Problems, what: str, top: QWidget) -> None:
    """Walk over what is in sight of it now."""
    found = [*lacks(top), *out_of_reach(top)]
    if found:
        problems[what] = found


def test_every_list_and_every_page_of_the_inspector(room: Room) -> None:
    problems: Problems = {}
    inspector = room.window.servers.inspector
    for page in range(5):
        inspector.turn_to(page)
        room.settle()
        walked(problems, f"inspector {page}", room.window)
    for key in (FAVOURITES, RECENT, FRIENDS, LAN, BLOCKED, ALL):
        room.window.servers.side.choose(key)
        walked(problems, key, room.window)
    room.filter("players>=999")
    walked(problems, "nothing passes", room.window)
    room.window.servers.filters.clear()
    for fold in (room.window.servers.panels.side_fold, room.window.servers.panels.inspector_fold):
        fold.toggle()
    walked(problems, "folded", room.window)
    assert problems == {}, pformat(problems)


def dialogs(room: Room) -> Mapping[str, Callable[[], object]]:
    """What opens each dialog of the view *Servers*."""
    window, theme, target = room.window, room.program.theme, room.catalogue.targets[0]

    def take_in() -> None:
        dialog = TakeInDialog(theme, window, "Bring in", "Found:")
        dialog.show_lines("Found:", [Line("12 favourites", "config.cfg"), Line("3 favourites")], ["no address"])
        dialog.open()

    return {
        "settings": window.preferences.open,
        "Steam key": window.preferences.open_key,
        "masters": window.preferences.open_masters,
        "keys": window.preferences.open_keys,
        "address": window.links.add,
        "link": lambda: window.links.open([write_join_link(target.protocol, target.address, None)]),
        "friends": window.people.friends.open,
        "alerts": window.people.alerts.open,
        "blocked": window.people.blocking.open,
        "block": window.people.block,
        "password": lambda: PasswordDialog(theme, window, "Quiet Corner").open(),
        "bring in": take_in,
        "save a filter": window.servers.saved.save,
    }


def test_every_dialog_of_the_servers_is_named_worked_by_keys_and_closed_by_a_press(room: Room) -> None:
    problems: Problems = {}
    room.window.people.friends.put(Friend(FriendKind.PATTERN, "m*", "team", 1.0))
    room.window.servers.filters.put("text", "players>1")
    walk_dialogs(problems, dialogs(room), room.bot)
    assert problems == {}, pformat(problems)


def walk_dialogs(problems: Problems, opened_by: Mapping[str, Callable[[], object]], bot: QtBot) -> None:
    """Open each, walk over it, and close it by a press."""
    for name, opens in opened_by.items():
        opens()
        bot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QDialog))
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        dialog.activateWindow()
        bot.waitUntil(dialog.isActiveWindow)
        walked(problems, name, dialog)
        if not dialog.windowTitle():
            problems.setdefault(name, []).append("no title")
        close_by_press(dialog)
        bot.waitUntil(lambda: QApplication.activeModalWidget() is None)


def close_by_press(dialog: QDialog) -> None:
    """Press its Cancel or Close as a screen reader does; where there is none, Esc does it."""
    for each in tree(interface(dialog)):
        if each.role() == QAccessible.Role.Button and each.text(QAccessible.Text.Name) in ("Cancel", "Close"):
            action = each.actionInterface()
            assert action is not None
            action.doAction("Press")
            return
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_pages_of_my_skill_without_a_record(room: Room) -> None:
    problems: Problems = {}
    room.window.switch.setCurrentIndex(SKILL)
    for page in PAGES:
        room.window.skill.view.show_page(page.key)
        walked(problems, page.key, room.window)
    assert problems == {}, pformat(problems)


def test_the_pages_of_my_skill_with_a_record(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    theme = Theme(qapp, "light")
    view = SkillView(theme, Steps(FakePanel(shown())).services)
    qtbot.addWidget(view)
    view.resize(1280, 714)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    for page in PAGES:
        view.show_page(page.key)
        walked(problems, page.key, view)
    theme.deleteLater()
    assert problems == {}, pformat(problems)


def test_the_dialogs_of_my_skill(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    with skill_rig(qtbot, qapp) as rig:
        rig.seen = (("22202", "moth", 214), ("99", "LowTide", 180))
        steps: Mapping[str, Callable[[], object]] = {
            "who": lambda: rig.who.open(rig.window, "ns2"),
            "sources": lambda: rig.wherefrom.open(rig.window, "ns2"),
            "folders": lambda: rig.wherefrom.open_folders(rig.window, "ns2"),
            "asked": lambda: rig.wherefrom.open_log(rig.window, "ns2"),
        }
        walk_dialogs(problems, steps, qtbot)
    assert problems == {}, pformat(problems)


def test_the_dialogs_of_fair_games(qtbot: QtBot, qapp: QApplication) -> None:
    problems: Problems = {}
    theme, window = Theme(qapp, "light"), QWidget()
    qtbot.addWidget(window)
    window.show()
    run = rating_system("ns2").start(record())
    names = Roster(run)
    line_up = LineUp(("Marines", "Aliens"), (), ME, "ns2", "ns2_veil")
    kept = Kept()
    steps: Mapping[str, Callable[[], object]] = {
        "balance": lambda: BalanceDialog(theme, window, kept, names, "ns2", line_up).open(),  # type: ignore[arg-type]
        "paste": lambda: PasteDialog(theme, window, kept, lambda text: text).open(),  # type: ignore[arg-type]
    }
    walk_dialogs(problems, steps, qtbot)
    theme.deleteLater()
    assert problems == {}, pformat(problems)
