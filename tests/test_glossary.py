"""Guide, modules and glossary in `browser_app/` name things that exist."""

import ast
import fnmatch
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "browser_app"


def read_document(name: str) -> str:
    return (PACKAGE / name).read_text(encoding="utf-8")


def undefined_names(names: set[str]) -> set[str]:
    """Return the names of no class, function, field, attribute or constant."""
    missing = set(names)
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if missing.isdisjoint(re.findall(r"\w+", text)):
            continue  # parsing takes ten times as long
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Name(id=name) | ast.arg(arg=name):
                    missing.discard(name)
                case ast.Attribute(attr=name):
                    missing.discard(name)
    return missing


def glossary_names() -> set[str]:
    rows = [line.split("|") for line in read_document("GLOSSARY.md").splitlines() if line.startswith("| ")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row[3])}


def walk_names() -> set[str]:
    walks = read_document("README.md").partition("\n## Three walks")[2].partition("\n## ")[0]
    return set(re.findall(r"`(\w+)`", walks))


def test_names_exist() -> None:
    names = glossary_names()
    assert len(names) > 50
    assert undefined_names(names | walk_names()) == set()


def test_paths_exist() -> None:
    text = read_document("README.md") + read_document("MODULES.md")
    paths = set(re.findall(r"`([a-z_]+/(?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`", text))
    folders = PACKAGE, PACKAGE.parent
    assert [path for path in sorted(paths) if not any((folder / path).exists() for folder in folders)] == []


def test_folders_hold_named_modules() -> None:
    table = read_document("MODULES.md").partition("\n## Where is what?")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) > 50
    missing, covered = list[str](), set[Path]()
    for _, where, what, _ in rows:
        folders = [PACKAGE / folder.removeprefix("browser_app/") for folder in re.findall(r"`([a-z_0-9/]+/)`", where)]
        names = re.findall(r"`([a-z_0-9*]+/?)`", what)
        folders += [folder / name for folder in folders for name in names if (folder / name).is_dir()]
        covered.update(folders)
        modules = {path.stem for folder in folders for path in folder.glob("*.py")}
        missing += [name for name in names if not name.endswith("/") and not fnmatch.filter(modules, name)]
    assert missing == []
    assert {path.parent for path in PACKAGE.rglob("*.py")} - covered == set()
