//! The exchange on the protocol's page is what Gadfly says, and what is no message does no harm.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Starts `gadfly debug` for a client; `arguments` are those after `gadfly`.
fn start(arguments: &[&str], state: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gadfly"))
        .args(arguments)
        .current_dir(root())
        .env("GADFLY_STATE", state)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn the_exchange_on_the_page() {
    let page = std::fs::read_to_string(root().join("docs/protocol.md")).unwrap();
    let (before, after) = page.split_once("```exchange\n").unwrap();
    let (exchange, _) = after.split_once("```").unwrap();
    let command = before.lines().rev().find_map(|line| line.strip_prefix("    gadfly ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(&arguments, folder.path());
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in exchange.lines() {
        match line.split_at(2) {
            ("> ", message) => writeln!(input, "{message}").unwrap(),
            ("< ", message) => {
                let said: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
                let expected: Value = serde_json::from_str(message).unwrap();
                assert_eq!(said, expected);
            }
            _ => panic!("{line}: neither `> ` nor `< `"),
        }
    }
    assert!(output.next().is_none(), "there is more than the page says");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// What Gadfly says to some bytes, by type and reason; it must end by itself.
fn says(bytes: &[u8]) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["debug", "examples/interchange/sqrtest.jsonl", "--format", "json-lines"];
    let mut child = start(&arguments, folder.path());
    let mut input = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&bytes));
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let words = |line: &str| -> (String, String) {
        let message: Value = serde_json::from_str(line).unwrap();
        let word = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
        (word("type"), [word("why"), word("how")].concat())
    };
    said.lines().map(words).collect()
}

fn check(bytes: &[u8], expected: &[(&str, &str)]) {
    let said = says(bytes);
    let said: Vec<(&str, &str)> = said.iter().map(|(kind, word)| (kind.as_str(), word.as_str())).collect();
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    assert_eq!(said, expected, "to {shown}");
}

#[test]
fn what_is_no_message_is_refused_and_the_session_goes_on() {
    const HELLO: &str = r#"{"seen":0,"type":"hello","protocol":1}"#;
    let then_hello = |line: &[u8]| [line, b"\n\n", HELLO.as_bytes(), b"\n"].concat();
    let refused: &[(&str, &str)] =
        &[("refused", "nonsense"), ("opened", ""), ("question", ""), ("ended", "quit")];
    check(&then_hello(b"hello"), refused);
    check(&then_hello(br#"{"type":"sing","seen":0}"#), refused);
    check(&then_hello(br#"{"type":"quit"}"#), refused);
    check(&then_hello(b"\xff\xfe{}"), refused);
    check(&then_hello(b"{\"seen\":0,\"type\":\"trust\",\"names\":\"\xff\"}"), refused);
    check(&then_hello(&vec![b'['; 100_000]), refused);
    check(&then_hello(&vec![b'x'; 3 << 20]), refused);
    check(
        &then_hello(br#"{"seen":0,"type":"leave"}"#),
        &[("refused", "not-now"), ("opened", ""), ("question", ""), ("ended", "quit")],
    );
}

#[test]
fn the_input_may_end_anywhere() {
    check(b"", &[("ended", "quit")]);
    check(b"{\"seen\":0,\"ty", &[("refused", "nonsense"), ("ended", "quit")]);
    // The last line needs no line break.
    check(br#"{"seen":0,"type":"quit"}"#, &[("ended", "quit")]);
}
