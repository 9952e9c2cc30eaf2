"""A table with columns of other names, from the drop on the window to the rounds in the record."""

from pathlib import Path

from PySide6.QtCore import Qt
from window_rig import Room

from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog

CTRL = Qt.KeyboardModifier.ControlModifier


def table(path: Path, day: int) -> Path:
    rest = f"Marines,2024-05-0{day}T20:00:00Z,600"
    path.write_text(f"match,steamid,side,result,when,secs\n1,ann,Marines,{rest}\n1,bob,Aliens,{rest}\n")
    return path


def rounds(room: Room) -> int:
    return sum(room.program.session.round_store.round_counts().values())


def asked(room: Room) -> list[ColumnMapDialog]:
    return [each for each in room.window.findChildren(ColumnMapDialog) if each.isVisible()]


def test_dropped_tables_ask_once(room: Room, tmp_path: Path) -> None:
    room.press(Qt.Key.Key_2, CTRL)
    view = room.window.skill_controller.view
    view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    room.bot.waitUntil(lambda: bool(asked(room)))
    (dialog,) = asked(room)
    assert view.problem_bar.isHidden()
    room.bot.keyClick(dialog.accept_button, Qt.Key.Key_Space)
    room.bot.waitUntil(lambda: rounds(room) == 1 and not asked(room))
    view.drop_overlay.files_dropped.emit([table(tmp_path / "two.csv", 2)])
    room.bot.waitUntil(lambda: rounds(room) == 2)
    assert not asked(room)


def test_skipped_table_is_reported_with_line(room: Room, tmp_path: Path) -> None:
    room.press(Qt.Key.Key_2, CTRL)
    room.window.skill_controller.view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    room.bot.waitUntil(lambda: bool(asked(room)))
    room.bot.keyClick(asked(room)[0], Qt.Key.Key_Escape)
    room.bot.waitUntil(lambda: not asked(room))
    assert not room.window.skill_controller.view.problem_bar.isHidden()
    assert f"{tmp_path}/one.csv:1: id: there is no such column" in room.window.skill_controller.view.problem_bar.text()


def test_window_closes_over_dialog(room: Room, tmp_path: Path) -> None:
    room.press(Qt.Key.Key_2, CTRL)
    room.window.skill_controller.view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    room.bot.waitUntil(lambda: bool(asked(room)))
    room.window.close()
    assert rounds(room) == 0
