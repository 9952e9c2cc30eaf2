"""What is started from here, games above all, gets the environment that the program was started with.

PyInstaller's start-up puts the folder's libraries and Qt plugins before the system's, in variables that every child
inherits; a game would load them in place of its own. The program itself does not need them any more: the loader has
read its variable when the process began, and PySide6 tells Qt where its plugins are. PyInstaller's manual describes it
under "LD_LIBRARY_PATH / LIBPATH considerations".
"""

from collections.abc import MutableMapping

_LIBRARIES = "LD_LIBRARY_PATH"
_QT = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH")
_MARKS = "_PYI_"
"""By these a child of the same folder would take the libraries for set; without them it sets them itself."""


def give_back(environ: MutableMapping[str, str]) -> None:
    """Undo what the start-up has set."""
    marks = [name for name in environ if name.startswith(_MARKS)]
    for name in (_LIBRARIES, *_QT, *marks):
        environ.pop(name, None)
    before = environ.pop(f"{_LIBRARIES}_ORIG", None)
    if before is not None:
        environ[_LIBRARIES] = before
