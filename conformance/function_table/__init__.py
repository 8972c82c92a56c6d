"""The table of functions that suite ``hypothesis`` goes through, and what a row of it is made of."""
