"""The command that builds packages: arguments, tools and errors."""

import json
import os
import sys
from pathlib import Path

import pytest
from devtools import dev_commands
from devtools.checkout import ROOT
from devtools.packages import package_kinds, windows_installer
from devtools.packages.package_build import PackageBuild, export_commit, resolve_commit
from devtools.setup_messages import SetupError
from devtools.trials import trial_commands
from devtools.trials.package_trial import PackageTrial, require, run_command


@pytest.fixture
def build(tmp_path: Path) -> PackageBuild:
    environ = {**os.environ, "PYTHONSTARTUP": "x", "SOURCE_DATE_EPOCH": "1"}
    return PackageBuild(tmp_path, tmp_path, tmp_path, Path(sys.executable), "1.2", 1_700_000_000, environ)


def test_tools_get_commit_time(build: PackageBuild) -> None:
    environ = json.loads(
        build.run(build.python, "-c", "import json, os; print(json.dumps(dict(os.environ)))", EXTRA="yes")
    )
    assert (environ["SOURCE_DATE_EPOCH"], environ["PYTHONHASHSEED"], environ["TZ"]) == ("1700000000", "0", "UTC")
    assert (environ["EXTRA"], "PYTHONSTARTUP" in environ) == ("yes", False)


def test_failed_tool_shows_output(build: PackageBuild) -> None:
    with pytest.raises(SetupError, match="no such luck"):
        build.run(build.python, "-c", "import sys; sys.exit('no such luck')")


def test_missing_tool_is_named(build: PackageBuild) -> None:
    with pytest.raises(SetupError, match="xyzzy is needed"):
        build.run("xyzzy")


@pytest.mark.linux
@pytest.mark.parametrize("name", ["windows", "macos"])
def test_error_names_system_to_use(build: PackageBuild, name: str) -> None:
    with pytest.raises(SetupError, match="is made on"):
        package_kinds.PACKAGE_KINDS[name](build)


FAKE_TOOL = """#!/usr/bin/env python3
import json, os, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]) + "\\n")
"""


@pytest.fixture
def staged_build(tmp_path: Path) -> PackageBuild:
    """A build with its program folder, and foreign tools that note their arguments."""
    program = tmp_path / "folder" / "ready-room"
    resources = tmp_path / "folder" / "Ready Room.app" / "Contents" / "Resources"
    tools = tmp_path / "tools"
    for folder in (program, resources, tools):
        folder.mkdir(parents=True)
    for name in ("LICENSE", "THIRD_PARTY.txt"):
        (program / name).write_text(f"Text of {name}")
    for name in ("hdiutil", "codesign", "ISCC"):
        (tools / name).write_text(FAKE_TOOL)
        (tools / name).chmod(0o755)
    environ = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "CALLS": str(tmp_path / "calls")}
    return PackageBuild(tmp_path, tmp_path, tmp_path, Path(sys.executable), "1.2", 1_700_000_000, environ)


def read_calls(build: PackageBuild) -> list[list[str]]:
    return [json.loads(line) for line in (build.work_folder / "calls").read_text().splitlines()]


@pytest.mark.posix
def test_macos_image_has_licences(staged_build: PackageBuild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.setenv("PATH", staged_build.environ["PATH"])
    assert package_kinds.PACKAGE_KINDS["macos"](staged_build) == [staged_build.output_folder / "ready-room-1.2.dmg"]
    image = staged_build.work_folder / "dmg"
    app = image / "Ready Room.app"
    for folder in (image, app / "Contents" / "Resources"):
        assert [(folder / name).read_text() for name in ("LICENSE", "THIRD_PARTY.txt")] == [
            "Text of LICENSE",
            "Text of THIRD_PARTY.txt",
        ]
    sealed, packed = read_calls(staged_build)
    assert (sealed[0], sealed[-1]) == ("codesign", str(app))
    assert packed[0] == "hdiutil"
    assert str(image) in packed


@pytest.mark.posix
def test_windows_installer_has_licences(staged_build: PackageBuild, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Windows")
    monkeypatch.setattr(windows_installer, "draw_icons", lambda build: build.work_folder / "icons")
    monkeypatch.setenv("PATH", staged_build.environ["PATH"])
    package_kinds.PACKAGE_KINDS["windows"](staged_build)
    (call,) = read_calls(staged_build)
    folder = next(word.removeprefix("/DFolder=") for word in call if word.startswith("/DFolder="))
    script = (ROOT / "packaging" / "windows" / "ready-room.iss").read_text("utf-8")
    assert 'Source: "{#Folder}\\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs' in script
    assert "LicenseFile={#Folder}\\LICENSE" in script
    assert sorted(path.name for path in Path(folder).iterdir()) == ["LICENSE", "THIRD_PARTY.txt"]


def test_packages_in_table_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[tuple[str, Path, str]] = []

    def recording_builder(name: str) -> object:
        def record_build(build: PackageBuild) -> list[Path]:
            builds.append((name, build.output_folder, build.version))
            return [build.output_folder / name]

        return record_build

    source = tmp_path / "source"
    (source / "browser_app").mkdir(parents=True)
    (source / "browser_app" / "__init__.py").write_text('"""It."""\n\n__version__ = "7.8"\n')
    compiler = source / "packaging" / "compile_translations.py"
    compiler.parent.mkdir()
    compiler.write_text("import pathlib; pathlib.Path('compiled').touch()")
    monkeypatch.setattr(package_kinds, "PACKAGE_KINDS", {name: recording_builder(name) for name in ("a", "b", "c")})
    monkeypatch.setattr(package_kinds, "prepare_build_venv", lambda: Path(sys.executable))
    monkeypatch.setattr(package_kinds, "export_commit", lambda commit, work_folder: (source, 1))
    output_folder = tmp_path / "out"
    assert package_kinds.build_packages(["c", "a"], "HEAD", output_folder) == [output_folder / "a", output_folder / "c"]
    assert builds == [("a", output_folder, "7.8"), ("c", output_folder, "7.8")]
    assert (source / "compiled").exists()


@pytest.mark.parametrize("program", [lambda words: dev_commands.main(["package", *words]), trial_commands.main])
def test_unknown_name_is_refused(program: object, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        program(["rpm", "--out", str(tmp_path / "out")])  # type: ignore[operator] # one of the two above
    assert "'rpm'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no git checkout")
def test_only_committed_files(tmp_path: Path) -> None:
    source, epoch = export_commit(resolve_commit("HEAD"), tmp_path)
    assert (source / "pyproject.toml").is_file()
    assert epoch > 1_700_000_000
    assert not (source / ".venv").exists()
    with pytest.raises(SetupError, match="git says"):
        resolve_commit("--help")


def test_trial_stops_at_first_fault(tmp_path: Path) -> None:
    trial = PackageTrial("wheel", [tmp_path / "a.whl", tmp_path / "b.deb"], tmp_path, tmp_path, "1.0")
    assert trial.find_package("*.deb") == tmp_path / "b.deb"
    require(True, "never raised")
    with pytest.raises(SetupError, match="a fault"):
        require(False, "a fault")
    with pytest.raises(SetupError, match="ended with 3"):
        run_command([sys.executable, "-c", "import sys; sys.exit(3)"])
    assert run_command([sys.executable, "-c", "print('ü')"], env={**os.environ, "PYTHONUTF8": "1"}) == "ü\n"
