"""A table with columns of other names, from its drop to the rounds in the record."""

from pathlib import Path

from PySide6.QtCore import Qt
from window_helpers import AppDriver

from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog

CTRL = Qt.KeyboardModifier.ControlModifier


def table(path: Path, day: int) -> Path:
    rest = f"Marines,2024-05-0{day}T20:00:00Z,600"
    path.write_text(f"match,steamid,side,result,when,secs\n1,ann,Marines,{rest}\n1,bob,Aliens,{rest}\n")
    return path


def rounds(app: AppDriver) -> int:
    return sum(app.program.storage.round_store.count_rounds().values())


def asked(app: AppDriver) -> list[ColumnMapDialog]:
    return [each for each in app.window.findChildren(ColumnMapDialog) if each.isVisible()]


def test_dropped_tables_ask_once(app: AppDriver, tmp_path: Path) -> None:
    app.press(Qt.Key.Key_2, CTRL)
    view = app.window.skill_controller.view
    view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    app.bot.waitUntil(lambda: bool(asked(app)))
    (dialog,) = asked(app)
    assert view.problem_bar.isHidden()
    app.bot.keyClick(dialog.accept_button, Qt.Key.Key_Space)
    app.bot.waitUntil(lambda: rounds(app) == 1 and not asked(app))
    view.drop_overlay.files_dropped.emit([table(tmp_path / "two.csv", 2)])
    app.bot.waitUntil(lambda: rounds(app) == 2)
    assert not asked(app)


def test_skipped_table_is_reported_with_line(app: AppDriver, tmp_path: Path) -> None:
    app.press(Qt.Key.Key_2, CTRL)
    app.window.skill_controller.view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    app.bot.waitUntil(lambda: bool(asked(app)))
    app.bot.keyClick(asked(app)[0], Qt.Key.Key_Escape)
    app.bot.waitUntil(lambda: not asked(app))
    assert not app.window.skill_controller.view.problem_bar.isHidden()
    assert f"{tmp_path}/one.csv:1: id: there is no such column" in app.window.skill_controller.view.problem_bar.text()


def test_window_closes_over_dialog(app: AppDriver, tmp_path: Path) -> None:
    app.press(Qt.Key.Key_2, CTRL)
    app.window.skill_controller.view.drop_overlay.files_dropped.emit([table(tmp_path / "one.csv", 1)])
    app.bot.waitUntil(lambda: bool(asked(app)))
    app.window.close()
    assert rounds(app) == 0
