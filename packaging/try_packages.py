"""Build the packages twice and compare them, then install, use and remove each.

Needs what `packaging/dev.py package` needs; pipx for the wheel; root, debootstrap and a Debian mirror for the Debian
package, which is tried in a minimal system; a package index for the licence texts of every system. Takes some minutes.
"""

import sys

from devtools.trials.trial_commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
