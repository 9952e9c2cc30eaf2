"""Python's full garbage collections, put off while a list fills.

One walks through every object while all threads stand still: 60 ms with 20,000 servers, and a list that grows brings
several. What servers told holds no cycles, so putting it off keeps hardly anything in memory.
"""

import gc
import threading

_NEVER = 1_000_000

_lock = threading.Lock()
_users = 0
_usual = gc.get_threshold()


def put_off() -> None:
    """None from now on; undone by as many calls of `allow`."""
    global _users, _usual  # noqa: PLW0603 - the collector is the process's
    with _lock:
        if _users == 0:
            _usual = gc.get_threshold()
            gc.set_threshold(*_usual[:2], _NEVER)
        _users += 1


def allow() -> None:
    """The last of those who put them off lets Python decide again."""
    global _users  # noqa: PLW0603 - the collector is the process's
    with _lock:
        _users -= 1
        if _users == 0:
            gc.set_threshold(*_usual)
