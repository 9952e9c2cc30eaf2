"""Why a text that a strict reader refused is no JSON, as well as can be told."""

import json
import math
from collections.abc import Iterator
from typing import Any

from browser_app.rounds.errors import FieldError


def no_json(text: bytes, error: Exception) -> FieldError:
    """What is wrong with a text, at its key or column. Some programs write NaN, which JSON cannot say."""
    try:
        for path, value in _leaves(json.loads(text), ""):
            if isinstance(value, float) and not math.isfinite(value):
                return FieldError(path or "round", f"{value} is not a number")
    except json.JSONDecodeError as place:
        return FieldError(f"column {place.colno}", f"is not JSON: {place.msg}")
    except UnicodeDecodeError as place:
        return FieldError(f"byte {place.start + 1}", "is not UTF-8")
    except (ValueError, RecursionError) as place:
        return FieldError("round", f"is not JSON: {place}")
    return FieldError("round", f"is not JSON: {error}")


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}[{number}]")
    else:
        yield path, value
