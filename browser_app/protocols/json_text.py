"""JSON from strangers: parsing it holds up all other threads, so what is sure to be too much is not parsed."""

import json
from typing import Any

MAX_OPENINGS = 4 * 65_536
"""Objects and lists in one document, brackets in texts included: room for 65,536 servers with some of each."""


def read_json(body: bytes | str, *, strict: bool = True) -> Any:
    """Read a document; `strict` as json.loads has it.

    Raises:
        ValueError: it is none, or one of too many parts; the text is one line.
    """
    openings = body.count(b"{") + body.count(b"[") if isinstance(body, bytes) else body.count("{") + body.count("[")
    if openings > MAX_OPENINGS:
        raise ValueError("too many objects and lists")
    try:
        return json.loads(body, strict=strict)
    except (ValueError, RecursionError) as error:
        raise ValueError((str(error).splitlines() or [type(error).__name__])[0]) from None
