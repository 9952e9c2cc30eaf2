"""Reasons of file errors, in the language of the window."""

import errno
import os
from collections.abc import Iterator

import pytest

from browser_app.file_errors import _REASONS, file_error_text
from browser_app.language import ENGLISH, set_language
from browser_app.paths import resource_folder


@pytest.fixture
def german() -> Iterator[None]:
    set_language(resource_folder() / "languages", "de")
    yield
    set_language(resource_folder() / "languages", ENGLISH)


@pytest.mark.usefixtures("german")
def test_common_reasons_are_translated() -> None:
    errors = [OSError(number, os.strerror(number)) for number in _REASONS]
    assert not {file_error_text(error) for error in errors} & {error.strerror for error in errors}


@pytest.mark.usefixtures("german")
def test_own_reason_stays() -> None:
    assert file_error_text(OSError(errno.EISDIR, "more than 8 MB")) == "more than 8 MB"
    assert file_error_text(OSError("no number")) == "no number"
