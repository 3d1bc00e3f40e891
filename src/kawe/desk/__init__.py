"""A local page for people who open no terminal; it does what the commands do."""
