"""The command that builds packages: arguments, tools and errors."""

import json
import os
import sys
from pathlib import Path

import pytest
from devtools import command_line
from devtools.checkout import ROOT
from devtools.errors import SetupError
from devtools.packages import environment, kinds
from devtools.packages.build import Build, commit_named, export
from devtools.trials import command_line as trials
from devtools.trials.trial import Trial, require, run


@pytest.fixture
def build(tmp_path: Path) -> Build:
    environ = {**os.environ, "PYTHONSTARTUP": "x", "SOURCE_DATE_EPOCH": "1"}
    return Build(tmp_path, tmp_path, tmp_path, Path(sys.executable), "1.2", 1_700_000_000, environ)


def test_tools_get_commit_time(build: Build) -> None:
    seen = json.loads(
        build.run(build.python, "-c", "import json, os; print(json.dumps(dict(os.environ)))", EXTRA="yes")
    )
    assert (seen["SOURCE_DATE_EPOCH"], seen["PYTHONHASHSEED"], seen["TZ"]) == ("1700000000", "0", "UTC")
    assert (seen["EXTRA"], "PYTHONSTARTUP" in seen) == ("yes", False)


def test_failed_tool_shows_output(build: Build) -> None:
    with pytest.raises(SetupError, match="no such luck"):
        build.run(build.python, "-c", "import sys; sys.exit('no such luck')")


def test_missing_tool_is_named(build: Build) -> None:
    with pytest.raises(SetupError, match="xyzzy is needed"):
        build.run("xyzzy")


@pytest.mark.linux
@pytest.mark.parametrize("name", ["windows", "macos"])
def test_error_names_system_to_use(build: Build, name: str) -> None:
    with pytest.raises(SetupError, match="is made on"):
        kinds.KINDS[name](build)


def test_packages_in_table_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, Path, str]] = []

    def recorder(name: str) -> object:
        def make(build: Build) -> list[Path]:
            made.append((name, build.out, build.version))
            return [build.out / name]

        return make

    source = tmp_path / "source"
    (source / "browser_app").mkdir(parents=True)
    (source / "browser_app" / "__init__.py").write_text('"""It."""\n\n__version__ = "7.8"\n')
    compiled = source / "packaging" / "compile_translations.py"
    compiled.parent.mkdir()
    compiled.write_text("import pathlib; pathlib.Path('compiled').touch()")
    monkeypatch.setattr(kinds, "KINDS", {name: recorder(name) for name in ("a", "b", "c")})
    monkeypatch.setattr(environment, "prepare", lambda: Path(sys.executable))
    monkeypatch.setattr(kinds, "export", lambda commit, into: (source, 1))
    out = tmp_path / "out"
    assert kinds.make(["c", "a"], "HEAD", out) == [out / "a", out / "c"]
    assert made == [("a", out, "7.8"), ("c", out, "7.8")]
    assert (source / "compiled").exists()


@pytest.mark.parametrize("program", [lambda words: command_line.main(["package", *words]), trials.main])
def test_unknown_name_is_refused(program: object, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        program(["rpm", "--out", str(tmp_path / "out")])  # type: ignore[operator] # one of the two above
    assert "'rpm'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no git checkout")
def test_only_committed_files(tmp_path: Path) -> None:
    source, epoch = export(commit_named("HEAD"), tmp_path)
    assert (source / "pyproject.toml").is_file()
    assert epoch > 1_700_000_000
    assert not (source / ".venv").exists()
    with pytest.raises(SetupError, match="git says"):
        commit_named("--help")


def test_trial_stops_at_fault(tmp_path: Path) -> None:
    trial = Trial("wheel", [tmp_path / "a.whl", tmp_path / "b.deb"], tmp_path, tmp_path, "1.0")
    assert trial.file("*.deb") == tmp_path / "b.deb"
    require(True, "never told")
    with pytest.raises(SetupError, match="so it is"):
        require(False, "so it is")
    with pytest.raises(SetupError, match="ended with 3"):
        run([sys.executable, "-c", "import sys; sys.exit(3)"])
    assert run([sys.executable, "-c", "print('ü')"], env={**os.environ, "PYTHONUTF8": "1"}) == "ü\n"
