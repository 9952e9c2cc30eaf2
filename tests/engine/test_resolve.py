import threading
import time

import pytest
from patience import LIMIT_S

from browser_app.engine import resolve as resolve_module
from browser_app.engine.resolve import AT_ONCE, resolve, resolve_all, system_look_up
from browser_app.engine.stop import Stop


def table(host: str) -> list[str]:
    addresses = {"both.example": ["2001:db8::1", "192.0.2.1"], "one.example": ["192.0.2.2"], "none.example": []}
    if host not in addresses:
        raise OSError("no such host")
    return addresses[host]


def test_each_host_comes_with_its_addresses() -> None:
    hosts = ["one.example", "192.0.2.9", "both.example", "one.example", "lost.example", "none.example", "::1"]
    assert dict(resolve_all(hosts, Stop(), table)) == {
        "192.0.2.9": ("192.0.2.9",),
        "::1": ("::1",),
        "one.example": ("192.0.2.2",),
        "both.example": ("2001:db8::1", "192.0.2.1"),
        "lost.example": (),
        "none.example": (),
    }


def test_more_names_than_threads() -> None:
    hosts = [f"host{number}.example" for number in range(5 * AT_ONCE)]
    found = dict(resolve_all(hosts, Stop(), lambda host: [host.removesuffix(".example")]))
    assert found == {host: (host.removesuffix(".example"),) for host in hosts}


def test_a_name_that_no_dns_can_hold_is_unknown() -> None:
    assert resolve("." + "x" * 70, Stop(), system_look_up) == ()


def test_an_address_is_not_looked_up() -> None:
    def never(host: str) -> list[str]:
        raise AssertionError(host)

    assert resolve("127.0.0.1", Stop(), never) == ("127.0.0.1",)


def test_a_slow_name_holds_up_nobody_else_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve_module, "LIMIT_S", 2 * LIMIT_S)
    release, stop = threading.Event(), Stop()

    def look_up(host: str) -> list[str]:
        if host == "slow.example":
            release.wait(2 * LIMIT_S)
        return ["192.0.2.1"]

    found = resolve_all(["slow.example", "quick.example"], stop, look_up)
    assert next(found) == ("quick.example", ("192.0.2.1",))
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert list(found) == []
    assert time.monotonic() - began < LIMIT_S
    release.set()


def test_looking_up_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve_module, "LIMIT_S", 0.1)
    release = threading.Event()

    def look_up(host: str) -> list[str]:
        release.wait(LIMIT_S)
        return [host]

    assert resolve("slow.example", Stop(), look_up) == ()
    release.set()


def test_the_system_knows_this_machine() -> None:
    assert "127.0.0.1" in system_look_up("localhost")


def test_a_stop_wakes_whoever_waits_and_only_then() -> None:
    stop, woken = Stop(), list[str]()
    with stop.waking(lambda: woken.append("gone before")):
        pass
    with stop.waking(lambda: woken.append("there")):
        stop.set()
        stop.set()
        assert woken == ["there"]
    with stop.waking(lambda: woken.append("late")):
        assert woken == ["there", "late"]
    assert stop.is_set
    assert stop.wait(0.0)
