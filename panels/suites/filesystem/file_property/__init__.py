"""Files that are sorted by what the file system says of them: what tasks share."""
