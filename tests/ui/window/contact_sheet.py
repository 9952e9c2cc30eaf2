"""Program that puts pictures of all states on a sheet: `contact_sheet.py FOLDER`."""

import os
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

SHEET_NAME: Final = "sheet.png"
_THUMB = QSize(512, 320)
_LABEL_HEIGHT, _GAP = 18, 8
_NAME_PARTS: Final = 4
"""Parts of a picture's name behind the state: `STATE-THEME-SIZE-LANGUAGE-SCALE.png`."""


def write_sheet(folder: Path) -> Path:
    """Write a sheet with a row per state and a column per variant; return its file."""
    pictures = [file for file in folder.glob("*.png") if file.name != SHEET_NAME]
    parts = {file: file.stem.rsplit("-", _NAME_PARTS) for file in pictures}
    states = sorted({state for state, *_variant in parts.values()})
    variants = sorted({tuple(variant[::-1]) for _state, *variant in parts.values()})
    cell = _THUMB + QSize(_GAP, _LABEL_HEIGHT + _GAP)
    sheet = QImage(cell.width() * len(variants) + _GAP, cell.height() * len(states) + _GAP, QImage.Format.Format_RGB32)
    sheet.fill(QColor("gray"))
    painter = QPainter(sheet)
    for file, (state, *variant) in parts.items():
        column, row = variants.index(tuple(variant[::-1])), states.index(state)
        place = QPoint(_GAP + cell.width() * column, _GAP + cell.height() * row)
        painter.drawText(place + QPoint(0, _LABEL_HEIGHT - 5), file.stem)
        thumb = QImage(str(file)).scaled(
            _THUMB, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        thumb.setDevicePixelRatio(1.0)
        painter.drawImage(place + QPoint(0, _LABEL_HEIGHT), thumb)
    painter.end()
    file = folder / SHEET_NAME
    if not sheet.save(str(file)):
        raise OSError(f"{file} cannot be written")
    return file


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QGuiApplication([])
    print(write_sheet(Path(sys.argv[1])))  # noqa: T201 (a program)
