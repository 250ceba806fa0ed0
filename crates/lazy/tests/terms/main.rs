//! The machine and the reference interpreter agree on random programs.
//!
//! A random program has some functions and some tests, each of which prints a value. A test is run by the interpreter of
//! the small-step semantics (S4 Fig. 2.6), and by the machine: as it is used; with a nursery so small that the heap is
//! collected all the time; and counting. They must agree on what is printed, or that something is raised; and, counting,
//! on how often each function of the program is unfolded, in runs that end in an error too.
//!
//! `GADFLY_PROGRAMS` says how many programs are tried, and `GADFLY_SEED` which is the first.

mod generate;

#[allow(dead_code, reason = "shared with other tests, which use more of it")]
#[path = "../../../core/tests/lowering/reference/mod.rs"]
mod reference;

use gadfly_core::kernel::FunId;
use gadfly_lazy::{Checked, Lowered};
use gadfly_machine::{Counting, End, Limits, Machine, Plain, Recorder, Settings, World};
use reference::Outcome;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Tests in a program, and steps that the interpreter may take for one.
const TESTS: usize = 25;
const STEPS: u64 = 400_000;

#[test]
fn the_machine_and_the_reference_interpreter_agree() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("GADFLY_SEED").unwrap_or(1);
    let programs = number("GADFLY_PROGRAMS").unwrap_or(8);
    let mut told = Told::default();
    for seed in first..first + programs {
        let text = generate::program(seed, TESTS);
        let worker = std::thread::Builder::new().stack_size(gadfly_core::STACK);
        let one = worker.spawn(move || try_program(seed, &text)).unwrap().join().unwrap();
        told.values += one.values;
        told.errors += one.errors;
        told.left_out += one.left_out;
    }
    // What is generated is worth something.
    let all = told.values + told.errors + told.left_out;
    assert!(told.values * 2 > all && told.errors * 100 > all && told.left_out * 10 < all, "{told:?}");
}

#[derive(Debug, Default)]
struct Told {
    values: usize,
    errors: usize,
    left_out: usize,
}

fn try_program(seed: u64, text: &str) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Terms.hs");
    std::fs::write(&file, text).unwrap();
    let checked = gadfly_lazy::check(&file).unwrap();
    assert!(!checked.has_errors(), "seed {seed}:\n{text}\n{:?}", checked.diagnostics());
    let lowered = checked.lower().unwrap();
    let mut told = Told::default();
    for test in 0..TESTS {
        let name = format!("test{test}");
        let function = function(&checked, &lowered, &name);
        let (expected, counts) = reference::counted(&lowered.program, function, STEPS);
        let expected = match expected {
            Outcome::Value(_, output) => Some(output),
            Outcome::Error(_) | Outcome::Loop => None,
            Outcome::Suspended | Outcome::Limit => {
                told.left_out += 1;
                continue;
            }
        };
        match expected {
            Some(_) => told.values += 1,
            None => told.errors += 1,
        }
        let check = |how: &str, printed: &Option<String>| {
            assert_eq!(printed, &expected, "seed {seed}, {name}, {how}:\n{text}");
        };
        check("as it is", &run(&lowered, function, Plain, Limits { stack: 1 << 20, ..Limits::default() }).0);
        let tiny = Limits { stack: 1 << 20, nursery: 256, ..Limits::default() };
        check("with a small nursery", &run(&lowered, function, Plain, tiny).0);
        let (printed, counting) = run(&lowered, function, Counting::new(u64::MAX), tiny);
        check("counting", &printed);
        let counts = own(&lowered, |id| counts.get(&id).copied().unwrap_or(0));
        let counted = own(&lowered, |id| counting.of(id));
        assert_eq!(counted, counts, "seed {seed}, {name}, unfoldings:\n{text}");
    }
    told
}

fn function(checked: &Checked, lowered: &Lowered, name: &str) -> FunId {
    let (module, _) = checked.program.modules.iter().next_back().unwrap();
    let value = checked.program.exported_value(module, checked.interner.get(name).unwrap()).unwrap();
    lowered.functions[&value]
}

/// How often the functions that the program shows were unfolded, by name and number.
fn own(lowered: &Lowered, count: impl Fn(FunId) -> u64) -> BTreeMap<(String, usize), u64> {
    let program = &lowered.program;
    let shown = program.functions().filter(|(id, function)| {
        !program.module(function.module).library && !function.origin.is_hidden() && count(*id) > 0
    });
    shown.map(|(id, function)| ((program.text(function.name).to_owned(), id.index()), count(id))).collect()
}

/// Runs an action: what it prints, or nothing if something is raised; and the recorder.
fn run<R: Recorder<0> + Clone>(
    lowered: &Lowered,
    main: FunId,
    recorder: R,
    limits: Limits,
) -> (Option<String>, R) {
    let printed = Written::default();
    let settings = Settings { output: Box::new(printed.clone()), ..Settings::empty() };
    let mut machine: Machine<'_, R, 0> =
        Machine::new(lowered, World::new(settings), recorder, limits, |_| String::new());
    let end = machine.execute(main);
    machine.world().flush().unwrap();
    let text = String::from_utf8(printed.0.lock().unwrap().clone()).unwrap();
    let text = match end {
        End::Exit(0) => Some(text),
        End::Uncaught(_) => None,
        end => panic!("{end:?}"),
    };
    (text, machine.recorder().clone())
}

/// What a program writes.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
