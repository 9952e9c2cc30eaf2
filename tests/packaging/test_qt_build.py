"""The Qt binding that is pinned keeps count of `None`.

PySide6 6.12.0 takes a reference to `None` away with most calls that return nothing; on Python 3.11 the process aborts
after some thousands of them. This can go when Python 3.11 is no longer supported: from 3.12 on `None` is immortal.
"""

import sys

import pytest
from PySide6.QtCore import QObject

CALLS = 2000


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal in this Python")
def test_void_calls_keep_references_to_none() -> None:
    qt_object = QObject()
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        qt_object.setObjectName("name")
    assert abs(sys.getrefcount(None) - before) < CALLS // 10
