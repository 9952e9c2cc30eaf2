"""Cases of the scan benchmark: networks, and the scanners compared on them."""

import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

LATENCY_MS = 40.0


@dataclass(frozen=True)
class ScanNetwork:
    """A demo network of A2S servers, each with exactly `LATENCY_MS`."""

    servers: int
    loss: float = 0.0
    """Share of exchanges in which the request or its reply is lost."""
    dead: float = 0.0
    challenge: float = 0.0

    @property
    def alive(self) -> int:
        """Servers that can be found."""
        return self.servers - round(self.dead * self.servers)

    @property
    def loss_each_way(self) -> float:
        """Probability that one datagram is lost."""
        return float(1 - (1 - self.loss) ** 0.5)

    @property
    def title(self) -> str:
        """Title of its table."""
        words = [f"{self.servers:,} servers, {LATENCY_MS:g} ms"]
        for share, what in (
            (self.loss, "of exchanges lost"),
            (self.dead, "unresponsive"),
            (self.challenge, "want a challenge"),
        ):
            if share:
                words.append(f"{share * 100:g} % {what}")
        return ", ".join(words)


@dataclass(frozen=True)
class ScannerSetup:
    """A scanner with its settings."""

    name: str
    script: str
    request: Mapping[str, Any] = field(default_factory=dict)
    rounds: int = 1

    @property
    def ours(self) -> bool:
        """Whether the budgets apply to it."""
        return self.script == "scan_own.py"


@dataclass(frozen=True)
class OwnScanOptions:
    """Options of our own scan."""

    pace: str
    load: str = ""


def ours(pace: str, load: str = "", rounds: int = 1) -> ScannerSetup:
    """Return our engine beside a `load`: a busy `thread`, a `window` or nothing."""
    beside = {"": "", "thread": " + busy thread", "window": " + window"}[load]
    return ScannerSetup(f"Ready Room, {pace}{beside}", "scan_own.py", asdict(OwnScanOptions(pace, load)), rounds)


def bare(per_s: int) -> ScannerSetup:
    """Return a loop that only sends and receives: what the system itself costs."""
    return ScannerSetup(f"bare socket loop, {per_s:,}/s", "scan_bare.py", {"per_s": per_s}, 3)


def library(name: str, in_flight: int, limit_s: float = 40.0, rounds: int = 1) -> ScannerSetup:
    """Return a Python library with a number of queries at once, on asyncio."""
    request = {"peer": name, "in_flight": in_flight, "limit_s": limit_s}
    return ScannerSetup(f"{name}, {in_flight} at once", "scan_peers.py", request, rounds)


def quakestat(*options: str, limit_s: float = 20.0) -> list[ScannerSetup]:
    """Return QStat as Debian has it; an empty list where it is not installed."""
    if shutil.which("quakestat") is None:
        return []
    name = " ".join(("quakestat", *options)) if options else "quakestat, defaults"
    return [ScannerSetup(name, "scan_peers.py", {"peer": "quakestat", "options": options, "limit_s": limit_s})]


BURST = ("-maxsim", "100", "-sendinterval", "0")


def all_cases() -> list[tuple[ScanNetwork, list[ScannerSetup]]]:
    """Return every network with its scanners; about five minutes."""
    paces, a2s, opengsq = ("fast", "unlimited"), "python-a2s", "opengsq"
    loads = [ours(pace, load, rounds=3) for load in ("", "thread", "window") for pace in paces]
    peers = [library(a2s, 100, rounds=3), library(a2s, 500, rounds=3), library(opengsq, 100, rounds=3)]
    both = [ours(pace) for pace in paces]
    return [
        (ScanNetwork(2000), [*loads, bare(1000), bare(8000), *peers, *quakestat(*BURST), *quakestat(limit_s=30.0)]),
        (ScanNetwork(2000, challenge=0.6), [*both, library(a2s, 100)]),
        (ScanNetwork(2000, loss=0.03), [*both, library(a2s, 100), library(opengsq, 100), *quakestat(*BURST)]),
        (
            ScanNetwork(2000, dead=0.3),
            [*both, library(a2s, 100), library(a2s, 500), library(opengsq, 100), *quakestat(*BURST)],
        ),
        (ScanNetwork(10_000), [*both, library(a2s, 100), library(a2s, 500), library(opengsq, 100), *quakestat(*BURST)]),
        (ScanNetwork(10_000, loss=0.03, dead=0.3), [*both, library(a2s, 500)]),
    ]


def quick_cases() -> list[tuple[ScanNetwork, list[ScannerSetup]]]:
    """Return the same budgets with fewer peers and one round; about a minute."""
    loads = [ours(pace, load) for load in ("", "thread", "window") for pace in ("fast", "unlimited")]
    return [
        (ScanNetwork(2000), [*loads, bare(8000), library("python-a2s", 100), library("opengsq", 100)]),
        (ScanNetwork(2000, loss=0.03), [ours("unlimited"), library("python-a2s", 100)]),
        (ScanNetwork(2000, dead=0.3), [ours("fast")]),
        (ScanNetwork(10_000), [ours("unlimited")]),
    ]
