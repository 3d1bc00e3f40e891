"""The storage origin: uploads with grants, downloads with links."""
