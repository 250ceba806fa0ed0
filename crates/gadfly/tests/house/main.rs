//! What is true of the house and should stay so: who uses whom, what is pure, and counts that may only fall.

mod code;
mod ratchet;
mod rooms;
