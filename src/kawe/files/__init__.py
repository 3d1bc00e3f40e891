"""The person's files: finding attachments, writing exports safely."""
