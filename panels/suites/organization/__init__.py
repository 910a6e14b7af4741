"""File organization: how many files, into how many levels of date-based folders."""
