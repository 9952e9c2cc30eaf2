"""Messages between the window and the rating worker."""

import struct
from typing import BinaryIO, NamedTuple

JOB_MESSAGE, CANCEL_MESSAGE, PROGRESS_MESSAGE, DONE_MESSAGE = range(4)
FAILED_MESSAGE, CANCELLED_MESSAGE, CRASHED_MESSAGE = range(4, 7)
"""Kinds of messages. A job fails with a reason for the user; it crashes with a programming error and its traceback."""

_HEADER = struct.Struct(">BQQ")
_PROGRESS_PAYLOAD = struct.Struct(">qq")


class WorkerMessage(NamedTuple):
    """A message; `kind` is one of the constants above."""

    kind: int
    job_number: int
    payload: bytes = b""


def write_message(pipe: BinaryIO, message: WorkerMessage) -> None:
    """Write a message and flush.

    Raises:
        OSError: the other process has ended.
    """
    pipe.write(_HEADER.pack(message.kind, message.job_number, len(message.payload)))
    pipe.write(message.payload)
    pipe.flush()


def read_message(pipe: BinaryIO) -> WorkerMessage | None:
    """Read the next message; None when the other process has ended."""
    header = pipe.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, number, length = _HEADER.unpack(header)
    payload = pipe.read(length)
    return WorkerMessage(kind, number, payload) if len(payload) == length else None


def progress_message(number: int, done: int, total: int) -> WorkerMessage:
    """Return the message that `done` of `total` units of a job's work are done."""
    return WorkerMessage(PROGRESS_MESSAGE, number, _PROGRESS_PAYLOAD.pack(done, total))


def parse_progress(message: WorkerMessage) -> tuple[int, int]:
    """Return `done` and `total` of a progress message."""
    done, total = _PROGRESS_PAYLOAD.unpack(message.payload)
    return int(done), int(total)
