"""One call as a rule sees it: its body and query checked, and what a rule is."""
