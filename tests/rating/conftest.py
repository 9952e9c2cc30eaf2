"""Makes the helpers of this folder importable by the tests in the folders below."""
