"""Jobs done in a process of its own, one at a time: the window keeps its frames while ratings are calculated."""

import os
import pickle
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.bridge.skill import wire
from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.shown import Work
from browser_app.bridge.skill.wire import CANCEL, CANCELLED, DONE, FAILED, JOB, PROGRESS, Message
from browser_app.bridge.turns import leaving_turns
from browser_app.language import gettext as _
from browser_app.own_process import own_process

_Result = TypeVar("_Result")

COMMAND: Final = own_process("browser_app.bridge.skill.child", "ready-room-worker")


@dataclass
class _Asked:
    number: int
    job: Job[Any]
    then: Callable[[Any], object]


class Worker(QObject):
    """Does jobs in the order in which they were asked for; of two of a kind only the newer is done.

    Jobs that give way come last, and are begun again when another one came in between.

    The process is started with the first job and ends with `close`, or with this process, however that ends.

    Signals:
        progressed: a `Work` while a job is in hand that is not quiet, None when there is none any more.
        failed: the job's word (`Job.what`), and why it has no result.
    """

    progressed = Signal(object)
    failed = Signal(str, str)
    _heard = Signal(object, object)

    def __init__(self, parent: QObject | None = None, command: tuple[str, ...] = COMMAND) -> None:
        super().__init__(parent)
        self._command = command
        self._child: subprocess.Popen[bytes] | None = None
        self._listener: threading.Thread | None = None
        self._waiting: list[_Asked] = []
        self._in_hand: _Asked | None = None
        self._last = 0
        self._told = False
        self._closed = False
        self._heard.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._begin)

    def ask(self, job: Job[_Result], then: Callable[[_Result], object]) -> None:
        """Have a job done and `then` called with its result, on the window's thread; not after `close`."""
        if self._closed:
            return
        self._last += 1
        asked = _Asked(self._last, job, then)
        self._waiting = [each for each in self._waiting if each.job.what != job.what]
        self._waiting.append(asked)
        in_hand = self._in_hand
        if in_hand is not None and in_hand.job.what == job.what:
            self._drop()
        elif in_hand is not None and in_hand.job.gives_way and not job.gives_way:
            self._drop()
            self._last += 1  # what it still tells under its old number is not heard
            self._waiting.append(replace(in_hand, number=self._last))
        self._waiting.sort(key=lambda each: each.job.gives_way)
        self._go_on()

    def cancel(self, what: str | None = None) -> None:
        """Nobody wants the jobs of this word any more, None: nor any other."""
        self._waiting = [each for each in self._waiting if what is not None and each.job.what != what]
        if self._in_hand is not None and what in (None, self._in_hand.job.what):
            self._drop()
        self._go_on()

    def is_busy(self, what: str) -> bool:
        """Whether a job of this word is in hand or waits."""
        return any(each.job.what == what for each in (*self._waiting, self._in_hand) if each is not None)

    def close(self) -> None:
        """End the process; no signal follows."""
        self._closed = True
        self._turn.stop()
        self._waiting, self._in_hand = [], None
        child, self._child = self._child, None
        if child is not None:
            _end(child)
        if self._listener is not None:
            self._listener.join()
            self._listener = None

    def _go_on(self) -> None:
        """The next job is begun in a turn of its own: to start the process for it takes as long as half a frame."""
        if self._in_hand is None:
            self._tell(self._waiting[0].job if self._waiting else None)
            self._turn.start()

    def _begin(self) -> None:
        if self._in_hand is not None or not self._waiting:
            return
        self._in_hand = asked = self._waiting.pop(0)
        try:
            self._send(Message(JOB, asked.number, pickle.dumps(asked.job)))
        except OSError as error:
            if self._child is None:  # else the listener finds its end
                self._give_up(error.strerror or str(error))

    def _tell(self, job: Job[Any] | None, done: int = 0, total: int = 0) -> None:
        work = None if job is None or job.quiet else Work(job.what, done, total)
        if work is not None or self._told:
            self._told = work is not None
            self.progressed.emit(work)

    def _drop(self) -> None:
        """What it tells from now on is not heard; the next job waits in its pipe for the few moments until it ends."""
        asked, self._in_hand = self._in_hand, None
        if asked is not None:
            with suppress(OSError):
                self._send(Message(CANCEL, asked.number))

    def _send(self, message: Message) -> None:
        if self._child is None:
            self._child = child = _start(self._command)
            self._listener = threading.Thread(target=self._listen, args=(child,), name="ratings", daemon=True)
            self._listener.start()
        wire.write(_pipe(self._child.stdin), message)

    # In the listener's thread

    def _listen(self, child: subprocess.Popen[bytes]) -> None:
        with _pipe(child.stdout) as told:
            while (message := wire.read(told)) is not None:
                self._heard.emit(message, self._result(message))
        self._heard.emit(None, child)

    def _result(self, message: Message) -> object:
        """Unpacked here: a hundred thousand rounds would be a dropped frame there."""
        asked = self._in_hand
        if message.kind != DONE or asked is None or asked.number != message.number:
            return None
        with leaving_turns():
            try:
                return asked.job.unpack(message.payload)
            except ValueError as error:
                return error

    # On the window's thread

    def _hear(self, message: Message | None, result: object) -> None:
        if self._closed:
            return
        if message is None:
            self._ended(result)
            return
        asked = self._in_hand
        if asked is None or asked.number != message.number or message.kind == CANCELLED:
            return
        if message.kind == PROGRESS:
            self._tell(asked.job, *wire.progress_of(message))
            return
        self._in_hand = None
        if message.kind == FAILED:
            self.failed.emit(asked.job.what, message.payload.decode(errors="replace"))
        elif isinstance(result, ValueError):
            self.failed.emit(asked.job.what, str(result))
        else:
            asked.then(result)
        self._go_on()

    def _ended(self, child: object) -> None:
        """The process is gone, by a fault of its own or killed; the next job starts another one."""
        if child is not self._child or self._child is None:
            return
        status = _end(self._child)
        self._child = None
        self._give_up(_("the calculating process has ended (exit status {status})").format(status=status))

    def _give_up(self, why: str) -> None:
        asked, self._in_hand = self._in_hand, None
        if asked is not None:
            self.failed.emit(asked.job.what, why)
            self._go_on()


def _start(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (our own program)
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0 if os.name == "posix" else None,  # Ctrl-C is for us; it ends with its standard input
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end(child: subprocess.Popen[bytes]) -> int:
    """Its exit status. It has nothing that is worth finishing."""
    with suppress(OSError):
        _pipe(child.stdin).close()
    child.kill()
    return child.wait()


def _pipe(pipe: Any) -> BinaryIO:
    assert pipe is not None  # noqa: S101 (it was opened as a pipe)
    stream: BinaryIO = pipe
    return stream
