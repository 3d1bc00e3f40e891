"""The person's files: finding attachments, writing exports safely.

What cannot be written raises `ResultNotWritable`; of a watch's memory, `JournalError`.
"""
