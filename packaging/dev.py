"""The one command to set up, run, check and test a checkout of Ready Room.

Needs only Python: `python3 packaging/dev.py --help`.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the one file that an older Python must be able to read
    sys.exit("Ready Room needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031 - see above

from devtools.dev_commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
