"""One scan as its owner sees it."""

import threading
import time
from collections import deque
from collections.abc import Callable, Container, Iterable

from browser_app.catalogue.facts import Answer, Status, Target
from browser_app.engine.namings import Namings
from browser_app.engine.pacing import Pace
from browser_app.engine.progress import Counters, Progress
from browser_app.engine.timing import Patience, Timing
from browser_app.engine.udp_sockets import is_loopback
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Want


class Scan:
    """Questions to a list of servers that may still grow. Every method may be called from every thread.

    Each server brings one `Answer`, except those that were still open when the scan was cancelled. A server that is
    given twice is asked once; where it was given with two protocols and fails under the first, it is asked under the
    other too, and brings a second `Answer` if that succeeds.

    Attributes:
        answers: what came, oldest first; drained by one consumer with `popleft`.
        finished: set when no answer will come any more.
    """

    def __init__(
        self,
        pace: Pace,
        want: Want,
        timing: Timing,
        *,
        urgent: bool,
        rules_wanted: Container[str | None],
        changed: Callable[["Scan"], None],
    ) -> None:
        """Made by `Scanner.scan`.

        Args:
            pace: how fast its packets may leave.
            want: what every server is asked for.
            timing: attempts and waits.
            urgent: its packets go before those of other scans.
            rules_wanted: games whose servers are asked for their rules too.
            changed: tells the engine to look at it.
        """
        self.answers: deque[Answer] = deque()
        self.finished = threading.Event()
        self.pace = pace
        self.want = want
        self._want_with_rules = want | Want.RULES
        self.urgent = urgent
        self.sealed = False
        self.cancelled = False
        self.gap_ns = pace.gap_ns
        self.burst = pace.burst
        self.spacing_ns = round(pace.host_spacing_s * 1e9)
        self.counters = Counters()
        self.patience = Patience(timing)
        self.incoming: deque[Target] = deque()
        self.open = 0
        self.over: set[tuple[str, int]] = set()
        self._rules_wanted = rules_wanted
        self._changed = changed
        self._lock = threading.Lock()
        self._namings = Namings()

    def add(self, targets: Iterable[Target]) -> None:
        """More servers to ask. Without effect once the scan was cancelled.

        Raises:
            ValueError: the pace is for servers on this machine, and one of them is not; none was added.
            RuntimeError: the scan is sealed.
        """
        targets = list(targets)
        if self.pace.loopback_only:
            for target in targets:
                if not is_loopback(target.address.host):
                    raise ValueError(f"pace {self.pace.name}: {target.address} is not on this machine")
        with self._lock:
            if self.cancelled:
                return
            if self.sealed:
                raise RuntimeError("a sealed scan takes no more targets")
            self.incoming.extend([target for target in targets if self._namings.ask_now(target)])
            self.counters.targets = len(self._namings)
        self._changed(self)

    def seal(self) -> None:
        """No more targets come: the scan ends with the last answer. A scan that is not sealed never ends by itself."""
        with self._lock:
            self.sealed = True
        self._changed(self)

    def cancel(self) -> None:
        """End it soon, whatever is open; `finished` is set when nothing happens any more."""
        with self._lock:
            self.cancelled = True
        self._changed(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most `timeout` seconds; whether it is."""
        return self.finished.wait(timeout)

    # For the engine's thread

    def want_of(self, target: Target) -> Want:
        """What to ask this server for."""
        return self._want_with_rules if target.game in self._rules_wanted else self.want

    def wants_rules_of(self, game: str | None) -> bool:
        """Servers of this game are asked for their rules too."""
        return game in self._rules_wanted

    def conclude(self, answer: Answer) -> None:
        """A target's answer is there."""
        self.open -= 1
        address = answer.target.address
        under_other_protocol = address in self.over
        if answer.facts is None and under_other_protocol:
            return  # nothing new
        self.answers.append(answer)
        counters = self.counters
        if not under_other_protocol:
            self.over.add(address)
            counters.done += 1
        if answer.facts is None:
            self._ask_otherwise(address)
        else:
            counters.answered += 1
            if answer.ping_ms is not None and not answer.ping_estimated:
                self.patience.learn(answer.ping_ms)

    def _ask_otherwise(self, address: Address) -> None:
        with self._lock:
            other = self._namings.after_failure(address)
            if other is not None:
                self.incoming.append(other)

    def refuse(self, target: Target, error: str) -> None:
        """A target that cannot be asked at all."""
        self.open += 1
        self.conclude(Answer(target, Status.NO_ANSWER, None, error, None, False, 0, time.time()))

    @property
    def complete(self) -> bool:
        """Everything that was given is answered, and nothing more comes."""
        return self.sealed and not self.open and not self.incoming

    def end(self) -> None:
        """Nothing happens any more."""
        self.counters.end()
        self.finished.set()

    @property
    def progress(self) -> Progress:
        """How far it is. Cheap."""
        return self.counters.progress()
