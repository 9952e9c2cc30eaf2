"""The man page, generated from the command line's help and the manual.

python packaging/devtools/manual.py FILE
"""

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from browser_app import __version__
from browser_app.application.app_context import AppContext
from browser_app.commands import COMMANDS
from browser_app.commands.command_line import WINDOW_COMMAND, create_parser
from browser_app.games import load_presets
from browser_app.paths import resource_folder

_MANUAL = Path("manual", "manual.md")
"""The manual, from which the man page takes description, exit status and environment."""


def _sections(text: str) -> dict[str, list[str]]:
    """Return the manual's lines by title of section, first the introduction."""
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            lines = sections.setdefault(line.lstrip("# "), [])
        else:
            lines.append(line)
    return sections


def _paragraphs(lines: Sequence[str]) -> list[str]:
    return [" ".join(block.split()) for block in "\n".join(lines).split("\n\n") if block.strip()]


def _table(lines: Sequence[str]) -> dict[str, str]:
    """Return the rows of a two-column table, without its head."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {row[0]: row[1] for row in rows[2:]}


def page(context: AppContext) -> str:
    """Return the whole page in man(7) markup."""
    parser = create_parser(WINDOW_COMMAND, context)
    known = {action.option_strings[0]: action for action in _actions(parser) if action.option_strings}
    manual = _sections((resource_folder() / _MANUAL).read_text(encoding="utf-8"))
    lines = [
        f'.TH READY\\-ROOM 1 "" "ready\\-room {__version__}" "Games"',
        ".nh",
        ".ad l",
        ".SH NAME",
        r"ready\-room \- find a good game and join it",
        ".SH SYNOPSIS",
        r"\fBready\-room\fR [\fICOMMAND\fR | \fIURL\fR] [\fIOPTIONS\fR]",
        ".SH DESCRIPTION",
        *(line for paragraph in _paragraphs(manual["Ready Room manual"]) for line in (".PP", _text(paragraph))),
        ".SH OPTIONS",
        *(line for action in _actions(parser) for line in _option(action)),
        ".SH COMMANDS",
        *(line for name in COMMANDS for line in _command(name, create_parser(name, context), known)),
        ".SH EXIT STATUS",
        *_terms(_table(manual["Exit status"])),
        ".SH ENVIRONMENT",
        *_terms(_table(manual["Environment"])),
    ]
    return "\n".join(lines) + "\n"


def _command(name: str, parser: argparse.ArgumentParser, known: Mapping[str, argparse.Action]) -> Iterator[str]:
    """Yield a command's description and options; those of the window are only named."""
    yield f".SS {_text(name)}"
    yield _text(_sentence(parser.description or ""))
    same = []
    for action in _actions(parser):
        other = known.get(action.option_strings[0]) if action.option_strings else None
        if other is not None and other.help == action.help:
            same.append(rf"\fB{_text(action.option_strings[0])}\fR")
        else:
            yield from _option(action)
    if same:
        yield ".PP"
        yield f"{', '.join(same)}: as above."
    if parser.epilog:
        laid_out = "\n" in parser.epilog
        yield from (".PP", ".nf", _text(parser.epilog), ".fi") if laid_out else (".PP", _text(parser.epilog))


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return all arguments except `--help`."""
    found = parser._actions  # noqa: SLF001 - argparse has no other way to ask
    return [each for each in found if each.dest != "help" and each.help != argparse.SUPPRESS]


def _option(action: argparse.Action) -> Iterator[str]:
    yield from (".TP", _heading(action))
    if action.help:
        yield _text(_sentence(action.help % vars(action)))


def _heading(action: argparse.Action) -> str:
    """Return names in bold and values in italics."""
    taken = "" if action.nargs == 0 else _value_name(action)
    if not action.option_strings:
        return f".I {_text(taken)}"
    names = r"\fR, \fB".join(map(_text, action.option_strings))
    if not taken:
        return rf"\fB{names}\fR"
    return rf"\fB{names}\fR [\fI{_text(taken)}\fR]" if action.nargs == "?" else rf"\fB{names}\fR \fI{_text(taken)}\fR"


def _value_name(action: argparse.Action) -> str:
    if action.choices is not None and action.metavar is None:
        return "|".join(map(str, action.choices))
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"{name} …" if action.nargs in ("+", "*") else name


def _terms(terms: Mapping[str, str]) -> Iterator[str]:
    for term, meaning in terms.items():
        yield from (".TP", rf"\fB{_text(term)}\fR", _text(_sentence(meaning)))


def _sentence(words: str) -> str:
    """Return the words with a capital, unless a name in code comes first, and a stop."""
    words = " ".join(words.split())
    if words[:1].islower() and words.partition(" ")[0].isalpha():
        words = words[0].upper() + words[1:]
    return words if words.endswith((".", "?")) or not words else f"{words}."


def _text(words: str) -> str:
    """Escape text, so that it is not read as man(7) markup."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", escaped, flags=re.MULTILINE)


def current_page() -> str:
    """Return the page of the program as it is now."""

    def never(*_: object, **__: object) -> object:
        raise NotImplementedError("nothing is run for a manual")

    return page(AppContext({}, load_presets(resource_folder() / "ranking"), never, never, never, never))  # type: ignore[arg-type]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(current_page(), encoding="utf-8")
