"""Programs that tests talk to: none becomes a service, all can be removed.

apt, dpkg and the service managers are fakes that work in a folder.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from devtools import apt_packages, debian_services, dev_commands, npm_peers, peer_installer, unpacked_peers
from devtools.file_lock import hold_file_lock
from devtools.peer_installer import install_peers, remove_peers
from devtools.setup_messages import SetupError
from devtools.system_dependencies import SystemDependency

pytestmark = pytest.mark.linux

FAKE_PROGRAM = f"""#!{sys.executable} -IS
import os, pathlib, sys

root = pathlib.Path(os.environ["FAKE_ROOT"])
status, wants = root / "status", root / "etc/systemd/system/multi-user.target.wants"
program, words = pathlib.Path(sys.argv[0]).name, [word for word in sys.argv[1:] if not word.startswith("-")]
with open(root / "log", "a") as log:
    print(program, *sys.argv[1:], file=log)
verb, names = words[0] if words else "", words[1:]
parts = {{"game-server": ["game-server", "game-data"], "tool": ["tool"]}}

def policy():
    helper = root / "usr/sbin/policy-rc.d"
    return os.waitstatus_to_exitcode(os.system(f"{{helper}} game-server start")) if helper.exists() else 0

def installed():
    return {{path.name for path in status.iterdir()}}

if program == "apt-get" and verb == "install":
    coming = [part for name in names for part in parts.get(name, ()) if part not in installed()]
    if "--simulate" in sys.argv:
        print("Inst old [1.0] (1.1 Debian [all])", *(f"Inst {{each}} (1.0 Debian [all])" for each in coming), sep="\\n")
    elif not set(names) <= parts.keys():
        sys.exit(100)
    else:
        for each in coming:
            (status / each).touch()
        if "game-server" in coming:
            (wants / "game-server.service").symlink_to("/lib/systemd/system/game-server.service")
            if policy() == 0:
                (root / "started").touch()
        if os.environ.get("KILL_PARENT"):
            os.kill(os.getppid(), 9)
            (root / "policy-of-orphan").write_text(str(policy()))
elif program == "apt-get" and verb == "purge":
    going = [*names, *(["game-mod"] if "game-data" in names and "game-mod" in installed() else [])]
    if "--simulate" in sys.argv:
        print(*(f"Purg {{each}} [1.0]" for each in going), sep="\\n")
    else:
        for each in going:
            (status / each).unlink()
elif program == "apt-get" and verb == "download":
    if (root / "download-fails").exists():
        sys.exit("an error of apt-get")
    for each in names:
        pathlib.Path(f"{{each}}_1.0_all.deb").touch()
elif program == "dpkg-deb":
    file = pathlib.Path("usr/lib/games/redeclipse/redeclipse-server")
    file.parent.mkdir(parents=True)
    file.touch()
elif program == "dpkg-query":
    for name in sys.argv[4:] or sorted(installed()):  # without names it lists all
        print(name, "installed" if name in installed() else "not-installed")
elif program == "dpkg" and "game-server" in words:
    print("/lib/systemd/system/game-server.service", "/lib/systemd/system/game-server@.service",
          "/etc/init.d/game-server", "/lib/systemd/system/game-server.service.d/a.conf", sep="\\n")
elif program == "npm":
    if (root / "npm-fails").exists():
        sys.exit("an error of npm")
