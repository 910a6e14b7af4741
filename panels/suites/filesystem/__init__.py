"""The filesystem suite; a category is a package, so that its tasks share what they generate."""
