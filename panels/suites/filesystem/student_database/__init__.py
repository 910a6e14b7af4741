"""Student records: what the tasks of this category share."""
