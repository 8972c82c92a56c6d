"""Calls over a grid of shapes, what bounds their time, and the mechanisms by which some take longer."""
