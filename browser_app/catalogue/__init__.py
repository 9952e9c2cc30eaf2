"""All known servers as numpy columns; merging answers; the filter language; orders."""
