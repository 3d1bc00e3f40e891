"""What several commands use: options, words, progress, exit codes, notices."""
