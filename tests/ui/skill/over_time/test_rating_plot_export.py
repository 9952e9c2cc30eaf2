"""Export of the rating plot as CSV, SVG and PNG."""

import csv
import io
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from over_time_helpers import FakeOverlayModel, export_bytes, has_color, history
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from browser_app.ui.skill.over_time.over_time_page import OverTimePage
from browser_app.ui.skill.over_time.rating_overlay_controller import OverlayOption
from browser_app.ui.widgets.palette import LIGHT


def test_csv_header_and_precision(page: OverTimePage) -> None:
    expected = history()
    rows = list(csv.DictReader(io.StringIO(export_bytes(page, "csv").decode())))
    assert len(rows) == 214
    assert [float(row["after"]) for row in rows] == expected.after.tolist()
    assert [float(row["chance"]) for row in rows] == expected.probability.tolist()
    assert rows[0]["started"].startswith("2026-03-28T")
    assert rows[0]["started"].endswith("+00:00")
    assert {row["series"] for row in rows} == {"You"}
    assert rows[0]["server"] == ""


def test_csv_overlay_and_escaped_formulas(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    page.overlay_controller.choose(OverlayOption("player:p7", "=cmd();@x"))
    skill_model.answers.pop()[0](history(5, maps=("=1+1", "b", "c"), map=np.zeros(5, np.int32), sd=np.full(5, np.nan)))
    rows = list(csv.DictReader(io.StringIO(export_bytes(page, "csv").decode())))
    assert len(rows) == 219
    assert rows[-1]["series"] == "'=cmd();'@x"
    assert rows[-1]["map"] == "'=1+1"
    assert rows[-1]["sd"] == rows[-1]["sd_from"] == ""


def test_svg_is_vector_and_clipped(page: OverTimePage) -> None:
    page.time_range_picker.select(2)
    root = ET.fromstring(export_bytes(page, "svg"))  # noqa: S314 (the program's own)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert "image" not in tags
    assert tags.count("circle") > 5
    assert tags.count("polyline") >= 2
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    assert any("Natural Selection 2, NS2 logistic" in text for text in texts)
    assert "won" in texts
    width = float((root.get("viewBox") or "").split()[2])
    for element in root.iter():
        if element.tag.endswith("polyline"):
            lefts = [float(pair.split(",")[0]) for pair in (element.get("points") or "").split()]
            assert min(lefts) >= -60
            assert max(lefts) <= width


def test_png_has_double_resolution(page: OverTimePage) -> None:
    picture = QImage.fromData(export_bytes(page, "png"))
    assert picture.width() == 2 * (page.plot.width() + 32)
    assert has_color(picture, LIGHT.plot1, 120, picture.width() - 40)


def test_export_asks_and_writes(page: OverTimePage, qtbot: QtBot, tmp_path: Path) -> None:
    page.start_export("csv")
    dialog = page.export_controller.dialog
    assert isinstance(dialog, QFileDialog)
    assert dialog.selectedFiles()[0].endswith("Natural Selection 2, NS2 logistic.csv")
    with qtbot.waitSignal(page.status_reported) as message:
        dialog.fileSelected.emit(str(tmp_path / "mine.csv"))
    assert message.args == ["Saved: mine.csv"]
    assert (tmp_path / "mine.csv").read_bytes() == export_bytes(page, "csv")
    dialog.close()
    assert page.export_controller.dialog is None


def test_export_reports_write_error(page: OverTimePage, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(page.status_reported) as message:
        page.export_controller.write_file(tmp_path / "no" / "where.csv", lambda: lambda: b"")
    assert message.args is not None
    assert message.args[0].startswith("Could not save where.csv: No such file")


@pytest.mark.posix
def test_failed_export_leaves_old_file(
    page: OverTimePage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path) -> str:
        with qtbot.waitSignal(page.status_reported) as message:
            page.export_controller.write_file(path, lambda: lambda: b"new")
        assert message.args is not None
        return str(message.args[0])

    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    assert write(Path("/dev/null")) == "Could not save null: a pipe or device, not a file"
    old = tmp_path / "old.csv"
    old.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    assert write(old) == "Could not save old.csv: No space left on device"
    assert (old.read_bytes(), list(tmp_path.iterdir())) == (b"old", [old])


def test_export_name_is_safe(page: OverTimePage) -> None:
    page.export_controller.ask_for_file("csv", "../x\n/y", lambda: bytes)
    dialog = page.export_controller.dialog
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith("/_x_y.csv")
    assert not dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
    dialog.close()
