//! Ctrl-C ends a program that runs: what it has written is written, and the status is 130.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

/// Runs a program until it says on stderr that it is there, and interrupts it; what it wrote and its status.
fn interrupted(program: &str, options: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Main.hs"), program).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gadfly"))
        .arg("run")
        .args(options)
        .arg("Main.hs")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "here\n");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    (printed, child.wait().unwrap().code())
}

const BEGINNING: &str = "
import System.IO

main :: IO ()
main = do
  putStr \"kept in the buffer\"
  hPutStrLn stderr \"here\"
";

#[test]
fn a_loop_that_allocates_nothing() {
    let program = format!("{BEGINNING}  print (spin 0)\n\nspin :: Int -> Int\nspin n = spin (n + 1)\n");
    assert_eq!(interrupted(&program, &[]), ("kept in the buffer".to_owned(), Some(130)));
    assert_eq!(interrupted(&program, &["--count"]).1, Some(130));
}

#[test]
fn a_loop_of_actions() {
    let program = format!("{BEGINNING}  mapM_ return [1 ..]\n");
    assert_eq!(interrupted(&program, &[]), ("kept in the buffer".to_owned(), Some(130)));
}

#[test]
fn a_recursion_that_grows() {
    let program = format!("{BEGINNING}  print (length (filter (< 0) [1 ..]))\n");
    assert_eq!(interrupted(&program, &[]), ("kept in the buffer".to_owned(), Some(130)));
}
