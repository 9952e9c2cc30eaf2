"""The packages that users install, each made from the commit and nothing else: the same commit gives the same bytes."""
