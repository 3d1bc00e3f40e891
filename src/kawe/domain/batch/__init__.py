"""The rows of one workbook together: plans, approvals, outcomes, tokens, waiting."""
