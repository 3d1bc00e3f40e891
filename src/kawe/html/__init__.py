"""Pages of kawe, from templates: files that ask nobody else, and those of the desk."""
