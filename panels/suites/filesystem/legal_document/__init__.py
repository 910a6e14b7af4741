"""Drafts of one agreement: what the tasks of this category share."""
