import re
import threading
import time

import pytest
from fake_masters import fake_lookups
from timeouts import LIMIT_S

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network import host_resolver as resolve_module
from browser_app.engine.network.host_resolver import (
    MAX_ADDRESSES_PER_HOST,
    MAX_LOOKUP_THREADS,
    resolve_host,
    resolve_hosts,
    resolve_named_targets,
    system_lookup,
)
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address


def table(host: str) -> list[str]:
    addresses = {"both.example": ["2001:db8::1", "192.0.2.1"], "one.example": ["192.0.2.2"], "none.example": []}
    if host not in addresses:
        raise OSError("no such host")
    return addresses[host]


def test_hosts_have_addresses() -> None:
    hosts = ["one.example", "192.0.2.9", "both.example", "one.example", "lost.example", "none.example", "::1"]
    assert dict(resolve_hosts(hosts, CancelToken(), table)) == {
        "192.0.2.9": ("192.0.2.9",),
        "::1": ("::1",),
        "one.example": ("192.0.2.2",),
        "both.example": ("2001:db8::1", "192.0.2.1"),
        "lost.example": (),
        "none.example": (),
    }


def test_more_names_than_threads() -> None:
    hosts = [f"host{number}.example" for number in range(5 * MAX_LOOKUP_THREADS)]
    addresses = {host: f"192.0.2.{number}" for number, host in enumerate(hosts)}
    found = dict(resolve_hosts(hosts, CancelToken(), lambda host: [addresses[host]]))
    assert found == {host: (addresses[host],) for host in hosts}


def test_impossible_name_is_unknown() -> None:
    assert resolve_host("." + "x" * 70, CancelToken(), system_lookup) == ()


def test_address_is_not_resolved() -> None:
    def never(host: str) -> list[str]:
        raise AssertionError(host)

    assert resolve_host("127.0.0.1", CancelToken(), never) == ("127.0.0.1",)


@pytest.mark.parametrize(
    ("found", "contacted"),
    [
        (["127.0.0.1", "8.8.8.8"], ["8.8.8.8"]),
        (["192.168.1.1", "::1", "2606:4700::1111", "8.8.8.8"], ["2606:4700::1111", "8.8.8.8"]),
        (["127.0.0.1", "192.168.1.1"], ["192.168.1.1"]),
        (["::ffff:127.0.0.1", "::ffff:8.8.8.8"], ["8.8.8.8"]),
        (["::1", "127.0.0.1"], ["::1", "127.0.0.1"]),
        (["no address", "fe80::1%odd:name", "8.8.8.8"], ["8.8.8.8"]),
        (["0.0.0.0", "::", "224.0.0.1", "255.255.255.255"], []),  # noqa: S104
        ([f"8.8.4.{number}" for number in range(200)], [f"8.8.4.{number}" for number in range(MAX_ADDRESSES_PER_HOST)]),
    ],
)
def test_only_most_remote_addresses(found: list[str], contacted: list[str]) -> None:
    assert resolve_host("mixed.example", CancelToken(), lambda _: found) == tuple(contacted)


def test_named_target_follows_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_lookups(monkeypatch, {"mixed.example": [["127.0.0.1", "8.8.8.8"]]})
    target = QueryTarget(Address("mixed.example", 27015), "a2s", None)
    ((_name, resolved),) = resolve_named_targets({"mixed.example": [target]}, CancelToken())
    assert resolved == [target._replace(address=Address("8.8.8.8", 27015), host_name="mixed.example")]


def test_names_are_looked_up_nowhere_else() -> None:
    doors = re.compile(
        r"getaddrinfo|gethostby|getfqdn|create_connection|urlopen|urllib\.request|QHostInfo|QNetworkAccess|Q(?:Tcp|Ssl)Socket"
    )
    own = {"engine/network/host_resolver.py", "engine/network/http_client.py"}
    local = {"commands/display_detection.py", "demo/stand_in_game.py"}  # the display and the demo network
    package = resource_folder().parent / "browser_app"
    found = {
        path.relative_to(package).as_posix() for path in package.rglob("*.py") if doors.search(path.read_text("utf-8"))
    }
    assert found == own | local


def test_slow_name_delays_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve_module, "LOOKUP_TIMEOUT_S", 2 * LIMIT_S)
    release, cancel_token = threading.Event(), CancelToken()

    def look_up(host: str) -> list[str]:
        if host == "slow.example":
            release.wait(2 * LIMIT_S)
        return ["192.0.2.1"]

    found = resolve_hosts(["slow.example", "quick.example"], cancel_token, look_up)
    assert next(found) == ("quick.example", ("192.0.2.1",))
    threading.Timer(0.05, cancel_token.cancel).start()
    began = time.monotonic()
    assert list(found) == []
    assert time.monotonic() - began < LIMIT_S
    release.set()


def test_lookup_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve_module, "LOOKUP_TIMEOUT_S", 0.1)
    release = threading.Event()

    def look_up(host: str) -> list[str]:
        release.wait(LIMIT_S)
        return [host]

    assert resolve_host("slow.example", CancelToken(), look_up) == ()
    release.set()


def test_system_knows_this_machine() -> None:
    assert "127.0.0.1" in system_lookup("localhost")


def test_cancel_wakes_thread() -> None:
    cancel_token, woken = CancelToken(), list[str]()
    with cancel_token.calling_on_cancel(lambda: woken.append("gone before")):
        pass
    with cancel_token.calling_on_cancel(lambda: woken.append("there")):
        cancel_token.cancel()
        cancel_token.cancel()
        assert woken == ["there"]
    with cancel_token.calling_on_cancel(lambda: woken.append("late")):
        assert woken == ["there", "late"]
    assert cancel_token.is_cancelled
    assert cancel_token.wait(0.0)
