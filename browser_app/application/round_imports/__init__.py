"""Imports of round files: files chosen by the user and watched folders."""
