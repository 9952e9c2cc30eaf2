"""Services of Debian packages, which must not start.

None starts while packages are installed; those of test programs stay off.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from devtools.file_lock import hold_file_lock
from devtools.setup_messages import SetupError

SYSTEM_ROOT = Path("/")
_POLICY = Path("usr", "sbin", "policy-rc.d")
_SAVED_POLICY = Path("usr", "sbin", "policy-rc.d.before-ready-room")
_LOCK = Path("run", "ready-room-installation.lock")
_POLICY_MARKER = "# Written by Ready Room's packaging/dev.py for the time of an installation."
_ACTION_FORBIDDEN = 101
"""Exit status of `policy-rc.d` that forbids an action (invoke-rc.d(8))."""
_SCRIPT = f"""\
#!/bin/sh
{_POLICY_MARKER}
flock --nonblock {{lock}} true || exit {_ACTION_FORBIDDEN}
# No installation is running; this file was left behind by one that was killed.
[ -x {{saved}} ] && exec {{saved}} "$@"
exit 0
"""
_UNIT = re.compile(r"(?:/usr)?/lib/systemd/system/([\w.@:-]+\.(?:service|socket|timer|path))")
_INIT_SCRIPT = re.compile(r"/etc/init\.d/([\w.+-]+)")


@contextmanager
def prevent_service_starts(on_wait: Callable[[], None]) -> Iterator[int]:
    """Prevent services from starting during the context.

    Yields a descriptor that the installing program has to inherit. Debian's packages run `policy-rc.d` before they
    start a service (see invoke-rc.d(8)). The one written here denies it for as long as the lock is held, by this
    process or by an apt-get that outlives it. The administrator's own is put back afterwards; after a crash, by the
    next installation.
    """
    policy, saved = SYSTEM_ROOT / _POLICY, SYSTEM_ROOT / _SAVED_POLICY
    with hold_file_lock(SYSTEM_ROOT / _LOCK, on_wait) as lock:
        _restore_policy(policy, saved)
        if os.path.lexists(policy):
            policy.replace(saved)
        draft = policy.with_name(f"{policy.name}.new")
        draft.write_text(_SCRIPT.format(lock=shlex.quote(str(SYSTEM_ROOT / _LOCK)), saved=shlex.quote(str(saved))))
        draft.chmod(0o755)
        draft.replace(policy)
        try:
            yield lock
        finally:
            _restore_policy(policy, saved)


def _restore_policy(policy: Path, saved: Path) -> None:
    if policy.is_file() and _POLICY_MARKER in policy.read_text(errors="replace"):
        policy.unlink()
    if os.path.lexists(saved) and not os.path.lexists(policy):
        saved.replace(policy)


def disable_services(packages: Iterable[str]) -> None:
    """Let no service of installed packages start with the system.

    Raises:
        SetupError: the system's own tools failed.
    """
    files = _list_files(packages)
    _systemctl("disable", _match_names(files, _UNIT))
    for script in _match_names(files, _INIT_SCRIPT):
        _run("update-rc.d", script, "disable")


def find_enabled_services(packages: Iterable[str]) -> list[str]:
    """Return the services of packages that start with the system."""
    folder = SYSTEM_ROOT / "etc" / "systemd" / "system"
    services = [unit for unit in _match_names(_list_files(packages), _UNIT) if unit.endswith(".service")]
    return [unit for unit in services if any(os.path.lexists(link / unit) for link in folder.glob("*.wants"))]


def mask_units(packages: Iterable[str]) -> list[str]:
    """Prevent all units of installed packages from starting.

    Returns those that were not masked before.

    Raises:
        SetupError: systemctl failed.
    """
    units = [unit for unit in _match_names(_list_files(packages), _UNIT) if not _is_masked(unit)]
    _systemctl("mask", units)
    return units


def unmask_units(units: Sequence[str]) -> None:
    """Let units be started again.

    Raises:
        SetupError: systemctl failed.
    """
    _systemctl("unmask", [unit for unit in units if _is_masked(unit)])


def _list_files(packages: Iterable[str]) -> list[str]:
    results = [subprocess.run(["dpkg", "-L", name], capture_output=True, text=True, check=False) for name in packages]
    return [line for each in results for line in each.stdout.splitlines()]


def _match_names(files: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    return [match[1] for file in files if (match := pattern.fullmatch(file))]


def _is_masked(unit: str) -> bool:
    link = SYSTEM_ROOT / "etc" / "systemd" / "system" / unit
    return link.is_symlink() and str(link.readlink()) == os.devnull


def _systemctl(verb: str, units: Sequence[str]) -> None:
    if units:
        _run("systemctl", "--quiet", verb, *units)


def _run(program: str, *arguments: str) -> None:
    """Run a program of the service manager, if this system has that one."""
    if shutil.which(program) is None:
        return
    result = subprocess.run(
        [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise SetupError(f"{shlex.join([program, *arguments])} failed: {result.stderr.strip()}")
