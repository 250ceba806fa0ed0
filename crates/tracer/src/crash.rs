//! What becomes of the trail when a signal kills the program: one that crashes in C, or that is told to end and does not listen.
//!
//! While a program is recorded, signals that would kill it are heard here first. The thread that writes the trail is still alive then; it
//! is asked to write all that there is ([`Urgent`]), waited for, and then the program dies as it would have: whoever handled the signal
//! before does so now (`faulthandler`, for instance), or nobody, and the system does what it does to such a program.
//!
//! What stays true: where a signal is handled, no lock is taken, no memory, and nothing of Python's; a process that was forked off, and the
//! thread that writes, wait for nobody; each signal is heard once, so that whoever hands it back and forth comes to an end.

use gadfly_trail::Urgent;
use libc::{c_int, c_void, siginfo_t};
use pyo3::Python;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};
use std::time::Duration;

/// Signals that tell of something that a program did.
const FAULTS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
/// Signals that somebody sends, perhaps the program itself.
const SENT: [c_int; 7] =
    [libc::SIGABRT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGALRM, libc::SIGXCPU, libc::SIGSYS];

/// How long the program may take to die: what it crashed of may have damaged what is needed to write.
const SAVE_MUST_END_IN: Duration = Duration::from_secs(3);
/// What is handled must have room also where a stack overflows.
const SIGNAL_STACK: usize = 1 << 16;

/// Who is asked to write, and the process that they are in.
static URGENT: AtomicPtr<Urgent> = AtomicPtr::new(ptr::null_mut());
static PROCESS: AtomicI32 = AtomicI32::new(0);
static SIGNALS: [Signal; FAULTS.len() + SENT.len()] = [const { Signal::new() }; FAULTS.len() + SENT.len()];

/// What is known of a signal.
struct Signal {
    /// What was done about it before.
    before: UnsafeCell<MaybeUninit<libc::sigaction>>,
    /// Whether that is known, and yet to be done.
    known: AtomicBool,
}

// SAFETY: `before` is written by whoever holds the interpreter's lock, and before `known` is set.
unsafe impl Sync for Signal {}

impl Signal {
    const fn new() -> Signal {
        Signal { before: UnsafeCell::new(MaybeUninit::uninit()), known: AtomicBool::new(false) }
    }

    /// Takes what was done about it before: after that, it is what the system does.
    fn take(&self) -> libc::sigaction {
        match self.known.swap(false, Ordering::AcqRel) {
            // SAFETY: it is known.
            true => unsafe { (*self.before.get()).assume_init() },
            // SAFETY: all zeros is the default action, with no flags.
            false => unsafe { std::mem::zeroed() },
        }
    }
}

fn signals() -> impl Iterator<Item = (c_int, &'static Signal)> {
    FAULTS.into_iter().chain(SENT).zip(&SIGNALS)
}

/// Does something while no signal comes to this thread, nor to those that it starts: the program may wait for some of them itself.
pub(crate) fn undisturbed<T>(does: impl FnOnce() -> T) -> T {
    // SAFETY: the sets are made before they are used. What tells of a fault cannot be put off.
    unsafe {
        let mut all = MaybeUninit::uninit();
        let mut before = MaybeUninit::uninit();
        libc::sigfillset(all.as_mut_ptr());
        for fault in FAULTS {
            libc::sigdelset(all.as_mut_ptr(), fault);
        }
        let blocked = libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr()) == 0;
        let done = does();
        if blocked {
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        }
        done
    }
}

/// From now on the trail is kept, whatever happens.
pub(crate) fn begin(_python: Python<'_>, urgent: Urgent) {
    // It is never freed: a signal may be on its way.
    URGENT.store(Box::leak(Box::new(urgent)), Ordering::Release);
    // SAFETY: the interpreter's lock is held, so that nobody else writes what was done before. Zeros are an action, which is filled in.
    unsafe {
        PROCESS.store(libc::getpid(), Ordering::Release);
        make_stack();
        for (number, signal) in signals() {
            let Some(before) = action(number) else { continue };
            let is_default = before.sa_sigaction == libc::SIG_DFL;
            let is_fault = FAULTS.contains(&number) || number == libc::SIGABRT;
            // What the program ignores, or handles, does not kill it.
            let kills = is_default || is_fault && before.sa_sigaction != libc::SIG_IGN;
            if !kills || is_ours(&before) {
                continue;
            }
            signal.known.store(false, Ordering::Release);
            (*signal.before.get()).write(before);
            signal.known.store(true, Ordering::Release);
            let mut ours: libc::sigaction = std::mem::zeroed();
            ours.sa_sigaction = handle as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut ours.sa_mask);
            libc::sigaction(number, &raw const ours, ptr::null_mut());
        }
    }
}

/// There is nothing to keep any more.
pub(crate) fn end(_python: Python<'_>) {
    URGENT.store(ptr::null_mut(), Ordering::Release);
    for (number, signal) in signals() {
        // Whoever came later keeps it, and may give it back to us.
        if action(number).is_some_and(|action| is_ours(&action)) {
            let before = signal.take();
            // SAFETY: it is an action that was there, or the default.
            unsafe { libc::sigaction(number, &raw const before, ptr::null_mut()) };
        }
    }
}

/// What is done about a signal.
fn action(number: c_int) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: it is written if that succeeds.
    unsafe { (libc::sigaction(number, ptr::null(), action.as_mut_ptr()) == 0).then(|| action.assume_init()) }
}

fn is_ours(action: &libc::sigaction) -> bool {
    action.sa_sigaction == handle as *const () as usize
}

/// Gives this thread a stack for signals, unless it has one.
unsafe fn make_stack() {
    // SAFETY: the structure is plain data, which is filled by the system. The stack is leaked, so that it stays for as long as the thread.
    unsafe {
        let mut stack: libc::stack_t = std::mem::zeroed();
        if libc::sigaltstack(ptr::null(), &raw mut stack) != 0 || stack.ss_flags & libc::SS_DISABLE == 0 {
            return;
        }
        // It stays for as long as the thread, which is the first of the process in all but strange cases.
        let room = Box::leak(vec![0_u8; SIGNAL_STACK].into_boxed_slice());
        let ours = libc::stack_t { ss_sp: room.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIGNAL_STACK };
        libc::sigaltstack(&raw const ours, ptr::null_mut());
    }
}

/// A signal that kills the program.
unsafe extern "C" fn handle(number: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: these are things that may be done in a signal's handler, and who is asked is never freed.
    unsafe {
        if let Some(urgent) = URGENT.load(Ordering::Acquire).as_ref()
            && PROCESS.load(Ordering::Acquire) == libc::getpid()
            && urgent.thread() != libc::pthread_self()
        {
            urgent.save(SAVE_MUST_END_IN);
        }
        let Some((_, signal)) = signals().find(|(known, _)| *known == number) else { return };
        let before = signal.take();
        libc::sigaction(number, &raw const before, ptr::null_mut());
        // What a program did itself it does again when this is over. What was sent is sent again, and comes when this is over.
        let code = (*info).si_code;
        let did = FAULTS.contains(&number) && code > 0 && code != libc::SI_USER;
        if !did {
            libc::raise(number);
        }
    }
}

/// Has this process asked to end (`SIGTERM`) when its parent ends.
pub(crate) fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // SAFETY: it only sets a number of this process.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
    }
}
