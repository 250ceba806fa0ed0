//! Tells the compiler which Python this is for.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
