"""Reasons of file errors, in the language of the window."""

import errno
import os

import pytest

from browser_app.file_errors import _REASONS, file_error_text


@pytest.mark.usefixtures("german_language")
def test_common_reasons_are_translated() -> None:
    errors = [OSError(number, os.strerror(number)) for number in _REASONS]
    assert not {file_error_text(error) for error in errors} & {error.strerror for error in errors}


@pytest.mark.usefixtures("german_language")
def test_other_reason_is_unchanged() -> None:
    assert file_error_text(OSError(errno.EISDIR, "more than 8 MB")) == "more than 8 MB"
    assert file_error_text(OSError("no number")) == "no number"
