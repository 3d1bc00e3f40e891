"""What several commands use: options, questions, progress, notices."""
