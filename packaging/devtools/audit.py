"""Known vulnerabilities of the pinned packages, from the OSV database.

One request names all pins, and one more per vulnerability found tells which version fixes it
(https://google.github.io/osv.dev/post-v1-querybatch/). The last answer is kept: for a day, longer without a network.
"""

import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import quote

from devtools import stamp
from devtools.checkout import BUILD_REQUIREMENTS, DEV_REQUIREMENTS, ROOT, RUNTIME_REQUIREMENTS
from devtools.system import say

ACCEPTED: Mapping[str, str] = {}
"""Reason by ID of a vulnerability that does not concern this project or has no fix yet."""

SERVICE = "https://api.osv.dev"
LIMIT_S = 20.0
"""For all requests together; the other checks take as long."""
REQUEST_LIMIT_S = 8.0
MAX_ANSWER_BYTES = 4 << 20
DAY_S = 86_400.0
REQUIREMENTS = (RUNTIME_REQUIREMENTS, DEV_REQUIREMENTS, BUILD_REQUIREMENTS)
LAST_ANSWER = ROOT / "build" / "vulnerabilities.json"
_MAX_PAGES = 5
_PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)

Pin = tuple[str, str]
"""Name and version of a package."""


@dataclass(frozen=True)
class Vulnerability:
    """One known vulnerability of one pinned package."""

    package: str
    version: str
    names: Sequence[str]
    """Its ID in OSV, then those in other databases."""
    fixed_in: Sequence[str]
    """Versions; empty if there is none yet."""
    summary: str

    def __str__(self) -> str:
        others = f" ({', '.join(self.names[1:])})" if self.names[1:] else ""
        fix = f"fixed in {', '.join(self.fixed_in)}" if self.fixed_in else "no fixed version yet"
        return f"{self.package} {self.version}: {self.names[0]}{others}, {fix}: {self.summary}"


class Audit:
    """A query for all pins that runs in the background from its creation."""

    def __init__(
        self,
        requirements: Sequence[Path] = REQUIREMENTS,
        service: str = SERVICE,
        last_answer: Path = LAST_ANSWER,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._requirements, self._service = requirements, service
        self._last_answer, self._ends = last_answer, time.monotonic() + limit_s
        self._found: list[Vulnerability] | None = None
        self._problem = f"no answer from {service} within {limit_s:g} s"
        # A daemon thread: one that hangs in a name lookup must not keep the command from ending.
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def report(self) -> bool:
        """Wait for the answer and print it; return whether all is well.

        Waits no longer than the time limit. Without an answer nothing is known to be wrong.
        """
        self._thread.join(max(0.0, self._ends - time.monotonic()))
        if self._found is None:
            say(f"Known vulnerabilities of the pinned packages were not checked: {self._problem}.")
            return True
        found = [each for each in self._found if not ACCEPTED.keys() & set(each.names)]
        if found:
            say("Pinned packages with known vulnerabilities:\n" + "\n".join(f"  {each}" for each in found))
            say("Raise the pins, or accept one with a reason in packaging/devtools/audit.py.")
        return not found

    def _run(self) -> None:
        pins = stamp.digest(self._requirements)
        asked_at, self._found = self._read_last_answer(pins)
        if 0 <= time.time() - asked_at < DAY_S:
            return
        try:
            found = query(_pins_of(self._requirements), self._service)
        except (OSError, HTTPException) as error:
            self._problem = f"{self._service} cannot be reached ({getattr(error, 'reason', None) or error})"
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._problem = f"{self._service} answered something else than expected ({error!r})"
        else:
            self._found = found
            with suppress(OSError):  # it is only asked once more
                self._save_answer(pins, found)

    def _read_last_answer(self, pins: str) -> tuple[float, list[Vulnerability] | None]:
        """Return time and content of the last answer for these pins, or None."""
        with suppress(OSError, KeyError, TypeError, ValueError):  # none yet, or of another version of this module
            kept = json.loads(self._last_answer.read_text(encoding="utf-8"))
            if kept["pins"] == pins:
                return float(kept["time"]), [Vulnerability(**each) for each in kept["found"]]
        return 0.0, None

    def _save_answer(self, pins: str, found: Iterable[Vulnerability]) -> None:
        content = {"pins": pins, "time": time.time(), "found": [asdict(each) for each in found]}
        self._last_answer.parent.mkdir(exist_ok=True)
        draft = self._last_answer.with_suffix(".new")
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(self._last_answer)


def _pins_of(requirements: Iterable[Path]) -> list[Pin]:
    texts = (path.read_text(encoding="utf-8") for path in requirements)
    return sorted({(name, version) for text in texts for name, version in _PIN.findall(text)})


def query(pins: Sequence[Pin], service: str) -> list[Vulnerability]:
    """Ask the service which pins have known vulnerabilities.

    Each vulnerability is returned once, under any of its IDs.

    Raises:
        OSError, HTTPException: the service cannot be reached.
        AttributeError, KeyError, TypeError, ValueError: its answer is not of the documented form.
    """
    found: list[Vulnerability] = []
    for name, version, number in _matches(pins, service):
        entry = _request(f"{service}/v1/vulns/{quote(number, safe='')}")
        names = [entry["id"], *entry.get("aliases", ())]
        known = any(name == other.package and set(names) & set(other.names) for other in found)
        if not known and "withdrawn" not in entry:
            found.append(Vulnerability(name, version, names, _fixed_in(entry, name), entry.get("summary", "")))
    return found


def _matches(pins: Sequence[Pin], service: str) -> Iterator[tuple[str, str, str]]:
    """Yield name and version of each vulnerable pin with the ID of a vulnerability."""
    queries: list[dict[str, Any]] = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pins
    ]
    for _page in range(_MAX_PAGES):
        answer = _request(f"{service}/v1/querybatch", json.dumps({"queries": queries}).encode())
        further = []
        for each, result in zip(queries, answer["results"], strict=True):
            for vulnerability in result.get("vulns", ()):
                yield each["package"]["name"], each["version"], vulnerability["id"]
            if result.get("next_page_token"):
                further.append({**each, "page_token": result["next_page_token"]})
        if not further:
            return
        queries = further
    raise ValueError("pages without end")


def _fixed_in(entry: Mapping[str, Any], package: str) -> list[str]:
    """Return the versions of a package that fix a vulnerability.

    Ranges of commits are left out: their ends are hashes.
    """
    affected = (each for each in entry.get("affected", ()) if each["package"]["name"].lower() == package.lower())
    ranges = (part for each in affected for part in each.get("ranges", ()) if part["type"] == "ECOSYSTEM")
    return list(dict.fromkeys(event["fixed"] for part in ranges for event in part["events"] if "fixed" in event))


def _request(url: str, body: bytes | None = None) -> dict[str, Any]:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - https, see SERVICE
    with urllib.request.urlopen(request, timeout=REQUEST_LIMIT_S) as response:  # noqa: S310
        content = response.read(MAX_ANSWER_BYTES + 1)
    if len(content) > MAX_ANSWER_BYTES:
        raise ValueError("too long")
    answer = json.loads(content)
    if not isinstance(answer, dict):
        raise TypeError("not an object")
    return answer
