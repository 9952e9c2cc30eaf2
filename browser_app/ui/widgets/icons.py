"""Icons from single-path SVG files, tinted when they are drawn."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from browser_app.paths import resource_folder


@lru_cache(maxsize=256)
def _renderer(name: str, color: str, filled: bool) -> QSvgRenderer:
    svg = (resource_folder() / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    if filled:
        svg = svg.replace('fill="none"', f'fill="{color}"')
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    if not renderer.isValid():
        raise ValueError(f"resources/icons/{name}.svg: not a valid SVG")
    return renderer


@lru_cache(maxsize=512)
def icon_pixmap(name: str, color: str, size: int, ratio: float, filled: bool = False) -> QPixmap:
    """Return an icon as a pixmap.

    Args:
        name: file name in `resources/icons` without its suffix.
        color: `#RRGGBB`.
        size: edge length in logical pixels.
        ratio: device pixel ratio of the screen.
        filled: fill the outline.
    """
    result = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _renderer(name, color, filled).render(painter, QRectF(0, 0, result.width(), result.height()))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result


class _SvgIconEngine(QIconEngine):
    """Draws an icon sharp at any size and scale."""

    def __init__(self, name: str, color: str, filled: bool) -> None:
        super().__init__()
        self._icon_key = (name, color, filled)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:  # noqa: ARG002
        """Draw into `rect`."""
        name, color, filled = self._icon_key
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _renderer(name, color, filled).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:  # noqa: ARG002
        """Return a pixmap of `size` device pixels."""
        name, color, filled = self._icon_key
        return icon_pixmap(name, color, size.width(), 1.0, filled)

    def clone(self) -> QIconEngine:
        """Return a copy."""
        return _SvgIconEngine(*self._icon_key)


def clear_icon_cache() -> None:
    """Free all pixmaps and renderers, which must happen before Qt ends."""
    _renderer.cache_clear()
    icon_pixmap.cache_clear()


def create_icon(name: str, color: str, filled: bool = False) -> QIcon:
    """Return an icon as a `QIcon`."""
    return QIcon(_SvgIconEngine(name, color, filled))
