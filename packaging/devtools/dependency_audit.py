"""Known vulnerabilities of the pinned packages, from the OSV database.

One request names all pins, and one more per vulnerability tells which version fixes it and whether it was withdrawn
(https://google.github.io/osv.dev/post-v1-querybatch/). The result is cached for a day, longer without a network.
"""

import json
import re
import threading
import time
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import quote

from devtools.checkout import BUILD_REQUIREMENTS, DEV_REQUIREMENTS, ROOT, RUNTIME_REQUIREMENTS
from devtools.setup_messages import print_note
from devtools.venv_stamp import hash_files

ACCEPTED_VULNERABILITIES: Mapping[str, str] = {}
"""Reasons by ID: vulnerabilities that do not concern this project or have no fix yet."""

OSV_URL = "https://api.osv.dev"
AUDIT_TIMEOUT_S = 20.0
"""For all requests together; the other checks take as long."""
REQUEST_TIMEOUT_S = 8.0
MAX_REPLY_BYTES = 4 << 20
CACHE_MAX_AGE_S = 86_400.0
AUDITED_REQUIREMENTS = (RUNTIME_REQUIREMENTS, DEV_REQUIREMENTS, BUILD_REQUIREMENTS)
CACHE_FILE = ROOT / "build" / "vulnerabilities.json"
_MAX_PAGES = 5
_PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)

Pin = tuple[str, str]
"""Name and version of a package."""

Match = tuple[str, str, str]
"""Name and version of a vulnerable package, and the vulnerability's ID."""


@dataclass(frozen=True)
class Vulnerability:
    """One known vulnerability of one pinned package."""

    package: str
    version: str
    ids: Sequence[str]
    """Its ID in OSV, then those in other databases."""
    fixed_versions: Sequence[str] = ()
    summary: str = ""
    has_details: bool = True
    """Whether its entry was read; otherwise only its first ID is known."""

    def __str__(self) -> str:
        if not self.has_details:
            return f"{self.package} {self.version}: {self.ids[0]}, whose details could not be read"
        aliases = f" ({', '.join(self.ids[1:])})" if self.ids[1:] else ""
        fix = f"fixed in {', '.join(self.fixed_versions)}" if self.fixed_versions else "no fixed version yet"
        return f"{self.package} {self.version}: {self.ids[0]}{aliases}, {fix}: {self.summary}"


class DependencyAudit:
    """A query for all pins that runs in the background from its creation."""

    def __init__(
        self,
        requirements: Sequence[Path] = AUDITED_REQUIREMENTS,
        url: str = OSV_URL,
        cache_file: Path = CACHE_FILE,
        timeout_s: float = AUDIT_TIMEOUT_S,
    ) -> None:
        self._requirements, self._url, self._cache_file = requirements, url, cache_file
        self._deadline_s = time.monotonic() + timeout_s
        self._vulnerabilities: list[Vulnerability] | None = None
        self._problem = f"no answer from {url} within {timeout_s:g} s"
        # A daemon thread: one that hangs in a name lookup must not keep the command from ending.
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        self._thread.start()

    def report(self) -> bool:
        """Wait for the result and print it; return whether all is well.

        Waits no longer than the timeout. Without a result nothing is known to be wrong.
        """
        self._thread.join(max(0.0, self._deadline_s - time.monotonic()))
        if self._vulnerabilities is None:
            print_note(f"Known vulnerabilities of the pinned packages were not checked: {self._problem}.")
            return True
        accepted_ids = ACCEPTED_VULNERABILITIES.keys()
        unaccepted = [each for each in self._vulnerabilities if not accepted_ids & set(each.ids)]
        if unaccepted:
            print_note("Pinned packages with known vulnerabilities:\n" + "\n".join(f"  {each}" for each in unaccepted))
            print_note("Raise the pins, or accept one with a reason in packaging/devtools/dependency_audit.py.")
        return not unaccepted

    def _run(self) -> None:
        pins_hash = hash_files(self._requirements)
        cached_at, self._vulnerabilities = self._read_cache(pins_hash)
        if 0 <= time.time() - cached_at < CACHE_MAX_AGE_S:
            return
        try:
            matches = query_matches(_read_pins(self._requirements), self._url)
        except (OSError, HTTPException) as error:
            self._problem = f"{self._url} cannot be reached ({getattr(error, 'reason', None) or error})"
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._problem = f"{self._url} answered something else than expected ({error!r})"
        else:
            self._vulnerabilities = [_without_details(match) for match in matches]  # if details come too late
            self._vulnerabilities = read_details(matches, self._url)
            if all(each.has_details for each in self._vulnerabilities):
                with suppress(OSError):  # without a cache, the next audit queries again
                    self._write_cache(pins_hash, self._vulnerabilities)

    def _read_cache(self, pins_hash: str) -> tuple[float, list[Vulnerability] | None]:
        """Return time and content of the cached result for these pins, or None."""
        with suppress(OSError, KeyError, TypeError, ValueError):  # none yet, or of another version of this module
            cache = json.loads(self._cache_file.read_text(encoding="utf-8"))
            if cache["pins_hash"] == pins_hash:
                return float(cache["time"]), [Vulnerability(**each) for each in cache["vulnerabilities"]]
        return 0.0, None

    def _write_cache(self, pins_hash: str, vulnerabilities: Iterable[Vulnerability]) -> None:
        entries = [asdict(each) for each in vulnerabilities]
        cache = {"pins_hash": pins_hash, "time": time.time(), "vulnerabilities": entries}
        self._cache_file.parent.mkdir(exist_ok=True)
        draft = self._cache_file.with_suffix(".new")
        draft.write_text(json.dumps(cache), encoding="utf-8")
        draft.replace(self._cache_file)


