"""Lines of the protocol and reply readers that no case has reached."""

import dis
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator, Mapping
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final, Self

from browser_app import protocols
from browser_app.catalogue import reply_readers

WRITERS: Final = re.compile(r"_?(encode|build|format|pack)_.*|compress|__str__|split_source_reply|_split_chunks")
"""Functions that build requests and replies from our own values; they do not count."""
UNREACHABLE: Final[Mapping[str, str]] = {
    'raise JSONParseError("too many objects and lists")': "takes more bytes than a case has; test_json_parser.py",
    'raise ValueError(f"{server} cannot be queried")': "is for no reply; test_query_protocols.py",
}
"""Lines that no case can reach, and why."""


READERS_OF_SINGLE_GAMES: Final = frozenset({"a2s_server_info", "quake3_server_info", "server_info_text"})
"""Modules whose lines read what single games send; `test_server_info_readers.py` and the recordings reach them."""


class LineCoverage:
    """Notes the lines that are reached while it is active, which slows down what runs."""

    def __init__(self) -> None:
        modules = (module for package in (protocols, reply_readers) for module in _modules(package))
        self._unreached = {str(module.__file__): _reader_lines(module) for module in modules}
        self._lines: dict[CodeType, frozenset[int]] = {}
        """Functions that were called while a line of their file was not reached."""
        self.has_entered_unreached = False
        """Whether a function was called in whose file a line had not been reached; reset by the caller."""

    def __len__(self) -> int:
        """Number of lines that were not reached."""
        return sum(map(len, self._unreached.values()))

    @property
    def unreached(self) -> list[str]:
        """File, number and text of each line of a reader that was not reached."""
        return [
            f"{Path(file).name}:{number}: {text}"
            for file, lines in self._unreached.items()
            for number, text in lines.items()
        ]

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._on_call)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        sys.settrace(self._before)

    def _on_call(self, frame: FrameType, _event: str, _arg: object) -> Any:
        unreached = self._unreached.get(frame.f_code.co_filename)
        if not unreached:
            return None
        self.has_entered_unreached = True
        return None if unreached.keys().isdisjoint(self._lines_of(frame.f_code)) else self._on_event

    def _lines_of(self, code: CodeType) -> frozenset[int]:
        lines = self._lines.get(code)
        if lines is None:
            lines = self._lines[code] = frozenset(number for _, number in dis.findlinestarts(code) if number)
        return lines

    def _on_event(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "line":
            self._unreached[frame.f_code.co_filename].pop(frame.f_lineno, None)
        return self._on_event


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """All modules in a package and in those inside it."""
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not each.ispkg and each.name.rpartition(".")[2] not in READERS_OF_SINGLE_GAMES:
            yield importlib.import_module(each.name)


def _reader_lines(module: ModuleType) -> dict[int, str]:
    """Return the lines with code of a module's functions, with their text.

    The line that begins a function is left out.
    """
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    lines = [line.strip() for line in source.splitlines()]
    codes = _functions(compile(source, str(module.__file__), "exec"))
    numbers = {number for code in codes for _, number in dis.findlinestarts(code) if number != code.co_firstlineno}
    return {
        number: lines[number - 1] for number in sorted(filter(None, numbers)) if lines[number - 1] not in UNREACHABLE
    }


def _functions(code: CodeType, *, is_within: bool = False) -> Iterator[CodeType]:
    """Return functions and those nested in them.

    Code that runs once, on import, is left out.
    """
    for inner in code.co_consts:
        if not isinstance(inner, CodeType) or WRITERS.fullmatch(inner.co_name):
            continue
        is_comprehension = inner.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
        is_function = is_within or (bool(inner.co_flags & CO_OPTIMIZED) and not is_comprehension)
        if is_function:
            yield inner
        yield from _functions(inner, is_within=is_function)
