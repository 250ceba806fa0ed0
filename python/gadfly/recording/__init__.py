"""What is recorded: which code is suspected, what the recorder must know of it, and events inside of functions."""