def _read_pins(requirements: Iterable[Path]) -> list[Pin]:
    texts = (path.read_text(encoding="utf-8") for path in requirements)
    return sorted({(name, version) for text in texts for name, version in _PIN.findall(text)})


def query_matches(pins: Sequence[Pin], url: str) -> list[Match]:
    """Query OSV for the known vulnerabilities of pins.

    Raises:
        OSError, HTTPException: OSV cannot be reached.
        AttributeError, KeyError, TypeError, ValueError: its reply is not of the documented form.
    """
    matches: list[Match] = []
    queries: list[dict[str, Any]] = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in pins
    ]
    for _page in range(_MAX_PAGES):
        reply = _request(f"{url}/v1/querybatch", json.dumps({"queries": queries}).encode())
        next_queries = []
        for query, result in zip(queries, reply["results"], strict=True):
            pin = query["package"]["name"], query["version"]
            matches += [(*pin, vulnerability["id"]) for vulnerability in result.get("vulns", ())]
            if result.get("next_page_token"):
                next_queries.append({**query, "page_token": result["next_page_token"]})
        if not next_queries:
            return matches
        queries = next_queries
    raise ValueError("pages without end")


def read_details(matches: Iterable[Match], url: str) -> list[Vulnerability]:
    """Return the vulnerabilities, each once, without withdrawn ones.

    Two that share any of their IDs are one. One whose entry cannot be read is included, for that it concerns the pin is
    known.
    """
    vulnerabilities: list[Vulnerability] = []
    for match in matches:
        try:
            vulnerability = _read_entry(match, _request(f"{url}/v1/vulns/{quote(match[2], safe='')}"))
        except (OSError, HTTPException, AttributeError, KeyError, TypeError, ValueError):
            vulnerability = _without_details(match)
        if vulnerability is not None and not any(
            vulnerability.package == other.package and {*vulnerability.ids} & {*other.ids} for other in vulnerabilities
        ):
            vulnerabilities.append(vulnerability)
    return vulnerabilities


def _without_details(match: Match) -> Vulnerability:
    name, version, vulnerability_id = match
    return Vulnerability(name, version, [vulnerability_id], has_details=False)


def _read_entry(match: Match, entry: Mapping[str, Any]) -> Vulnerability | None:
    """Return the vulnerability that an entry describes; `None` if it was withdrawn."""
    if "withdrawn" in entry:
        return None
    name, version, _vulnerability_id = match
    summary = entry.get("summary") or entry.get("details", "").strip().partition("\n")[0]
    return Vulnerability(name, version, [entry["id"], *entry.get("aliases", ())], _fixed_versions(entry, name), summary)


def _fixed_versions(entry: Mapping[str, Any], package: str) -> list[str]:
    """Return the versions of a package that fix a vulnerability.

    Ranges of commits are left out: their ends are hashes, and they may name no package.
    """
    name = _normalize_name(package)
    affected = (
        each for each in entry.get("affected", ()) if _normalize_name(each.get("package", {}).get("name", "")) == name
    )
    ranges = (part for each in affected for part in each.get("ranges", ()) if part["type"] == "ECOSYSTEM")
    return list(dict.fromkeys(event["fixed"] for part in ranges for event in part["events"] if "fixed" in event))


def _normalize_name(name: str) -> str:
    """Return a package's name as pins have it (PEP 503).

    Entries name it as its authors do, like `jaraco.context`.
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _request(url: str, body: bytes | None = None) -> dict[str, Any]:
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - https, see OSV_URL
    with urllib.request.urlopen(request, timeout=REQUEST_TIMEOUT_S) as response:  # noqa: S310
        content = response.read(MAX_REPLY_BYTES + 1)
    if len(content) > MAX_REPLY_BYTES:
        raise ValueError("too long")
    reply = json.loads(content)
    if not isinstance(reply, dict):
        raise TypeError("not an object")
    return reply
