"""Pages for people, from templates: each is one file that asks nobody else."""
