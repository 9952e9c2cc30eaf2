"""URLs that may be shown and logged."""

import re

_SECRET_PARAMETER = re.compile(r"(?i)([a-z_-]{0,40}(?:key|token|password|secret)=)[^&#\s]*")
"""The length limit at its start prevents quadratic matching time on long texts."""
_USER_INFO = re.compile(r"(//)[^/?#@]*@")


def redact_url(url: str) -> str:
    """Return a URL that may be shown: keys and passwords are replaced."""
    return _USER_INFO.sub(r"\1…@", _SECRET_PARAMETER.sub(r"\1…", url))
