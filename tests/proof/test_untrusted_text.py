"""Texts from servers never become a path, a command, a request, SQL or markup.

The whole program runs with a hook on Python's audit events: a server's text in one of them is a failure.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_app.demo.demo_network import DemoNetwork
from browser_app.paths import UserPaths
from browser_app.protocols.address import Address
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_storage import UserStorage

MARK = "STRANGERSWORD"
WATCHED = """
import sys
found = open(sys.argv[1], "w", buffering=1)
def watch(event, arguments):
    if event.startswith(("object.", "sys.", "import", "code.", "marshal.", "gc.")):
        return
    try:
        words = repr(arguments)
    except Exception:
        return
    away = event == "socket.connect" and isinstance(arguments[1], tuple) and not arguments[1][0].startswith("127.")
    if "STRANGERSWORD" in words or away:
        found.write(f"{event} {words[:300]}\\n")
from browser_app.app import run_program
sys.addaudithook(watch)
status = run_program(sys.argv[2:])
sys.exit(status)
"""


@pytest.fixture(scope="module")
def listener() -> Iterator[socket.socket]:
    """A web server to which nobody may come."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


@pytest.fixture(scope="module")
def network(listener: socket.socket) -> Iterator[DemoNetwork]:
    where = f"127.0.0.1:{listener.getsockname()[1]}"
    words = (
        f'<img src="http://{where}/{MARK}.png">',
        f"../../../{MARK}",
        f"$(touch {MARK}) `{MARK}` ;{MARK} |{MARK}",
        f"'); DROP TABLE notes; -- {MARK}",
        f"readyroom://join?server=a2s://{where}&{MARK}",
        f"%s%n{{}}{MARK}{{0.__class__}}",
        f"//{where}/{MARK}",
    )
    with DemoNetwork(14, (1.0, 5.0), simulate_players=False, seed=3) as network:
        for number, server in enumerate(network.servers):
            text = words[number % len(words)]
            server.state.name = server.state.map = text
            for person in server.state.players:
                person.name = person.unique_name = text
        yield network


def watched(network: DemoNetwork, home: Path, *words: str) -> tuple[str, bytes]:
    """Return the untrusted text in an event, and the output of the program."""
    log = home.with_name("events")
    servers = [f"--server={url}" for url in network.sources.servers]
    environment = {**os.environ, "READY_ROOM_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(log), *words, *servers],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return log.read_text(encoding="utf-8"), done.stdout


def no_connection(listener: socket.socket) -> bool:
    try:
        listener.accept()
    except BlockingIOError:
        return True
    return False


def test_command_line_ignores_it(network: DemoNetwork, listener: socket.socket, home: Path) -> None:
    events, printed = watched(network, home, "list", "--format=json")
    assert events == ""
    assert printed.count(MARK.encode()) >= len(network.servers)
    assert no_connection(listener)


def test_window_ignores_it(network: DemoNetwork, listener: socket.socket, home: Path) -> None:
    picture = home.with_name("window.png")
    events, _ = watched(network, home, "screenshot", str(picture))
    assert events == ""
    assert picture.stat().st_size > 10_000
    assert no_connection(listener)


HOSTILE = f"'); DROP TABLE notes; --\0\udc80\" {MARK} %s ?1 :x"
AT = Address("192.0.2.7", 27015)


def test_text_is_never_sql(home: Path) -> None:
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    clean = HOSTILE.replace("\0", "").replace("\udc80", "")
    with UserStorage(paths) as storage:
        before = _schema(storage)
        storage.notes.set(AT, clean).result()
        storage.favourites.add(Favourite(AT, clean, 1.0)).result()
        storage.friends.add_all([Friend(FriendKind.NAME, clean, "friends", 1.0)]).result()
        storage.saved_filters.save(clean[:20], "full")
        storage.database.flush()
    with UserStorage(paths) as storage:
        assert storage.problems == []
        assert storage.notes.all() == {AT: clean}
        assert [favourite.name for favourite in storage.favourites] == [clean]
        assert [friend.value for friend in storage.friends] == [clean]
        assert _schema(storage) == before


def _schema(storage: UserStorage) -> list[str]:
    found: list[str] = storage.database.read(
        lambda connection: [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema ORDER BY name")]
    )
    return found
