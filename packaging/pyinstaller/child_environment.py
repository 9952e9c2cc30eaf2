"""Environment of child processes of the frozen program, above all games.

PyInstaller's bootloader puts the folder's libraries and Qt plugins before the system's, in variables that every child
inherits; a game would load them instead of its own. The program itself does not need the variables any more: the loader
has read them, and PySide6 sets Qt's plugin path. See "LD_LIBRARY_PATH / LIBPATH considerations" in PyInstaller's
manual.
"""

from collections.abc import MutableMapping

_LIBRARY_PATH = "LD_LIBRARY_PATH"
_QT_PATHS = ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH")
_BOOTLOADER_PREFIX = "_PYI_"
"""Prefix of variables with which a child from the same folder would not set the library path itself."""


def restore_environment(environ: MutableMapping[str, str]) -> None:
    """Undo what the bootloader has set."""
    bootloader_names = [name for name in environ if name.startswith(_BOOTLOADER_PREFIX)]
    for name in (_LIBRARY_PATH, *_QT_PATHS, *bootloader_names):
        environ.pop(name, None)
    original = environ.pop(f"{_LIBRARY_PATH}_ORIG", None)
    if original is not None:
        environ[_LIBRARY_PATH] = original
