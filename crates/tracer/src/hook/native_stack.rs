//! How deep calls may be.
//!
//! A frame that is evaluated through the hook takes room on the native stack, of which frames of the interpreter do not use any
//! from 3.11 on: a recursion of a hundred thousand calls is nothing to it. Calls that are deeper than there is room for must not be
//! evaluated through the hook, so that everybody knows where the room ends. Where the interpreter cannot tell of deep calls
//! ([`crate::hook::events`]), the first thread's stack is let grow while a program is recorded.

/// How many frames may be evaluated one inside of the other, for other reasons than room: 3.12 and 3.13 count them, and take
/// too many for a recursion without end.
pub(crate) const DEEPEST: usize = match (cfg!(Py_3_12), cfg!(Py_3_13), cfg!(Py_3_14)) {
    (true, false, _) => 200,
    (_, true, false) => 2000,
    _ => usize::MAX / 2,
};

/// What is left for everything else.
const LEFT_FOR_OTHERS: usize = 1 << 20;

/// Where a place is on the native stack.
#[inline(always)]
pub(crate) fn here() -> usize {
    let place = 0_u8;
    (&raw const place).addr()
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{Grown, floor};

#[cfg(target_os = "linux")]
mod linux {
    use super::{LEFT_FOR_OTHERS, here};
    use libc::{RLIMIT_STACK, rlimit};
    use std::mem::MaybeUninit;

    /// How far the first thread's stack may grow.
    const LARGEST_STACK: u64 = 1 << 30;
    /// The first thread's stack may grow as long as this is there.
    pub(crate) struct Grown(rlimit);

    impl Grown {
        pub(crate) fn new() -> Option<Grown> {
            let mut before = rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: it is written to what has this form.
            let is_known = unsafe { libc::getrlimit(RLIMIT_STACK, &raw mut before) } == 0;
            if crate::hook::events::HAS_MONITORING || !is_known {
                return None;
            }
            let most = LARGEST_STACK.min(before.rlim_max).min(space_below()?);
            let limit = rlimit { rlim_cur: before.rlim_cur.max(most), ..before };
            let grows = limit.rlim_cur != before.rlim_cur;
            // SAFETY: it only reads the limit.
            (grows && unsafe { libc::setrlimit(RLIMIT_STACK, &raw const limit) } == 0)
                .then_some(Grown(before))
        }
    }

    impl Drop for Grown {
        fn drop(&mut self) {
            // What has grown stays.
            // SAFETY: it only reads the limit.
            unsafe { libc::setrlimit(RLIMIT_STACK, &raw const self.0) };
        }
    }

    /// How large the first thread's stack can get before it comes to something else, half of it left free.
    fn space_below() -> Option<u64> {
        space_below_in(&std::fs::read_to_string("/proc/self/maps").ok()?)
    }

    /// The same from what the system says of a process's memory.
    fn space_below_in(maps: &str) -> Option<u64> {
        let ranges = maps.lines().filter_map(|line| {
            let (start, rest) = line.split_once('-')?;
            let end = rest.split(' ').next()?;
            let [start, end] = [start, end].map(|number| u64::from_str_radix(number, 16).ok());
            Some((start?, end?, line.ends_with("[stack]")))
        });
        let mut below = 0;
        for (_, end, is_stack) in ranges {
            if is_stack {
                return Some((end - below) / 2);
            }
            below = end;
        }
        None
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_stack_may_take_half_of_what_is_below() {
            let maps = "\
                7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /lib/a.so\n\
                7f0000100000-7f0000200000 rw-p 00000000 00:00 0 [stack]\n\
                7f0000300000-7f0000400000 r--p 00000000 00:00 0 [vvar]\n";
            assert_eq!(space_below_in(maps), Some((0x20_0000 - 0x1000) / 2));
        }

        #[test]
        fn where_there_is_no_stack_nothing_is_known() {
            assert_eq!(space_below_in("7f0000000000-7f0000001000 r-xp 00000000 08:01 1 /lib/a.so\n"), None);
            assert_eq!(space_below_in("not a line of it"), None);
        }

        #[test]
        fn a_thread_knows_where_its_own_ends() {
            assert!(floor() < here());
        }
    }

    thread_local! {
        /// What was found out before: to ask the system takes long.
        static FLOOR: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
    }

    /// Where the part of the running thread's stack ends that may be used.
    pub(crate) fn floor() -> usize {
        let floor = FLOOR.get().unwrap_or_else(find_floor);
        FLOOR.set(Some(floor));
        floor
    }

    fn find_floor() -> usize {
        let mut attributes = MaybeUninit::uninit();
        let (mut start, mut size) = (std::ptr::null_mut(), 0);
        // SAFETY: they are used, and let go, only where they were filled.
        unsafe {
            if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0 {
                libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut start, &raw mut size);
                libc::pthread_attr_destroy(attributes.as_mut_ptr());
            }
        }
        match size {
            0 => super::guessed_floor(),
            // Too little to be shared.
            _ if crate::hook::events::HAS_MONITORING && size < 2 * LEFT_FOR_OTHERS => usize::MAX,
            _ => start.addr() + LEFT_FOR_OTHERS.min(size / 2).min(here().saturating_sub(start.addr()) / 2),
        }
    }
}

/// Where there is no way to know: threads have half a megabyte at least, of which much may be in use.
fn guessed_floor() -> usize {
    here().saturating_sub(1 << 18)
}

#[cfg(not(target_os = "linux"))]
pub(crate) use guessed_floor as floor;

/// Elsewhere stacks stay as they are.
#[cfg(not(target_os = "linux"))]
pub(crate) struct Grown;

#[cfg(not(target_os = "linux"))]
impl Grown {
    pub(crate) fn new() -> Option<Grown> {
        None
    }
}
