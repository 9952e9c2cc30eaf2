"""The frozen program: processes that it starts do not get its libraries."""

import pytest
from child_environment import restore_environment


@pytest.mark.parametrize("before", [{}, {"LD_LIBRARY_PATH": ""}, {"LD_LIBRARY_PATH": "/opt/lib", "HOME": "/home/it"}])
def test_children_get_original_environment(before: dict[str, str]) -> None:
    environ = dict(before)
    if "LD_LIBRARY_PATH" in environ:
        environ["LD_LIBRARY_PATH_ORIG"] = environ["LD_LIBRARY_PATH"]
    environ |= {
        "LD_LIBRARY_PATH": "/there/_internal",
        "QT_PLUGIN_PATH": "/there/plugins",
        "QML2_IMPORT_PATH": "/there/qml",
    }
    environ |= {"_PYI_ARCHIVE_FILE": "/there/it", "_PYI_PARENT_PROCESS_LEVEL": "1"}
    restore_environment(environ)
    assert environ == before
