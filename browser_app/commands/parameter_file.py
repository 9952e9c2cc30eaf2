"""A file of a rating system's parameters, and what is wrong in it, by line and field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from browser_app.commands.errors import BadInput
from browser_app.protocols.json_text import NoJSON, line_of, read_json
from browser_app.rating.errors import ParameterError

_TABLES = ("default", "modes")


@dataclass(frozen=True)
class ParameterFile:
    """A parameters file, `{"system": NAME, "default": {…}, "modes": {MODE: {…}}}`.

    A file that names no system is for the only one that is asked for. Other keys are ignored.
    """

    path: str
    text: bytes
    content: Mapping[str, Any]

    @classmethod
    def read(cls, path: str, systems: Sequence[str]) -> "ParameterFile":
        """Read a file that is for one of some systems.

        Raises:
            BadInput: there is no such file, or it is none of these systems' parameters.
        """
        try:
            text = Path(path).read_bytes()
            content = read_json(text)
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}") from None
        except NoJSON as error:
            raise BadInput(f"{path}:{error.line or 1}: {error.reason}") from None
        if not isinstance(content, Mapping):
            raise BadInput(f"{path}:1: must be an object")
        file = cls(path, text, content)
        file._check(systems)
        return file

    def _check(self, systems: Sequence[str]) -> None:
        name = self.content.get("system", systems[0] if len(systems) == 1 else None)
        if name not in systems:
            problem = "is missing" if name is None else f"must be {' or '.join(systems)}, not {name!r}"
            raise self._at(("system",), problem)
        if not any(table in self.content for table in _TABLES):
            raise self._at(("default",), "is missing")

    def is_of(self, system: str) -> bool:
        """Whether it has this system's parameters."""
        return bool(self.content.get("system", system) == system)

    def wrong(self, error: ParameterError) -> BadInput:
        """What is wrong with a value, and where.

        A system checks the values together and does not tell their table: most likely a mode disagrees.
        """
        name = error.name
        if error.within or name in _TABLES:
            return self._at((*error.within, name), error.problem)
        modes = self.content.get("modes", {})
        places = [*(("modes", mode, name) for mode in modes), ("default", name)]
        return self._at(next((place for place in places if self._line(place)), (name,)), error.problem)

    def _at(self, place: tuple[str, ...], problem: str) -> BadInput:
        return BadInput(f"{self.path}:{self._line(place) or 1}: {'.'.join(place)}: {problem}")

    def _line(self, place: tuple[str, ...]) -> int | None:
        return line_of(self.text, *place)
