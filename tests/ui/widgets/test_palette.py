"""Contrast of the palettes by the WCAG 2 formula."""

import pytest

from browser_app.ui.widgets.palette import PALETTES, Palette

BACKGROUNDS = ("window", "surface", "raised", "hover", "selected")
TEXT = (
    "text1",
    "text2",
    "text3",
    "accent",
    "ping_good",
    "ping_bad",
    "full",
    "locked",
    "favourite",
    "friend",
    "warning",
)
GRAPHICS = ("border", "ping_fair", "ping_unknown", "score_low", "score_mid", "score_high", "win", "loss", "draw")
PLOTS = ("plot1", "plot2", "plot3", "plot4", "plot5")


def luminance(color: str) -> float:
    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(color[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(palette: Palette, one: str, other: str) -> float:
    dark, light = sorted((luminance(getattr(palette, one)), luminance(getattr(palette, other))))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", PALETTES)
def test_text_contrast(name: str) -> None:
    palette = PALETTES[name]
    low = {(t, b): contrast(palette, t, b) for t in TEXT for b in BACKGROUNDS if contrast(palette, t, b) < 4.5}
    assert not low


@pytest.mark.parametrize("name", PALETTES)
def test_graphics_contrast(name: str) -> None:
    palette = PALETTES[name]
    low = {(g, b): contrast(palette, g, b) for g in GRAPHICS for b in BACKGROUNDS if contrast(palette, g, b) < 3}
    assert not low


@pytest.mark.parametrize("name", PALETTES)
def test_plot_and_accent_contrast(name: str) -> None:
    palette = PALETTES[name]
    assert all(contrast(palette, plot, ground) >= 3 for plot in PLOTS for ground in ("surface", "raised"))
    assert contrast(palette, "on_accent", "accent") >= 4.5
