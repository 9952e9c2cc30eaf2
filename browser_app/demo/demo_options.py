"""Command-line options of the demo network."""

import argparse
from dataclasses import dataclass
from functools import partial

DEFAULT_LATENCY_MS = (12.0, 190.0)
DEFAULT_JITTER_MS = 6.0
"""Used without `--latency`; with it replies are exact, so that pings can be checked."""


MAX_DEMO_SERVERS = 60_000
"""Number of addresses in one block."""
MIN_SERVERS_WITH_STATES = 50
"""Smaller networks have no server in a rare state: too few would be as usual."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """Options of the command `demo`."""

    servers: int = 200
    latency_ms: tuple[float, float] | None = None
    """Lowest and highest latency, exact; None: the default range, with jitter."""
    loss: float = 0.0
    dead: float = 0.0
    seed: int = 1
    states: bool = False
    """Whether games without queries and servers in rare states are among them, as in the window's demo.

    Networks that are too small have no server in a rare state.
    """
    seconds: float | None = None
    """How long to run; None: until interrupted."""
    until_eof: bool = False
    """End with standard input, and read requests from it (see `run_demo`)."""

    def arguments(self) -> list[str]:
        """Return the command line that gives these options."""
        words = [f"--servers={self.servers}", f"--loss={self.loss!r}", f"--dead={self.dead!r}", f"--seed={self.seed}"]
        if self.latency_ms is not None:
            words.append(f"--latency={self.latency_ms[0]!r}-{self.latency_ms[1]!r}")
        if self.seconds is not None:
            words.append(f"--seconds={self.seconds!r}")
        if self.states:
            words.append("--states")
        if self.until_eof:
            words.append("--until-eof")
        return words


def add_demo_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `demo`."""
    add = parser.add_argument
    default = DemoOptions()
    add(
        "--servers",
        type=_parse_server_count,
        default=default.servers,
        metavar="N",
        help=f"number of servers (default: {default.servers})",
    )
    add("--latency", type=_parse_latency, metavar="MS[-MS]", help="exact ping of the servers: one for all, or a range")
    add(
        "--loss",
        type=_parse_share,
        default=0.0,
        metavar="F",
        help="share of packets lost in each direction (default: 0)",
    )
    add("--dead", type=_parse_share, default=0.0, metavar="F", help="share of servers that never answer (default: 0)")
    add("--seed", type=int, default=default.seed, metavar="N", help="seed of the random network (default: 1)")
    add(
        "--states",
        action="store_true",
        help="games without queries, too, and one server each in a rare state, such as a suspicious one, as with "
        f"--demo (from {MIN_SERVERS_WITH_STATES} servers on)",
    )
    add("--seconds", type=_parse_seconds, metavar="S", help="end after this time (default: run until Ctrl-C)")
    add("--until-eof", action="store_true", help="end when standard input ends; a line 'report' prints the true pings")


def demo_options_from_args(args: argparse.Namespace) -> DemoOptions:
    """Return the options of parsed arguments."""
    return DemoOptions(
        args.servers, args.latency, args.loss, args.dead, args.seed, args.states, args.seconds, args.until_eof
    )


def _parse_number(text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a number: {text!r}") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be from {low:g} to {high:g}: {text}")
    return value


def _parse_server_count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"not a whole number: {text!r}")
    return int(_parse_number(text, 1, MAX_DEMO_SERVERS))


_parse_share = partial(_parse_number, low=0, high=1)
_parse_seconds = partial(_parse_number, low=0, high=1e6)


def _parse_latency(text: str) -> tuple[float, float]:
    low, dash, high = text.partition("-")
    first = _parse_number(low, 0, 10_000)
    last = _parse_number(high, 0, 10_000) if dash else first
    if last < first:
        raise argparse.ArgumentTypeError(f"the lower value comes first: {text}")
    return first, last
