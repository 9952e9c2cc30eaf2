"""Files with the parameters of a rating system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from browser_app.exit_status import UsageError
from browser_app.file_errors import file_error_text
from browser_app.input_files import read_file_or_pipe
from browser_app.protocols.json_parser import JSONParseError, find_line_numbers, parse_json
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.rating_system import RatingSystem

_MAX_BYTES = 1 << 20
_PARAMETER_TABLES = ("default", "modes")


@dataclass(frozen=True)
class ParameterFile:
    """Parameters file: `{"system": NAME, "default": {…}, "modes": {MODE: {…}}}`.

    Without `system` it applies to the only system of the command. Other keys are ignored.
    """

    path: str
    text: bytes
    content: Mapping[str, Any]

    @classmethod
    def read(cls, path: str, systems: Sequence[str]) -> "ParameterFile":
        """Read a file that is for one of these systems.

        Raises:
            UsageError: there is no such file, or it has no parameters of these systems.
        """
        try:
            text = read_file_or_pipe(path, _MAX_BYTES)
            content = parse_json(text)
        except OSError as error:
            raise UsageError(f"{path}: {file_error_text(error)}") from None
        except JSONParseError as error:
            raise UsageError(f"{path}:{error.line or 1}: {error.reason}") from None
        if not isinstance(content, Mapping):
            raise UsageError(f"{path}:1: must be an object")
        file = cls(path, text, content)
        file._check(systems)
        return file

    def _check(self, systems: Sequence[str]) -> None:
        name = self.content.get("system", systems[0] if len(systems) == 1 else None)
        if name not in systems:
            problem = "is missing" if name is None else f"must be {' or '.join(systems)}, not {name!r}"
            raise self._error_at(("system",), problem)
        if not any(table in self.content for table in _PARAMETER_TABLES):
            raise self._error_at(("default",), "is missing")

    def is_of(self, system: str) -> bool:
        """Return whether it has this system's parameters."""
        return bool(self.content.get("system", system) == system)

    def parameters(self, system: type[RatingSystem]) -> ParameterSet:
        """Return the parameters of a system that the file is for.

        Raises:
            UsageError: a value is wrong; `FILE:LINE: field: problem`.
        """
        try:
            return resolve_parameters(system.declared_parameters, file=self.content)
        except ParameterError as error:
            raise self.usage_error(error) from None

    def usage_error(self, error: ParameterError) -> UsageError:
        """Return an error that names the line of the wrong value.

        Systems check values together and do not report the table; if several tables have the value, a mode's is named.
        """
        name = error.name
        if error.within or name in _PARAMETER_TABLES:
            return self._error_at((*error.within, name), error.problem)
        modes = self.content.get("modes", {})
        key_paths = [*(("modes", mode, name) for mode in modes), ("default", name)]
        lines = find_line_numbers(self.text, key_paths)
        return self._error_at(next((key_path for key_path in key_paths if key_path in lines), (name,)), error.problem)

    def _error_at(self, key_path: tuple[str, ...], problem: str) -> UsageError:
        line = find_line_numbers(self.text, [key_path]).get(key_path, 1)
        return UsageError(f"{self.path}:{line}: {'.'.join(key_path)}: {problem}")
