//! Every sort of bad file: the error says the line, the column or the field, and what to do.

use flate2::{Compression, write::GzEncoder};
use gadfly_interchange::{self as interchange, OpenError, Problem, Recording};
use std::io::{self, Cursor, Read, Write};

const HEADER: &str = r#"{"gadfly": 1, "language": "python", "sources": [{"file": "a.py", "text": ""}]}"#;

fn load(text: &[u8]) -> Result<Recording, OpenError> {
    interchange::read(Cursor::new(text.to_vec()), None)
}

/// The error of a file, as problem and text.
fn error(text: &str) -> (Problem, String) {
    let error = load(text.as_bytes()).expect_err(text);
    assert!(!error.hint.is_empty());
    (error.problem, error.to_string())
}

/// The error of the line of a node that hangs under a root.
fn node_error(line: &str) -> String {
    error(&format!("{HEADER}\n{{\"id\": 0, \"function\": \"main\"}}\n{line}\n")).1
}

/// The error of a node with this result.
fn term_error(term: &str) -> String {
    let message = node_error(&format!(r#"{{"id":1,"parent":0,"function":"f","result":{term}}}"#));
    message.strip_prefix("line 3, ").unwrap().to_owned()
}

#[test]
fn headers() {
    assert_eq!(error(""), (Problem::MissingHeader, "the file is empty".into()));
    assert_eq!(error("\n \r\n").0, Problem::MissingHeader);
    let missing = "line 1, column 1: the file does not begin with a header";
    assert_eq!(error("[]"), (Problem::MissingHeader, missing.into()));
    assert_eq!(error(r#"{"id": 1, "function": "main"}"#).0, Problem::MissingHeader);
    let version = "line 2, column 12, field `gadfly`: the format version is 7; this program reads version 1";
    assert_eq!(error("\n{\"gadfly\": 7, \"sources\": {}}"), (Problem::WrongVersion, version.into()));
    let language = "line 1, column 14, field `language`: the header has no `language`";
    assert_eq!(error(r#"{"gadfly": 1}"#), (Problem::BadField, language.into()));
    let language = "line 1, column 27, field `language`: this must be a string";
    assert_eq!(error(r#"{"gadfly": 1, "language": 3}"#), (Problem::BadField, language.into()));
    let style = "line 1, column 40, field `style`: unknown style";
    assert_eq!(error(r#"{"gadfly": 1, "language":"c", "style": "x"}"#), (Problem::BadField, style.into()));
    let file = "line 1, column 44, field `sources`: a source has no `file`";
    assert_eq!(error(r#"{"gadfly": 1, "language":"c", "sources": [{"text": ""}]}"#).1, file);
    let file = "line 1, column 42, field `sources`: this must be an array";
    assert_eq!(error(r#"{"gadfly": 1, "language":"c", "sources": 1000000000}"#).1, file);
    assert_eq!(error(HEADER), (Problem::NoRoot, "there are no nodes".into()));
    let twice = "line 1, column 15, field `gadfly`: this field occurs twice";
    assert_eq!(error(r#"{"gadfly": 1, "gadfly": 1}"#).1, twice);
}

#[test]
fn trees_that_are_none() {
    let tree = |nodes: &[(&str, &str)]| {
        let mut text = HEADER.to_owned() + "\n\n";
        for (id, parent) in nodes {
            text += &format!("{{\"id\": {id}, \"parent\": {parent}, \"function\": \"f\"}}\n\n");
        }
        error(&text)
    };
    let message = "line 7, field `id`: this id already occurs on line 5";
    assert_eq!(tree(&[("1", "null"), ("2", "1"), ("2", "1")]), (Problem::DuplicateId, message.into()));
    let message = "line 5, field `parent`: the parent of this node does not exist";
    assert_eq!(tree(&[("1", "null"), ("2", "3")]), (Problem::UnknownParent, message.into()));
    assert_eq!(tree(&[("1", "null"), ("2", "\"1\"")]).0, Problem::UnknownParent);
    let message = "line 5, field `parent`: this node has no parent, and neither has the node on line 3";
    assert_eq!(tree(&[("1", "null"), ("\"2\"", "null")]), (Problem::TwoRoots, message.into()));
    let message = "line 3, field `parent`: every node has a parent, so there is no root";
    assert_eq!(tree(&[("1", "2"), ("2", "1")]), (Problem::NoRoot, message.into()));
    let message = "line 5, field `parent`: this node is its own ancestor";
    assert_eq!(tree(&[("1", "null"), ("2", "2")]), (Problem::Cycle, message.into()));
    assert_eq!(tree(&[("1", "null"), ("2", "4"), ("3", "2"), ("4", "3")]).0, Problem::Cycle);
}

#[test]
fn lines_that_are_no_json() {
    for (line, message) in [
        ("{", "line 3, column 2: the line ends where a key in quotes is expected"),
        ("3", "line 3, column 1: an object is expected, not `3`"),
        ("{\"id\"}", "line 3, column 6: `:` is expected, not `}`"),
        ("{\"id\": 1 \"function\"", "line 3, column 10: `,` or `}` is expected, not `\"`"),
        ("{\"id\": 1} x", "line 3, column 11: something follows the object"),
        ("{\"id\": 01}", "line 3, column 8, field `id`: a number begins with 0"),
        ("{\"ñ\": [1,,2]}", "line 3, column 10: a value is expected, not `,`"),
        ("{\"x\": [}", "line 3, column 8: a value is expected, not `}`"),
        ("{\"x\": 1.}", "line 3, column 9: a digit is expected, not `}`"),
        ("{\"x\": nul}", "line 3, column 7: a value is expected, not `n`"),
        ("{\"x\": \"\t\"}", "line 3, column 8: a control character stands in a string"),
        ("{\"x\": \"\\x\"}", "line 3, column 8: unknown escape"),
        ("{\"x\": \"\\u12\"}", "line 3, column 8: `\\u` needs four hexadecimal digits"),
        ("{\"x\": \"", "line 3, column 8: the line ends inside a string"),
        ("{\"x\": \"\\", "line 3, column 9: the line ends inside a string"),
    ] {
        assert_eq!(node_error(line), message, "{line}");
    }
}

#[test]
fn fields_that_are_not_right() {
    for (line, message) in [
        ("{}", "column 1, field `id`: the node has no `id`"),
        (r#"{"id": 1}"#, "column 1, field `function`: the node has no `function`"),
        (r#"{"id": 1.5}"#, "column 8, field `id`: an id must be a whole number or a string"),
        (r#"{"id": null}"#, "column 8, field `id`: this must be a whole number or a string"),
        (r#"{"id": 1, "id": 2}"#, "column 10, field `id`: this field occurs twice"),
        (r#"{"kind": "rutine"}"#, "column 10, field `kind`: unknown kind of node"),
        (r#"{"function": ["f"]}"#, "column 14, field `function`: this must be a string"),
        (r#"{"id":1,"function": ""}"#, "column 22, field `function`: the name is empty"),
        (
            r#"{"id":1,"function":"f","rule":0}"#,
            "column 31, field `rule`: this must be a whole number from 1 to 2^32-1",
        ),
        (r#"{"id":1,"function":"f","rule":"1"}"#, "column 31, field `rule`: this must be a number"),
        (
            r#"{"id":1,"function":"f","span":{"start":[1,1]}}"#,
            "column 31, field `span`: the place has no `start` or no `end`",
        ),
        (
            r#"{"id":1,"function":"f","span":{"start":[2,1],"end":[1,9]}}"#,
            "column 31, field `span`: the place ends before it starts",
        ),
        (
            r#"{"id":1,"function":"f","code":[{"start":[2,0],"end":[1,9]}]}"#,
            "column 44, field `code`: this must be a whole number from 1 to 2^32-1",
        ),
        (r#"{"args": 1}"#, "column 10, field `args`: this must be an array or an object of values"),
        (r#"{"before": []}"#, "column 12, field `before`: this must be an object of names and values"),
        (
            r#"{"result": 1, "exception": null}"#,
            "column 28, field `exception`: a node has only one of `result`, `exception` and `unfinished`",
        ),
        (r#"{"unfinished": 1}"#, "column 16, field `unfinished`: this must be true or false"),
    ] {
        assert_eq!(node_error(line), format!("line 3, {message}"), "{line}");
    }
    let elsewhere = r#"{"gadfly": 1, "language": "c"}
{"id": 1, "function": "f", "span": {"start": [1,1], "end": [1,2]}}"#;
    let message = "line 2, column 36, field `span`: the place has no `file`, and the header does not list \
                   exactly one source";
    assert_eq!(error(elsewhere).1, message);
}

#[test]
fn terms_that_are_none() {
    for (term, message) in [
        ("{}", "an empty object is not a value"),
        (r#"{"x": 1}"#, "`x` is not a form of a value"),
        (r#"{"con": 1}"#, "this must be a string"),
        (r#"{"con": "A", "fields": {}}"#, "`fields` is not a field of this form, or occurs twice"),
        (r#"{"con": "A", "con": "B"}"#, "`con` is not a field of this form, or occurs twice"),
        (r#"{"args": []}"#, "this object has `args` or `fields`, but no name that they belong to"),
        (r#"{"fields": {"a": 1}, "con": "A"}"#, "`con` is not a field of this form, or occurs twice"),
        (r#"{"tuple": 2}"#, "this must be an array"),
        (r#"{"char": "ab"}"#, "`char` holds exactly one character"),
        (r#"{"char": ""}"#, "`char` holds exactly one character"),
        (r#"{"str": "a", "less": 1}"#, "`str` allows no other field than `more`"),
        (r#"{"str": "a", "more": -1}"#, "this must be a whole number, 0 or more, below 2^64"),
        (r#"{"more": 1, "con": "A"}"#, "`more` belongs to `str`"),
        (r#"{"num": ""}"#, "`num` is empty"),
        (r#"{"num": 1}"#, "this must be a string"),
        (r#"{"map": [[1]]}"#, "an entry of a map has one term only"),
        (r#"{"map": [[]]}"#, "an entry of a map is empty"),
        (r#"{"map": [1]}"#, "this must be an entry, which is an array"),
        (r#"{"unevaluated": false}"#, "`unevaluated` can only be true"),
        (r#"{"omitted": 18446744073709551616}"#, "this must be a whole number, 0 or more, below 2^64"),
        (r#"{"opaque": "x", "y": 1}"#, "this form has no further fields"),
        ("[1, {\"tuple\": [{\"x\": 1}]}]", "`x` is not a form of a value"),
    ] {
        let error = term_error(term);
        let (place, said) = error.split_once(", field `result`: ").unwrap();
        assert!(place.starts_with("column "), "{error}");
        assert_eq!(said, message, "{term}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let mut text = format!("{HEADER}\n{{\"id\": 1, \"function\": \"é").into_bytes();
    text.extend_from_slice(b"\xC3\"}\n");
    let error = load(&text).unwrap_err();
    assert_eq!(error.problem, Problem::InvalidUtf8);
    assert_eq!(error.to_string(), "line 2, column 25: the line is not UTF-8");
    // An earlier error is reported first.
    let mut text = format!("{HEADER}\n[]\n").into_bytes();
    text.push(0xFF);
    assert_eq!(load(&text).unwrap_err().problem, Problem::BadJson);
    assert_eq!(load(b"\xFF\xFE").unwrap_err().problem, Problem::InvalidUtf8);
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_that_is_cut_or_damaged() {
    let text = format!("{HEADER}\n{{\"id\": 1, \"function\": \"main\"}}\n");
    let good = gzip(&text);
    assert_eq!(load(&good).unwrap().tree.len(), 1);
    for end in 2..good.len() {
        let error = load(&good[..end]).unwrap_err();
        assert_eq!(error.problem, Problem::TruncatedGzip, "{end}: {error}");
        assert!((1..=3).contains(&error.line));
    }
    let mut damaged = good.clone();
    let checksum = damaged.len() - 6;
    damaged[checksum] ^= 1;
    let error = load(&damaged).unwrap_err();
    assert_eq!((error.problem, error.line), (Problem::CorruptGzip, 3));
    for at in 2..good.len() {
        let mut damaged = good.clone();
        damaged[at] ^= 0x10;
        // A flag or the time in gzip's own header may change without harm.
        if let Err(error) = load(&damaged) {
            assert!(matches!(error.problem, Problem::CorruptGzip | Problem::TruncatedGzip), "{at}: {error}");
        }
    }
    let mut padded = good;
    padded.extend_from_slice(b"something else follows");
    assert_eq!(load(&padded).unwrap_err().problem, Problem::CorruptGzip);
}

#[test]
fn a_pipe_that_breaks() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the other side went away"))
        }
    }
    let beginning = Cursor::new(format!("{HEADER}\n").into_bytes());
    let error = interchange::read(beginning.chain(Broken), None).unwrap_err();
    assert_eq!((error.problem, error.line), (Problem::Io, 0));
    assert!(error.message.contains("the other side went away"));
}

#[test]
fn files_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let error = interchange::open(folder.path()).unwrap_err();
    assert_eq!((error.problem, error.hint), (Problem::Io, "name an interchange file"));
    let error = interchange::open(&folder.path().join("none.jsonl")).unwrap_err();
    assert_eq!((error.problem, error.hint), (Problem::Io, "check the path"));
}

#[test]
fn a_field_that_occurs_twice_is_noticed_however_it_is_written() {
    for (line, field) in [
        (r#"{"id": 1, "function": "f", "\u0069d": 2}"#, "id"),
        (r#"{"id": 1, "\u0066unction": "f", "function": "g"}"#, "function"),
        (r#"{"id": 1, "function": "f", "result": 1, "res\u0075lt": 2}"#, "result"),
        (r#"{"id": 1, "function": "f", "span": {"start": [1,1], "end": [1,2], "\u0065nd": [1,3]}}"#, "span"),
        (r#"{"id": 1, "function": "f", "span": {"start": [1,1], "start": [1,1], "end": [1,3]}}"#, "span"),
    ] {
        let text = node_error(line);
        assert!(text.ends_with(&format!("field `{field}`: this field occurs twice")), "{line}: {text}");
    }
    let twice = term_error(r#"{"con": "A", "c\u006fn": "B"}"#);
    assert!(twice.ends_with("`con` is not a field of this form, or occurs twice"), "{twice}");
    for header in [
        r#"{"gadfly": 1, "\u0067adfly": 1}"#,
        r#"{"gadfly": 1, "language": "c", "\u006canguage": "d"}"#,
        r#"{"gadfly": 1, "language": "c", "sources": [{"file": "a", "\u0066ile": "b"}]}"#,
        r#"{"gadfly": 1, "language": "c", "sources": [{"file": "a", "text": "b", "text": "c"}]}"#,
    ] {
        assert!(error(header).1.ends_with("this field occurs twice"), "{header}");
    }
    // Written with an escape, a name is still the field's.
    let recording = load(format!("{HEADER}\n{{\"\\u0069d\": 1, \"function\": \"f\"}}\n").as_bytes()).unwrap();
    assert_eq!(recording.tree.len(), 1);
}

#[test]
fn source_files_outside_of_the_trees_folder_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    let secret = folder.path().join("secret").display().to_string();
    let names = ["../secret", secret.as_str(), "/proc/self/environ", "/etc/passwd"];
    let listed: Vec<String> = names.iter().map(|name| format!("{{\"file\": {name:?}}}")).collect();
    let header = format!("{{\"gadfly\": 1, \"language\": \"c\", \"sources\": [{}]}}", listed.join(", "));
    let path = inside.join("tree.jsonl");
    std::fs::write(&path, format!("{header}\n{{\"id\": 1, \"function\": \"f\"}}\n")).unwrap();
    let recording = interchange::open(&path).unwrap();
    assert!(recording.sources.iter().all(|(_, file)| file.text().is_none()));
    let refused: Vec<&str> = recording.refused.iter().map(|(name, _)| &**name).collect();
    assert_eq!(refused, names);
    let bounds = interchange::Bounds { folders: vec![folder.path().to_owned()], ..Default::default() };
    let recording = interchange::open_within(&path, &bounds).unwrap();
    let texts: Vec<_> = recording.sources.iter().map(|(_, file)| file.text()).collect();
    assert_eq!(texts, [Some("secret"), Some("secret"), None, None]);
}
