"""Translation of texts."""

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from browser_app import language


@pytest.fixture(autouse=True)
def _english_afterwards(tmp_path: Path) -> Iterator[None]:
    yield
    language.set_language(tmp_path / "nothing", language.ENGLISH)


def write_catalogue(folder: Path, name: str, texts: dict[str, str]) -> None:
    """Write a compiled catalogue (gettext manual, "The Format of GNU MO Files")."""
    header = f"Language: {name}\nContent-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
    entries = sorted(({"": header} | texts).items())
    originals, translated = (b"\0".join(each[side].encode() for each in entries) + b"\0" for side in (0, 1))
    start = 28 + 16 * len(entries)
    tables = []
    for side, first in ((0, start), (1, start + len(originals))):
        offset = first
        for entry in entries:
            length = len(entry[side].encode())
            tables.append(struct.pack("<II", length, offset))
            offset += length + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0)
    target = folder / name / "LC_MESSAGES"
    target.mkdir(parents=True)
    (target / f"{language.DOMAIN}.mo").write_bytes(head + b"".join(tables) + originals + translated)


def test_english_without_catalogue(tmp_path: Path) -> None:
    language.set_language(tmp_path, "de")
    assert language.gettext("Players") == language.pgettext("game", "Players") == "Players"
    assert language.ngettext("one", "many", 1) == "one"
    assert language.ngettext("one", "many", 2) == "many"
    assert language.available_languages(tmp_path) == ("en",)


def test_catalogue_is_used(tmp_path: Path) -> None:
    words = {"Change": "Änderung", "what to do\4Change": "Ändern"}
    write_catalogue(tmp_path, "de", words | {"Players": "Spieler", "%d server\0%d servers": "%d Server\0%d Server!"})
    language.set_language(tmp_path, "de")
    assert language.gettext("Players") == "Spieler"
    assert (language.gettext("Change"), language.pgettext("what to do", "Change")) == ("Änderung", "Ändern")
    assert language.gettext("Not translated") == "Not translated"
    assert language.ngettext("%d server", "%d servers", 2) == "%d Server!"
    assert language.gettext("") == ""  # not the header
    assert language.available_languages(tmp_path) == ("en", "de")
    language.set_language(tmp_path, "en")
    assert language.gettext("Players") == "Players"


@pytest.mark.parametrize(
    ("environ", "country"),
    [
        ({"LC_ALL": "de_DE.UTF-8", "LANG": "en_US.UTF-8"}, "DE"),
        ({"LC_ALL": "", "LANG": "en_GB"}, "GB"),
        ({"LC_MESSAGES": "pt_BR", "LANG": "en_GB"}, "BR"),
        ({"LC_ALL": "sr_RS@latin"}, "RS"),
        ({"LC_ALL": "C.UTF-8", "LANG": "en_US.UTF-8"}, ""),
        ({"LANG": "de"}, ""),
        ({}, ""),
    ],
)
def test_country_of_the_environment(environ: Mapping[str, str], country: str) -> None:
    assert language.locale_country(environ) == country
