"""Colour codes of all dialects, DarkPlaces' font, and invisible characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.coloured_text import COLOUR_DIALECTS, plain_text


@pytest.mark.parametrize(
    ("dialect", "text", "shown"),
    [
        ("none", "^1Red ^^", "^1Red ^^"),
        ("quake3", "^1Red^7White^wShip", "RedWhiteShip"),
        ("quake3", "^5^^55Ta^3^^33kagi", "^5Ta^3kagi"),
        ("quake3", "^<not ^a code", "^<not  code"),
        ("quake3", "end^", "end^"),
        ("wolfenstein", "^3~^1>R^Ce^bL^:i", "~>ReLi"),
        ("wolfenstein", "^^1caret", "^caret"),
        ("xonotic", "^x555[^x0BF力^x777] ^xBBBIn^1t^7eger", "[力] Integer"),
        ("xonotic", "^x29dArch^7", "Arch"),
        ("xonotic", "^x29", "^x29"),
        ("xonotic", "^x2gzName", "^x2gzName"),
        ("xonotic", "^^1not red", "^1not red"),
        ("xonotic", "^aletter", "^aletter"),
        ("daemon", "^#ff8000Orange^xF00Red^*plain^oLast", "OrangeRedplainLast"),
        ("daemon", "^#ff800 short", "^#ff800 short"),
        ("daemon", "^^#ff8000", "^#ff8000"),
        ("warsow", "^8Orange^^9", "Orange^9"),
        ("wolfenstein", "^Oq^?q", "qq"),
        ("xonotic", "^x0f8q^^r", "q^r"),
        ("xonotic", "^1\u200b^2", ""),
        ("minecraft", "§aGreen §l§kMagic§r §", "Green Magic §"),
        ("minecraft", "^1 {ff0000} #ff0000", "^1 {ff0000} #ff0000"),
        ("braces", "{ff0000}Red{00FF00} {RP} {12345}", "Red {RP} {12345}"),
        ("hash", "#ff0000Red #1 #00FF00Green", "Red #1 Green"),
    ],
)
def test_plain_text(dialect: str, text: str, shown: str) -> None:
    assert plain_text(text, dialect) == shown


def test_font_becomes_ascii() -> None:
    glyphs = "".join(chr(0xE000 + code) for code in (0xE7, 0x58, 0x12, 0x1B, 0x90, 0x91, 0xFF, 0x05, 0x01))
    assert plain_text(glyphs, "xonotic") == "gX09[]<.#"
    for code in range(0x20, 0x7F):
        assert plain_text(chr(0xE000 + code) + chr(0xE080 + code), "xonotic") == chr(code) * 2
    assert plain_text("\ue000\ue00d", "xonotic") == ""
    assert plain_text(glyphs, "none") == glyphs


def test_caret_glyph_is_no_code() -> None:
    assert plain_text("\ue05e1", "xonotic") == "^1"


@pytest.mark.parametrize("dialect", sorted(COLOUR_DIALECTS))
def test_invisible_is_removed(dialect: str) -> None:
    unseen = "\xad\u200b\u200d\u200e\u202e\u2066\u2069\u061c\ufeff\U000e0041\ud800"
    assert plain_text(f" a{unseen}  b ", dialect) == " a  b "
    assert plain_text(f"a{unseen}b", dialect) == "ab"


@pytest.mark.parametrize("dialect", sorted(COLOUR_DIALECTS))
@pytest.mark.parametrize("control", "\0\x01\t\n\r\x1b\x7f\x85\u2028\u2029")
def test_controls_separate_words(dialect: str, control: str) -> None:
    is_colour = dialect == "srb2" and control == "\x85"
    assert plain_text(f"a{control}b", dialect) == ("ab" if is_colour else "a b")


def test_all_scripts_are_kept() -> None:
    for text in (
        "Ünïcödé",
        "Сервер",
        "サーバー",
        "서버",
        "שרת",
        "خادم",
        "เซิร์ฟเวอร์",
        "e\u0301",
        "🎮❤️".replace("\ufe0f", ""),
    ):
        assert plain_text(text) == text


def test_unknown_dialect_is_error() -> None:
    with pytest.raises(KeyError):
        plain_text("x", "savage")


TEXTS = st.text(st.sampled_from("^^^^x#*0129aAfFgO \u200b\ue041力") | st.characters(), max_size=30)


@given(TEXTS, st.sampled_from(sorted(COLOUR_DIALECTS)))
def test_plain_text_is_printable(text: str, dialect: str) -> None:
    shown = plain_text(text, dialect)
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown)
    assert not any(unicodedata.bidirectional(character) in BIDI_CONTROLS for character in shown)


BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
