"""Random numbers of counters: words, and distributions of them."""
