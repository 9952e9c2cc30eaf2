"""Child: prints which readers there are, and which share of the cases each gets."""

import json
import sys

from fuzz_readers import readers

if __name__ == "__main__":
    json.dump({name: reader.share for name, reader in readers().items()}, sys.stdout)
