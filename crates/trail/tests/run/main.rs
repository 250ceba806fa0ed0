//! The file of a recorded run: what is written is what is read, whatever happens to it in between.

mod damage;
mod given;
mod round_trip;
