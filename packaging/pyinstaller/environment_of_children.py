"""Environment of child processes of the frozen program, above all games.

PyInstaller's bootloader puts the folder's libraries and Qt plugins before the system's, in variables that every child
inherits; a game would load them instead of its own. The program itself does not need the variables any more: the loader
has read them, and PySide6 sets Qt's plugin path. See "LD_LIBRARY_PATH / LIBPATH considerations" in PyInstaller's
manual.
"""

from collections.abc import MutableMapping

_LIBRARIES = "LD_LIBRARY_PATH"
_QT = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH")
_MARKS = "_PYI_"
"""With these variables, a child from the same folder would not set the library path itself."""


def give_back(environ: MutableMapping[str, str]) -> None:
    """Undo what the bootloader has set."""
    marks = [name for name in environ if name.startswith(_MARKS)]
    for name in (_LIBRARIES, *_QT, *marks):
        environ.pop(name, None)
    before = environ.pop(f"{_LIBRARIES}_ORIG", None)
    if before is not None:
        environ[_LIBRARIES] = before
