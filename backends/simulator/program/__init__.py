"""Programs: what a traced kernel becomes."""
