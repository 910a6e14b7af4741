"""Folders within folders: what the tasks of this category share."""
