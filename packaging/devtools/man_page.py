"""The man page, generated from the command line's help and the manual.

python packaging/devtools/man_page.py FILE
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


def _split_sections(text: str) -> dict[str, list[str]]:
    """Return the manual's lines by title of section, first the introduction."""
    sections: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            lines = sections.setdefault(line.lstrip("# "), [])
        else:
            lines.append(line)
    return sections


def _join_paragraphs(lines: Sequence[str]) -> list[str]:
    """Return the paragraphs as one line each, without tables."""
    blocks = (block.strip() for block in "\n".join(lines).split("\n\n"))
    return [" ".join(block.split()) for block in blocks if block and not block.startswith("|")]


def _parse_table(lines: Sequence[str]) -> dict[str, str]:
    """Return the rows of a two-column table, without its head and code marks."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {row[0].strip("`"): row[1] for row in rows[2:]}


def render_man_page() -> str:
    """Return the page of the program as it is now, in man(7) markup."""
    context = _context_for_help()
    parser = create_parser(WINDOW_COMMAND, context)
    window_options = {action.option_strings[0]: action for action in _list_arguments(parser) if action.option_strings}
    manual = _split_sections((resource_folder() / _MANUAL).read_text(encoding="utf-8"))
    description = _join_paragraphs([*manual["Ready Room manual"], "", *manual["Command line"]])
    lines = [
        f'.TH READY\\-ROOM 1 "" "ready\\-room {__version__}" "Games"',
        ".nh",
        ".ad l",
        ".SH NAME",
        r"ready\-room \- find a good game and join it",
        ".SH SYNOPSIS",
        r"\fBready\-room\fR [\fICOMMAND\fR | \fIURL\fR] [\fIOPTIONS\fR]",
        ".SH DESCRIPTION",
        *(line for paragraph in description for line in (".PP", _escape(paragraph))),
        ".SH OPTIONS",
        *(line for action in _list_arguments(parser) for line in _render_argument(action)),
        ".SH COMMANDS",
        *(line for name in COMMANDS for line in _render_command(name, create_parser(name, context), window_options)),
        ".SH EXIT STATUS",
        *_render_terms(_parse_table(manual["Exit status"])),
        ".SH ENVIRONMENT",
        *_render_terms(_parse_table(manual["Environment"])),
    ]
    return "\n".join(lines) + "\n"


def _render_command(
    name: str, parser: argparse.ArgumentParser, window_options: Mapping[str, argparse.Action]
) -> Iterator[str]:
    """Yield a command's description and arguments; only name the window's options."""
    yield f".SS {_escape(name)}"
    yield _escape(_format_sentence(parser.description or ""))
    shared_options = []
    for action in _list_arguments(parser):
        window_option = window_options.get(action.option_strings[0]) if action.option_strings else None
        if window_option is not None and window_option.help == action.help:
            shared_options.append(rf"\fB{_escape(action.option_strings[0])}\fR")
        else:
            yield from _render_argument(action)
    if shared_options:
        yield ".PP"
        yield f"{', '.join(shared_options)}: as above."
    if parser.epilog:
        epilog = _escape(parser.epilog)
        yield from (".PP", ".nf", epilog, ".fi") if "\n" in parser.epilog else (".PP", epilog)


def _list_arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return all arguments except `--help`."""
    actions = parser._actions  # noqa: SLF001 - argparse has no public list of them
    return [each for each in actions if each.dest != "help" and each.help != argparse.SUPPRESS]


def _render_argument(action: argparse.Action) -> Iterator[str]:
    yield from (".TP", _format_heading(action))
    if action.help:
        yield _escape(_format_sentence(action.help % vars(action)))


def _format_heading(action: argparse.Action) -> str:
    """Return names in bold and values in italics."""
    value = "" if action.nargs == 0 else _escape(_format_value_name(action))
    if not action.option_strings:
        return f".I {value}"
    names = r"\fR, \fB".join(map(_escape, action.option_strings))
    if not value:
        return rf"\fB{names}\fR"
    return rf"\fB{names}\fR [\fI{value}\fR]" if action.nargs == "?" else rf"\fB{names}\fR \fI{value}\fR"


def _format_value_name(action: argparse.Action) -> str:
    if action.choices is not None and action.metavar is None:
        return "|".join(map(str, action.choices))
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"{name} …" if action.nargs in ("+", "*") else name


def _render_terms(terms: Mapping[str, str]) -> Iterator[str]:
    for term, meaning in terms.items():
        yield from (".TP", rf"\fB{_escape(term)}\fR", _escape(_format_sentence(meaning)))


def _format_sentence(text: str) -> str:
    """Return the text with a full stop and, unless code comes first, a capital."""
    text = " ".join(text.split())
    if text[:1].islower() and text.partition(" ")[0].isalpha():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?")) or not text else f"{text}."


def _escape(text: str) -> str:
    """Escape text, so that it is not read as man(7) markup."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", escaped, flags=re.MULTILINE)


def _context_for_help() -> AppContext:
    """Return a context that creates parsers but runs no command."""

    def refuse(*_: object, **__: object) -> object:
        raise NotImplementedError("no command is run for the man page")

    return AppContext({}, load_presets(resource_folder() / "ranking"), refuse, refuse, refuse, refuse)  # type: ignore[arg-type]


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(render_man_page(), encoding="utf-8")