elif program == "systemctl":
    for name in names:
        unit = root / "etc/systemd/system" / name
        if verb == "mask":
            unit.symlink_to("/dev/null")
        elif verb == "unmask":
            unit.unlink()
        elif verb == "disable":
            (wants / name).unlink(missing_ok=True)
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root folder of a system that lacks three packages."""
    for folder in ("bin", "run", "usr/sbin", "status", "etc/systemd/system/multi-user.target.wants"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("apt-get", "dpkg", "dpkg-deb", "dpkg-query", "systemctl", "update-rc.d", "npm"):
        (tmp_path / "bin" / name).write_text(FAKE_PROGRAM)
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("FAKE_ROOT", str(tmp_path))
    monkeypatch.setattr(debian_services, "SYSTEM_ROOT", tmp_path)
    monkeypatch.setattr(apt_packages, "is_root", lambda: True)
    names = ("game-server", "tool", "unavailable")
    dependencies = [SystemDependency(name, name, False, (tmp_path / "status" / name).exists) for name in names]
    monkeypatch.setattr(peer_installer, "list_peer_dependencies", lambda: dependencies)
    return tmp_path


def logged_calls(root: Path, program: str) -> list[str]:
    lines = (root / "log").read_text().splitlines()
    return [line.removeprefix(f"{program} ") for line in lines if line.startswith(f"{program} ")]


def unit_links(root: Path) -> dict[str, str]:
    """Return the targets of all links below `etc/systemd/system`."""
    folder = root / "etc/systemd/system"
    return {str(path.relative_to(folder)): str(path.readlink()) for path in folder.rglob("*") if path.is_symlink()}


def test_no_service_starts_or_is_enabled(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_policy = root / "usr/sbin/policy-rc.d"
    own_policy.write_text("#!/bin/sh\nexit 0\n")
    own_policy.chmod(0o755)
    assert dev_commands.main(["peers"]) == 0
    assert not (root / "started").exists()
    assert unit_links(root) == {"game-server.service": "/dev/null", "game-server@.service": "/dev/null"}
    assert logged_calls(root, "update-rc.d") == ["game-server disable"]
    assert own_policy.read_text() == "#!/bin/sh\nexit 0\n"
    assert [path.name for path in own_policy.parent.iterdir()] == [own_policy.name]
    assert "Without unavailable:" in capsys.readouterr().err
    assert dev_commands.main(["peers"]) == 0  # again: no service is left to disable
    assert len(logged_calls(root, "systemctl")) == 3


def test_remove_removes_only_what_was_added(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "status/tool").touch()  # by somebody else
    masked_before = root / "etc/systemd/system/game-server@.service"
    masked_before.symlink_to("/dev/null")
    install_peers()
    assert (root / "status/game-data").exists()
    (root / "status/game-mod").touch()
    with pytest.raises(SetupError, match="game-mod, installed since"):
        remove_peers()
    assert (root / "status/game-server").exists()
    (root / "status/game-mod").unlink()
    assert dev_commands.main(["peers", "--remove"]) == 0
    assert {path.name for path in (root / "status").iterdir()} == {"tool"}
    assert unit_links(root) == {"game-server@.service": "/dev/null"}
    assert "Removed: game-data, game-server." in capsys.readouterr().err
    remove_peers()
    assert "nothing to remove" in capsys.readouterr().err


def test_killed_installation_is_repaired(root: Path) -> None:
    policy = root / "usr/sbin/policy-rc.d"
    script = (
        "import os, pathlib; from devtools import apt_packages, debian_services, peer_installer\n"
        "from devtools.system_dependencies import SystemDependency\n"
        "debian_services.SYSTEM_ROOT = pathlib.Path(os.environ['FAKE_ROOT'])\n"
        "apt_packages.is_root = lambda: True\n"
        "missing = SystemDependency('game-server', 'game-server', False, lambda: False)\n"
        "peer_installer.list_peer_dependencies = lambda: [missing]\n"
        "peer_installer.install_peers()"
    )
    environ = {**os.environ, "PYTHONPATH": str(Path(peer_installer.__file__).parents[1]), "KILL_PARENT": "1"}
    killed = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    with hold_file_lock(root / debian_services._LOCK, lambda: None):  # when apt-get has ended
        assert (root / "policy-of-orphan").read_text() == "101"
    assert not (root / "started").exists()
    assert subprocess.run([policy, "another", "start"], check=False).returncode == 0
    (root / "status/tool").touch()
    install_peers()
    assert not policy.exists()
    assert unit_links(root)["game-server.service"] == "/dev/null"
    assert "multi-user.target.wants/game-server.service" not in unit_links(root)
    remove_peers()
    assert {path.name for path in (root / "status").iterdir()} == {"tool"}


def test_service_of_others_is_only_reported(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("game-server", "game-data", "tool"):
        (root / "status" / name).touch()
    link = root / "etc/systemd/system/multi-user.target.wants/game-server.service"
    link.symlink_to("/lib/systemd/system/game-server.service")
    install_peers()
    assert link.is_symlink()
    assert "systemctl disable --now game-server.service\n" in capsys.readouterr().err
    assert logged_calls(root, "systemctl") == []


def test_npm_packages_are_installed_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = root / npm_peers.NPM_FOLDER
    (root / "npm-fails").touch()
    install_peers()
    assert "npm ci failed. The end of its output:\n    an error of npm\n" in capsys.readouterr().err
    (root / "npm-fails").unlink()
    install_peers()
    install_peers()
    assert logged_calls(root, "npm") == ["ci --ignore-scripts --no-audit --no-fund --loglevel=error"] * 2
    for name in ("package.json", "package-lock.json"):
        assert (folder / name).read_bytes() == (npm_peers.PINS_FOLDER / name).read_bytes()
    (folder / "installed-lock.json").write_text("{}")  # of an older checkout
    install_peers()
    assert len(logged_calls(root, "npm")) == 3
    remove_peers()
    assert not folder.exists()
    assert "Removed: packages from npm." in capsys.readouterr().err


def test_npm_packages_have_hashes() -> None:
    lock = json.loads((npm_peers.PINS_FOLDER / "package-lock.json").read_text("utf-8"))
    manifest = json.loads((npm_peers.PINS_FOLDER / "package.json").read_text("utf-8"))
    project, *others = lock["packages"].values()
    assert project["dependencies"] == manifest["dependencies"]
    assert all(each["integrity"].startswith("sha512-") and "resolved" not in each for each in others)


def test_packages_are_unpacked_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, server = root / unpacked_peers.UNPACKED_FOLDER, unpacked_peers.program_path("redeclipse-server")
    (root / "download-fails").touch()
    install_peers()
    assert "Without redeclipse-server:" in (error_output := capsys.readouterr().err)
    assert "\n    an error of apt-get\n" in error_output
    (root / "download-fails").unlink()
    (folder / "redeclipse-server.new").mkdir()  # of an installation that was killed
    install_peers()
    install_peers()
    assert server.is_file()
    assert {path.name for path in folder.iterdir()} == {".lock", "redeclipse-server"}
    assert logged_calls(root, "apt-get").count("-q download redeclipse-server") == 2
    remove_peers()
    assert not folder.exists()
    assert "Removed: unpacked packages." in capsys.readouterr().err


def test_unreadable_record_is_kept(root: Path) -> None:
    record = root / peer_installer.RECORD_FILE
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"packages": 3}))
    with pytest.raises(SetupError, match="cannot be read"):
        install_peers()
    assert record.read_text() == '{"packages": 3}'


def test_without_root_only_advice(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(apt_packages, "is_root", lambda: False)
    install_peers()
    assert "apt-get install game-server tool unavailable" in capsys.readouterr().err
    assert not (root / "log").exists()
