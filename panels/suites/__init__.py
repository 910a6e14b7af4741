"""Task suites: folders of tasks, and what their build and verify scripts share."""
