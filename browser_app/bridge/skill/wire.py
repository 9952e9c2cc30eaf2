"""What goes through the pipes between the window and its calculating process."""

import struct
from typing import BinaryIO, NamedTuple

JOB, CANCEL, PROGRESS, DONE, FAILED, CANCELLED = range(6)

_HEAD = struct.Struct(">BQQ")
_PROGRESS = struct.Struct(">qq")


class Message(NamedTuple):
    """`kind` is one of the constants above, `number` the job's."""

    kind: int
    number: int
    payload: bytes = b""


def write(pipe: BinaryIO, message: Message) -> None:
    """Send a message at once.

    Raises:
        OSError: the other end is gone.
    """
    pipe.write(_HEAD.pack(message.kind, message.number, len(message.payload)))
    pipe.write(message.payload)
    pipe.flush()


def read(pipe: BinaryIO) -> Message | None:
    """The next message; None when the other end is gone."""
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, number, length = _HEAD.unpack(head)
    payload = pipe.read(length)
    return Message(kind, number, payload) if len(payload) == length else None


def progress(number: int, done: int, total: int) -> Message:
    """How far a job is."""
    return Message(PROGRESS, number, _PROGRESS.pack(done, total))


def progress_of(message: Message) -> tuple[int, int]:
    """What `progress` was given."""
    done, total = _PROGRESS.unpack(message.payload)
    return int(done), int(total)
