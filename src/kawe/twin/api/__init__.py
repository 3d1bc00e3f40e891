"""The API origin: who is let in, what is read of a request, what is answered."""
