"""What is pasted into a scheduler: when a command runs, and how each writes that."""
