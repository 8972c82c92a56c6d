"""Libraries that take arrays of any kind: for each a table of checks on Arrays, and what runs array-api-extra's own tests."""
