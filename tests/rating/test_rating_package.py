"""The rating package alone: its docstring example.

numpy is its only dependency.
"""

import doctest
import subprocess
import sys

import pytest

import browser_app.rating
from browser_app.rating import ParameterError, create_rating_system

_IMPORT_ALL = """
import importlib, pkgutil, sys

class ImportBlocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in ("browser_app", "numpy"):
            raise ImportError(f"{name} is not to be needed")

sys.meta_path.insert(0, ImportBlocker())
import browser_app.rating
for module in pkgutil.walk_packages(browser_app.rating.__path__, "browser_app.rating."):
    importlib.import_module(module.name)
others = {name.split(".")[1] for name in sys.modules if name.startswith("browser_app.")} - {"rating"}
assert not others, others
"""


def test_docstring_example() -> None:
    assert doctest.testmod(browser_app.rating) == doctest.TestResults(failed=0, attempted=7)


@pytest.mark.slow
def test_needs_only_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", _IMPORT_ALL], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_create_rating_system() -> None:
    assert create_rating_system("trueskill2", "classic", beta=2.0).parameters.number("m0") == 25.0
    assert create_rating_system("trueskill2", "classic", beta=2.0).parameters.number("beta") == 2.0
    with pytest.raises(KeyError):
        create_rating_system("chess")
    with pytest.raises(ParameterError, match="no such parameter"):
        create_rating_system("ns2", beta=2.0)
