"""Papers as web pages: what the tasks of this category share."""
