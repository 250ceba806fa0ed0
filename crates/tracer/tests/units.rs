//! Runs the unit tests of what needs no interpreter. The tests are beside the code; but a program cannot be linked with the extension module,
//! whose symbols are the interpreter's, so the files that know nothing of Python are compiled once more here.

#![allow(
    dead_code,
    unsafe_code,
    unused_imports,
    reason = "what the rest of the tracer uses is not used here"
)]

#[path = "../src/hook"]
mod hook {
    pub(crate) mod gate;
    pub(crate) mod native_stack;

    pub(crate) mod events {
        /// As in interpreters that have it.
        pub(crate) const HAS_MONITORING: bool = true;
    }
}

#[path = "../src/values"]
mod values {
    pub(crate) mod array_text;
    pub(crate) mod constructors;
    pub(crate) mod eviction;
    pub(crate) mod records;
}
