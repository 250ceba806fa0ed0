//! Big columns in big pages.
//!
//! A view touches some tens of bytes for every node, each of them for the first time, and the system gives memory page by
//! page: measured here, that takes five times as long as whatever is then done with it. Where the system has larger
//! pages, it is told to use them.

/// Columns of fewer bytes are left as they are.
const BIG: usize = 1 << 22;

/// A column of so many zeros, or whatever the default is.
pub(super) fn column<T: Copy + Default>(count: usize) -> Vec<T> {
    let mut column = vec![T::default(); count];
    if std::mem::size_of_val(&column[..]) >= BIG {
        use_large_pages(&mut column);
    }
    column
}

#[cfg(target_os = "linux")]
fn use_large_pages<T: Copy>(column: &mut [T]) {
    use rustix::mm::{Advice, madvise};
    let page = rustix::param::page_size();
    let start = column.as_mut_ptr() as usize;
    let end = start + std::mem::size_of_val(column);
    let first = start.next_multiple_of(page);
    if let Some(length) = (end & !(page - 1)).checked_sub(first) {
        // SAFETY: The pages are all inside of the column, which is ours alone; the advice changes how they are backed and
        // nothing that can be seen of them. A system that cannot follow it says so, and that does not matter.
        #[allow(unsafe_code)]
        let _ = unsafe { madvise(first as *mut _, length, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn use_large_pages<T: Copy>(_: &mut [T]) {}
