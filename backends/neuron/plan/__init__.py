"""Planning: pending nodes become stages, and stages a frozen plan."""
