//! Recordings that are cut off: what ran until then is in the trail.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Output, Stdio};

/// Says on stderr that it is there, and never ends.
const ENDLESS: &str = "
import System.IO

main :: IO ()
main = do
  putStr \"kept in the buffer\"
  hPutStrLn stderr \"here\"
  print (spin 0)

spin :: Int -> Int
spin n = spin (next n)

next :: Int -> Int
next n = n + 1
";

fn gadfly(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gadfly"));
    command.current_dir(folder).env("GADFLY_STATE", folder.join("state")).stdin(Stdio::null());
    command
}

/// Begins to record or debug the endless program, until it is there.
fn begun(folder: &Path, arguments: &[&str]) -> (Child, BufReader<ChildStderr>) {
    fs::write(folder.join("Main.hs"), ENDLESS).unwrap();
    let mut child =
        gadfly(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.ends_with("here\n"), "{line}");
    (child, errors)
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// What a child still has to say, and its status.
fn rest(mut child: Child, mut errors: impl Read) -> (String, String, Option<i32>) {
    let (mut out, mut err) = (String::new(), String::new());
    errors.read_to_string(&mut err).unwrap();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    (out, err, child.wait().unwrap().code())
}

fn run(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let Output { status, stdout, stderr } = gadfly(folder).args(arguments).output().unwrap();
    (String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap(), status.code())
}

/// Waits until a file is so large.
fn grown(file: &Path, size: u64) {
    while fs::metadata(file).map_or(0, |data| data.len()) < size {
        std::thread::yield_now();
    }
}

#[test]
fn ctrl_c_leaves_a_whole_trail() {
    let folder = tempfile::tempdir().unwrap();
    let (child, errors) = begun(folder.path(), &["record", "Main.hs"]);
    signal(&child, "-INT");
    let (out, err, status) = rest(child, errors);
    assert_eq!((out.as_str(), status), ("kept in the buffer", Some(130)));
    assert!(err.contains("Main.trail: ") && err.contains("the run was interrupted"), "{err}");
    let (said, status) = run(folder.path(), &["check", "Main.trail"]);
    assert!(said.contains("a sound trail") && said.contains("the run was interrupted"), "{said}");
    assert_eq!(status, Some(0));
}

#[test]
fn ctrl_c_begins_the_questions_about_a_program_that_never_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (child, errors) = begun(folder.path(), &["debug", "Main.hs", "--strategy", "top-down"]);
    signal(&child, "-INT");
    let (out, err, status) = rest(child, errors);
    assert!(out.contains("Question 1 · node 1"), "{out}");
    assert!(err.contains("the questions are about what it did until then"), "{err}");
    assert_eq!(status, Some(1), "there is nobody to answer");
    assert!(!folder.path().join("Main.trail").exists());
}

#[test]
fn without_a_person_ctrl_c_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (child, errors) = begun(folder.path(), &["debug", "Main.hs", "--oracle", "command:cat"]);
    signal(&child, "-INT");
    let (_, err, status) = rest(child, errors);
    assert_eq!(status, Some(130), "{err}");
}

#[test]
fn a_recording_that_is_killed_leaves_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let (child, errors) = begun(folder.path(), &["record", "Main.hs"]);
    grown(&folder.path().join("Main.trail"), 200_000);
    signal(&child, "-KILL");
    rest(child, errors);
    let (said, status) = run(folder.path(), &["check", "Main.trail"]);
    assert!(said.contains("has no end") && status == Some(1), "{said}");
    let (said, status) = run(folder.path(), &["tree", "Main.trail", "--depth", "1"]);
    assert!(said.contains("warning: Main.trail: ") && said.contains("2 spin 0 = ⊥"), "{said}");
    assert_eq!(status, Some(0));
}

#[test]
fn a_full_disk_does_not_disturb_the_program() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = "main = print (count [1 .. 1000])\ncount [] = 0\ncount (_ : xs) = 1 + count xs\n";
    fs::write(folder.path().join("Main.hs"), program).unwrap();
    let (said, status) = run(folder.path(), &["record", "Main.hs", "-o", "/dev/full"]);
    assert!(said.starts_with("1000\n"), "{said}");
    assert!(said.contains("the trail could not be written") && said.contains("incomplete"), "{said}");
    assert_eq!(status, Some(0), "the status is the program's own");
}
