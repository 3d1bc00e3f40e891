"""What a release consists of: each program here writes a part of it into `dist/`."""
