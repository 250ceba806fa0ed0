//! The file of a recorded run: what is written is what is read, whatever happens to it in between.

mod damage;
mod document;
mod given;
mod kept;
mod more;
mod recording;
mod round_trip;
