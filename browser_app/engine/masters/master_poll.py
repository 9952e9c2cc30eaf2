"""One poll of several master servers, each in its own thread."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from browser_app.catalogue.server_info import DescribedServer, QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters.host_limit import PerHostLimit
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter, SteamKeyMissingError, SteamKeyRequest
from browser_app.engine.masters.target_sink import MasterPollContext, TargetSink
from browser_app.engine.network.request_errors import (
    INTERNAL_ERROR_TEXT,
    RequestError,
    RequestTimeoutError,
    UnknownHostError,
)
from browser_app.engine.network.url_redaction import redact_url
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import HostBudget
from browser_app.language import N_, gettext
from browser_app.number_text import decimal_text

_log = logging.getLogger(__name__)

MASTER_TIMEOUT_S = 20.0
"""Time limit per master."""
_START_INTERVAL_S = 0.005
"""Time between the starts of two masters: many at once would take the interpreter from the window."""
_MAX_ERROR_LENGTH = 300
"""Characters of an error text, parts of which may come from a remote host."""
NO_ANSWER_TEXT = N_("no answer within {n} s")
INCOMPLETE_TEXT = N_("incomplete list: timed out after {n} s")


@dataclass(frozen=True, slots=True)
class MasterState:
    """Progress and outcome of one master."""

    url: str
    """As given, with keys redacted."""
    ok: bool = False
    """It delivered a list, perhaps an empty or incomplete one."""
    servers: int = 0
    """Number of servers in its own list that it may list."""
    error: str | None = None
    """Error message for the user; a master that is `ok` may have one."""
    is_done: bool = False
    needs_steam_key: bool = False
    """It failed because the user has no Steam Web API key."""
    is_host_unknown: bool = False
    """It failed because its host name could not be resolved."""


class MasterPoll:
    """One poll of several masters. Thread-safe."""

    def __init__(
        self,
        masters: Sequence[MasterSource],
        on_targets: Callable[[Sequence[QueryTarget]], None],
        *,
        on_described: Callable[[Sequence[DescribedServer]], None] = lambda _: None,
        on_listed: Callable[[str, Sequence[QueryTarget]], None] = lambda *_: None,
        steam_key: SteamKeyGetter = lambda: None,
        on_done: Callable[[], None] = lambda: None,
        timeout_s: float = MASTER_TIMEOUT_S,
        host_limit: PerHostLimit | None = None,
        host_budget: HostBudget | None = None,
    ) -> None:
        """Prepare the poll without starting it.

        Args:
            masters: masters to poll.
            on_targets: receives each batch of servers, in the thread of the master that lists them.
            on_described: receives the descriptions of a batch, before `on_targets`, from masters that send them.
            on_listed: receives each batch of servers with the URL of its master, before `on_targets`.
            steam_key: returns the user's Steam Web API key; called at most once, in its own thread.
            on_done: called when all masters are done, in the last one's thread (in that of `start` without masters).
            timeout_s: time limit for each master.
            host_limit: limit of servers per host, shared by all masters.
            host_budget: packets that a host may get, that of the whole process.
        """
        self._masters = tuple(masters)
        self._on_targets, self._on_described, self._on_done = on_targets, on_described, on_done
        self._on_listed, self._timeout_s = on_listed, timeout_s
        self._context = MasterPollContext(
            host_limit or PerHostLimit(),
            SteamKeyRequest(steam_key),
            host_budget=host_budget or HostBudget(EngineClock()),
        )
        self._cancel_token = self._context.cancel_token
        self._timer = threading.Timer(timeout_s, self._cancel_token.cancel)
        self._is_cancelled = False
        self._lock = threading.Lock()
        self._states = [MasterState(master.url) for master in self._masters]
        self._open_masters = len(self._masters)
        self._finished = threading.Event()

    def start(self) -> None:
        """Poll all masters."""
        if not self._masters:
            self._finish()
            return
        self._timer.daemon = True
        self._timer.start()
        threading.Thread(target=self._start_masters, name="masters", daemon=True).start()

    @property
    def states(self) -> tuple[MasterState, ...]:
        """State of each master, in the order given."""
        with self._lock:
            return tuple(self._states)

    @property
    def is_finished(self) -> bool:
        """Whether all masters are done."""
        return self._finished.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until all are done, at most `timeout` seconds; return whether they are."""
        return self._finished.wait(timeout)

    def cancel(self) -> None:
        """Cancel all masters; no further targets follow."""
        self._is_cancelled = True
        self._cancel_token.cancel()

    def _start_masters(self) -> None:
        """Start the threads of all masters.

        Starting a thread blocks until it runs, which a window must not wait for.
        """
        for index, master in enumerate(self._masters):
            threading.Thread(target=self._run_master, args=(index, master), name=f"master {index}", daemon=True).start()
            self._cancel_token.wait(_START_INTERVAL_S)

    def _run_master(self, index: int, master: MasterSource) -> None:
        def send(targets: Sequence[QueryTarget]) -> None:
            self._on_listed(master.url, targets)
            self._on_targets(targets)
            self._update_state(index, servers=sink.count)

        sink = TargetSink(send, self._context, self._on_described)
        error: str | None = None
        timeout_text: str | None = None
        ok = needs_key = is_host_unknown = False
        try:
            if self._cancel_token.is_cancelled:
                raise RequestError(gettext("cancelled"))
            message = master.poll(sink)
            error = "; ".join(filter(None, [message, *sink.omission_messages])) or None
            ok = True
        except RequestError as failure:
            error = str(failure)
            needs_key = isinstance(failure, SteamKeyMissingError)
            is_host_unknown = isinstance(failure, UnknownHostError)
            timeout_text = error if isinstance(failure, RequestTimeoutError) else None
        except Exception:  # noqa: BLE001 - our own bug with one master's list must not keep the poll from ending
            internal_errors.report("polling a master server", redact_url(master.url))
            error = gettext(INTERNAL_ERROR_TEXT)
        finally:
            if self._cancel_token.is_cancelled:
                ok, error = ok or sink.count > 0, self._stop_reason(sink, timeout_text)
            error = error and error[:_MAX_ERROR_LENGTH]
            self._update_state(
                index,
                ok=ok,
                servers=sink.count,
                error=error,
                is_done=True,
                needs_steam_key=needs_key,
                is_host_unknown=is_host_unknown,
            )
            level = logging.INFO if error and not self._cancel_token.is_cancelled else logging.DEBUG
            _log.log(level, "Master %s: %d servers, %s", redact_url(master.url), sink.count, error or "ok")
            self._finish_master()

    def _stop_reason(self, sink: TargetSink, timeout_text: str | None) -> str:
        if self._is_cancelled:
            return gettext("cancelled")
        if timeout_text:
            return timeout_text
        text = gettext(INCOMPLETE_TEXT if sink.count else NO_ANSWER_TEXT)
        return text.format(n=decimal_text(self._timeout_s))

    def _update_state(self, index: int, **changes: object) -> None:
        with self._lock:
            self._states[index] = replace(self._states[index], **changes)  # type: ignore[arg-type] # its own fields

    def _finish_master(self) -> None:
        with self._lock:
            self._open_masters -= 1
            last = self._open_masters == 0
        if last:
            self._timer.cancel()
            self._finish()

    def _finish(self) -> None:
        try:
            self._on_done()
        finally:
            self._finished.set()


def should_keep_old_list(before: int, state: MasterState) -> bool:
    """Return whether to keep an earlier list of `before` servers.

    It is kept if the new one failed or is empty. Steam returns an empty list, and no error, to clients that poll too
    often: so an empty list after a full one counts as a failure.
    """
    return before > 0 and state.is_done and (not state.ok or state.servers == 0)
