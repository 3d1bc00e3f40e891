"""What `kawe export` saves beside papers: the lists of the service."""
