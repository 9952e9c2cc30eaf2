"""Importers of other programs' server lists."""
