//! Files that change under a session, and sources that are looked for.

use gadfly_interchange as interchange;
use gadfly_source::Sources;
use gadfly_term::Outcome;
use gadfly_tree::{Behaviours, Node};
use std::fs;

const FILE: &str = "{\"gadfly\": 1, \"language\": \"python\"}
{\"id\": 1, \"function\": \"main\", \"result\": 1}
{\"id\": 2, \"parent\": 1, \"function\": \"f\", \"rule\": 1, \"module\": \"M\", \"result\": 2}
";

#[test]
fn a_file_that_changes_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    fs::write(&path, FILE).unwrap();
    let recording = interchange::open(&path).unwrap();
    let read = || recording.behaviours.behaviour(&recording.tree, Node(1), false);
    assert!(read().is_ok());
    let message = "the file changed since it was opened: node 2 is gone";
    for changed in [
        FILE.replace("\"f\"", "\"g\""),
        FILE.replace("\"rule\": 1", "\"rule\": 2"),
        FILE.replace("\"M\"", "\"N\""),
        FILE.replace("main", "mean to be longer"),
        FILE[..FILE.len() - 9].to_owned(),
        FILE[..20].to_owned(),
        String::new(),
    ] {
        // Written over, not replaced: the session holds the same file.
        fs::write(&path, changed).unwrap();
        assert_eq!(read().unwrap_err().message, message);
        recording.behaviours.effort(&recording.tree, Node(1));
    }
    fs::write(&path, FILE).unwrap();
    assert!(matches!(read().unwrap().equation.outcome, Outcome::Value(_)));
}

#[test]
fn a_pipe_can_be_read_again() {
    let recording = interchange::read(FILE.as_bytes(), None).unwrap();
    for node in [1, 0, 1] {
        recording.behaviours.behaviour(&recording.tree, Node(node), true).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_taken_as_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let writer = std::thread::spawn({
        let path = path.clone();
        move || fs::write(path, FILE)
    });
    let recording = interchange::open(&path).unwrap();
    writer.join().unwrap().unwrap();
    assert_eq!(recording.tree.len(), 2);
    recording.behaviours.behaviour(&recording.tree, Node(1), false).unwrap();
}

#[test]
fn sources_are_looked_for_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    fs::write(folder.path().join("here.py"), "x = 1\n").unwrap();
    fs::write(folder.path().join("bytes.py"), b"\xFF").unwrap();
    fs::create_dir(folder.path().join("folder.py")).unwrap();
    let header =
        r#"{"gadfly": 1, "language": "python", "sources": [{"file": "here.py"}, {"file": "there.py"},
        {"file": "bytes.py"}, {"file": "folder.py"}, {"file": "in.py", "text": "y"}]}"#
            .replace('\n', "");
    let node = r#"{"id": 1, "function": "f", "span": {"file": "Cargo.toml", "start": [1,1], "end": [1,2]}}"#;
    fs::write(&path, format!("{header}\n{node}\n")).unwrap();
    let sources = interchange::open(&path).unwrap().sources;
    let text = |name| {
        let id = sources.by_name(name).unwrap();
        Sources::file(&sources, id).text()
    };
    assert_eq!(text("here.py"), Some("x = 1\n"));
    assert_eq!(text("there.py"), None);
    assert_eq!(text("bytes.py"), None);
    assert_eq!(text("folder.py"), None);
    assert_eq!(text("in.py"), Some("y"));
    assert!(
        text("Cargo.toml").is_some_and(|text| text.contains("gadfly-interchange")),
        "from the current folder"
    );
}
