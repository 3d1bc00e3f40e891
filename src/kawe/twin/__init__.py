"""The whole service on your own machine."""
