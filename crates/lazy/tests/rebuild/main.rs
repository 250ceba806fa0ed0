//! From a trail file alone: what later rooms need of a recorded run, so that nothing is recorded twice.
mod extended;
mod graph;
mod laws;
mod papers;
mod recording;
