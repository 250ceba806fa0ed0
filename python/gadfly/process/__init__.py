"""The debugged process and its forked copies: what they share, what each has of its own, and how they end."""
