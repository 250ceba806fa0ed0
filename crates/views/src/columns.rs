//! Big columns.
//!
//! A column's memory is given by the system page by page when it is first touched, which takes about as long as whatever
//! is then done with it. So columns are used again where they can be, and those that will be needed are touched by one
//! thread while another one is still busy.

/// A column of so many zeros.
pub(super) fn column<T: Copy + Default>(count: usize) -> Vec<T> {
    vec![T::default(); count]
}

/// A column of so many zeros whose memory is there.
pub(super) fn ready<T: Copy + Default>(count: usize) -> Vec<T> {
    const PAGE: usize = 1 << 12;
    let mut column = column(count);
    let step = PAGE / size_of::<T>();
    for value in column.iter_mut().step_by(step.max(1)) {
        *std::hint::black_box(value) = T::default();
    }
    column
}
