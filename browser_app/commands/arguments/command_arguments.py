"""Argument parser of all commands, and arguments that several have."""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn

from browser_app.application.app_context import SourceOptions
from browser_app.demo.demo_options import MAX_DEMO_SERVERS
from browser_app.diagnostics import ALL_AREAS, DEBUG_AREAS, DEBUG_OPTION
from browser_app.engine.masters.master_kinds import MASTER_KINDS
from browser_app.engine.query.query_timing import PACES
from browser_app.exit_status import UsageError
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS


def parse_fraction(text: str) -> Fraction:
    """Parse a number from 0 to 1 as an exact fraction.

    With binary floating point, 0.29 of a hundred rounds would be 28.
    """
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be 0 to 1: {text}")
    return value


def _url_prefix(url_form: str) -> str:
    """Return the first characters of a URL: `file:`, `json+https://`."""
    scheme, colon, rest = url_form.partition(":")
    return f"{scheme}{colon}{'//' if rest.startswith('//') else ''}"


OUTPUT_FORMATS = ("table", "json", "csv")
DEFAULT_DEMO_SERVERS = 200


class CommandParser(argparse.ArgumentParser):
    """Argument parser without abbreviated options.

    A new option thus never changes an old command line.
    """

    def __init__(self, **options: object) -> None:
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]
        # For the help alone: start-up applies the option and removes it, since commands are only imported later.
        self.add_argument(
            DEBUG_OPTION,
            nargs="?",
            choices=(ALL_AREAS, *DEBUG_AREAS),
            default=argparse.SUPPRESS,
            metavar="AREA",
            help=f"log debug messages of one area ({', '.join(DEBUG_AREAS)}), or of all",
        )

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments in the form of the program's other errors.

        Raises:
            UsageError: always.
        """
        if choice := re.fullmatch("one of the arguments (.+) is required", message):
            message = f"{choice[1].replace(' -', ' or -')} is required"
        raise UsageError(f"{message.removeprefix('argument ')}; see '{self.prog} --help'")

    def parse_known_args(  # type: ignore[override]  # argparse's own signature is overloaded
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse words; the one after an option that needs a value is its value.

        In `--filter -full`, argparse would take any word with a leading dash for an option, even if there is none of
        that name.
        """
        options = {word: action for action in self._actions for word in action.option_strings}
        joined_words: list[str] = []
        for word in sys.argv[1:] if args is None else args:
            option = options.get(joined_words[-1]) if joined_words else None
            is_option = word == "--" or word.partition("=")[0] in options
            if option is not None and option.nargs is None and word.startswith("-") and not is_option:
                joined_words[-1] += f"={word}"
            else:
                joined_words.append(word)
        return super().parse_known_args(joined_words, namespace)


def create_number_parser(low: float, high: float) -> Callable[[str], float]:
    """Return a function that parses numbers from `low` to `high` in ASCII.

    Python's `float` accepts 1_000 and digits of other scripts, too.
    """

    def parse_number(text: str) -> float:
        try:
            value = float(_require_ascii(text))
        except ValueError:
            raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be {low:.15g} to {high:.15g}: {text}")
        return value

    return parse_number


def _require_ascii(text: str) -> str:
    if not text.isascii() or "_" in text:
        raise ValueError
    return text


parse_skill = create_number_parser(-1e6, 1e6)
"""Parses a skill in a game's points."""


def parse_positive_count(text: str) -> int:
    """Parse a whole number, 1 or more."""
    try:
        value = int(_require_ascii(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a whole number: {text!r}") from None
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1: {text}")
    return value


def parse_demo_size(text: str) -> int:
    """Parse the number of servers of a demo network."""
    servers = parse_positive_count(text)
    if servers > MAX_DEMO_SERVERS:
        raise argparse.ArgumentTypeError(f"must be at most {MAX_DEMO_SERVERS}: {text}")
    return servers


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sources, which can be repeated and combined."""
    group = parser.add_argument_group("sources (repeatable, can be combined)")
    group.add_argument(
        "--game", action="append", default=[], metavar="ID", help="all master servers of a game, or a Steam app ID"
    )
    group.add_argument(
        "--master",
        action="append",
        default=[],
        metavar="URL",
        help="a master server: " + ", ".join(_url_prefix(kind.forms[0]) for kind in MASTER_KINDS),
    )
    group.add_argument(
        "--server",
        action="append",
        default=[],
        metavar="URL",
        help="a server: PROTOCOL://HOST:PORT, with the protocol "
        + ", ".join(name for name, protocol in QUERY_PROTOCOLS.items() if not protocol.is_listed_only),
    )
    group.add_argument("--lan", action="store_true", help="servers on the local network (IPv4)")
    group.add_argument(
        "--demo",
        nargs="?",
        type=parse_demo_size,
        const=DEFAULT_DEMO_SERVERS,
        metavar="N",
        help=f"a demo network of N servers on this machine (default: {DEFAULT_DEMO_SERVERS})",
    )


def source_options_from_arguments(args: argparse.Namespace) -> SourceOptions:
    """Return the sources that the arguments name."""
    return SourceOptions(tuple(args.game), tuple(args.master), tuple(args.server), args.lan, args.demo)


def add_filter_argument(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add the filter; `purpose` says what happens to matching servers."""
    parser.add_argument("--filter", default="", metavar="EXPR", help=f"{purpose}, e.g. 'players>=6 ping<80 -full'")


def add_scoring_arguments(parser: argparse.ArgumentParser, presets: Sequence[str]) -> None:
    """Add own skill and preset."""
    parser.add_argument(
        "--skill", type=parse_skill, metavar="POINTS", help="use this as your skill, in the game's points"
    )
    parser.add_argument("--preset", choices=list(presets), help="score all games with the constants of this preset")


def add_pace_argument(parser: argparse.ArgumentParser) -> None:
    """Add the pace of sending."""
    parser.add_argument(
        "--pace",
        choices=list(PACES),
        default="normal",
        help="packets per second: gentle 75, normal 300, fast 1,000; unlimited only on this machine",
    )


def add_format_argument(parser: argparse.ArgumentParser, formats: Sequence[str] = OUTPUT_FORMATS) -> None:
    """Add the output format; the first one is the default."""
    parser.add_argument("--format", choices=list(formats), default=formats[0], help="output format")
