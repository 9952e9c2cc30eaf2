"""Demo network in a child process: sources, report, end with its parent."""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from measurements import best_of
from timeouts import LIMIT_S, wait_until
from udp_client import INFO, UdpClient

from browser_app.demo.demo_options import DemoOptions, add_demo_arguments, demo_options_from_args
from browser_app.demo.demo_process import DemoProcess
from browser_app.demo.sockets.loopback_sockets import DemoError
from browser_app.protocols.address import parse_address

pytestmark = pytest.mark.linux

COMMAND = (
    sys.executable,
    "-c",
    "import argparse, sys\n"
    "from browser_app.demo.demo_runner import run_demo\n"
    "from browser_app.demo.demo_options import add_demo_arguments, demo_options_from_args\n"
    "parser = argparse.ArgumentParser()\n"
    "add_demo_arguments(parser)\n"
    "run_demo(demo_options_from_args(parser.parse_args()), sys.stdout)\n",
)


def processor_s(pid: int) -> float:
    """What the process has used of the processor."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def gone(pid: int) -> bool:
    """Return whether the process ends.

    One whose exit status nobody has read counts as ended.
    """

    def ended() -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    return wait_until(ended)


@pytest.mark.parametrize(
    "options",
    [
        DemoOptions(),
        DemoOptions(servers=7, latency_ms=(40.0, 40.0), loss=0.03, dead=0.25, seed=9, seconds=1.5, until_eof=True),
        DemoOptions(latency_ms=(0.1, 1e3)),
    ],
)
def test_options_round_trip(options: DemoOptions) -> None:
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    assert demo_options_from_args(parser.parse_args(options.arguments())) == options


@pytest.mark.parametrize(
    ("text", "latency"), [("40", (40.0, 40.0)), ("20-180", (20.0, 180.0)), ("0.5-0.5", (0.5, 0.5))]
)
def test_latency_number_or_range(text: str, latency: tuple[float, float]) -> None:
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    assert demo_options_from_args(parser.parse_args(["--latency", text])).latency_ms == latency


@pytest.mark.parametrize(
    "words",
    [
        ["--servers=0"], ["--servers=many"], ["--servers=1.5"], ["--latency=x"], ["--latency=180-20"],
        ["--latency=-5"], ["--loss=1.1"], ["--dead=nan"], ["--seconds=-1"], ["--seed=1.5"],
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_demo_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(words)
    assert "error: argument" in capsys.readouterr().err


def test_child_reports_true_pings() -> None:
    with DemoProcess(DemoOptions(servers=60, latency_ms=(3.0, 9.0), seed=5), COMMAND) as demo:
        assert len(demo.sources.servers) == 60
        assert demo.sources.seed == 5
        pings = {}
        with UdpClient() as client:
            for url in demo.sources.servers:
                if url.startswith(("quake3:", "darkplaces:")):
                    address = parse_address(url.split("://")[1])
                    sent_ns = client.send(b"\xff\xff\xff\xffgetstatus", address)
                    pings[str(address)] = (client.receive(1)[0].received_ns - sent_ns) / 1e6
        report = demo.report()
        assert len(pings) > 10
        assert report["replies"] == len(pings)
        assert report["pings_ms"].keys() == pings.keys()
        longer = [ping - report["pings_ms"][address][-1] for address, ping in pings.items()]
        assert min(longer) >= 0
        assert statistics.median(longer) < 5
        assert demo.report()["requests"] == len(pings)


def test_answers_thousands_per_second() -> None:
    def work_s() -> float:
        """Of the processor, for each query: whatever else the machine does."""
        with DemoProcess(DemoOptions(servers=2000, latency_ms=(20.0, 20.0)), COMMAND) as demo, UdpClient() as client:
            urls = [url for url in demo.sources.servers if url.startswith(("a2s:", "quake3:"))]
            addresses = [parse_address(url.split("://")[1]) for url in urls]
            begin = time.monotonic()
            worked_s = processor_s(demo.pid)
            received = 0
            for number, address in enumerate(addresses):
                client.send(INFO if urls[number].startswith("a2s") else b"\xff\xff\xff\xffgetstatus", address)
                if number % 10 == 0:
                    received += len(client.receive(1000, max(0.0, begin + number / 2500 - time.monotonic())))
            received += len(client.receive(len(addresses) - received))
            assert received == len(addresses)
            return (processor_s(demo.pid) - worked_s) / received

    assert best_of(work_s, 1 / 2000) < 1 / 2000


def test_program_itself_is_child() -> None:
    with DemoProcess(DemoOptions(servers=12)) as demo:
        assert len(demo.sources.servers) == 12
        assert demo.report()["requests"] == 0


def test_close_ends_child_soon() -> None:
    def took_s() -> float:
        demo = DemoProcess(DemoOptions(servers=10), COMMAND)
        begin = time.monotonic()
        demo.close()
        demo.close()
        ended = time.monotonic()
        assert gone(demo.pid)
        with pytest.raises(DemoError, match="has ended"):
            demo.report()
        return ended - begin

    assert best_of(took_s, 1) < 1


def test_failed_start_is_error() -> None:
    with pytest.raises(DemoError, match="did not start"):
        DemoProcess(command=(sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.raises(DemoError, match="did not start"):
        DemoProcess(command=(sys.executable, "-c", "print('[1]')"))


def test_child_ends_with_parent() -> None:
    script = (
        "import sys, time\n"
        "from browser_app.demo.demo_options import DemoOptions\n"
        "from browser_app.demo.demo_process import DemoProcess\n"
        f"demo = DemoProcess(DemoOptions(servers=5), {COMMAND!r})\n"
        "print(demo.pid, flush=True)\n"
        "time.sleep(120)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    assert gone(pid)


def test_demo_ends_by_time() -> None:
    begin = time.monotonic()
    command = [*COMMAND, "--servers=5", "--seconds=0.3"]
    done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    assert time.monotonic() - begin > 0.3
    assert len(json.loads(done.stdout)["servers"]) == 5


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, -signal.SIGINT)])
def test_it_ends_at_signal(number: signal.Signals, status: int) -> None:
    with subprocess.Popen(
        [*COMMAND, "--servers=5"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline()
        child.send_signal(number)
        assert child.wait(LIMIT_S) == status


def test_folder_files_are_no_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "random", "browser_app"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    monkeypatch.chdir(tmp_path)
    with DemoProcess(DemoOptions(servers=3)) as demo:
        assert len(demo.sources.servers) == 3
