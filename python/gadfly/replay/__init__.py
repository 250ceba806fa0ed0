"""A program that is run again up to a call, and what is asked about that call."""
