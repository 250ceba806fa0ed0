use crate::{Colour, Diagnostic, FileId, SourceFile, Sources, Span, render, render_code};
use proptest::prelude::*;

fn sources(files: &[(&str, Option<&str>)]) -> Sources {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(SourceFile::new(*name, text.map(str::to_string)));
    }
    sources
}

fn span(file: u32, start: u32, end: u32) -> Span {
    Span::new(FileId(file), start, end)
}

#[track_caller]
fn check(files: &[(&str, Option<&str>)], diagnostic: &Diagnostic, expect: &str) {
    let text = render(diagnostic, &sources(files), Colour::Never);
    assert_eq!(text, expect.trim_start_matches('\n'), "\n{text}\n");
}

const MAIN: &str = "module Main\nmain = foo 3\n\nfoo x = x +\n";

#[test]
fn a_diagnostic_says_where_why_and_what_next() {
    let diagnostic = Diagnostic::error("`foo` is not known")
        .at(span(0, 19, 22), "used here")
        .with_note("names are looked up\nin two places")
        .with_hint("define it");
    let expect = "
error: `foo` is not known
 --> a.hs:2:8
  |
2 | main = foo 3
  |        ^^^ used here
  |
  = note: names are looked up
          in two places
  = hint: define it";
    check(&[("a.hs", Some(MAIN))], &diagnostic, expect);
    let diagnostic = Diagnostic::note("nothing to do").with_hint("go home");
    check(&[], &diagnostic, "note: nothing to do\n |\n = hint: go home");
}

#[test]
fn labels_may_be_in_several_files_and_in_none() {
    let diagnostic = Diagnostic::warning("several")
        .at(span(0, 19, 22), "not known")
        .and(span(1, 5, 8), "two")
        .and(span(1, 9, 14), "")
        .and(span(2, 3, 4), "gone")
        .and(span(9, 1, 1), "nowhere")
        .and(span(0, 0, 6), "here");
    // The second file has a tab and ends its lines as Windows does.
    let files = [("a.hs", Some(MAIN)), ("b.hs", Some("one\r\ntwo\tthree\r\n")), ("c.hs", None)];
    let expect = "
warning: several
 --> a.hs:2:8
  |
1 | module Main
  | ------ here
2 | main = foo 3
  |        ^^^ not known
  |
 ::: b.hs:2:1
  |
2 | two    three
  | ---    -----
  | |
  | two
 ::: c.hs
  = note: in c.hs: gone
  = note: nowhere";
    check(&files, &diagnostic, expect);
    let diagnostic = Diagnostic::error("no text").at(span(2, 3, 4), "gone").with_hint("look elsewhere");
    let expect = "
error: no text
--> c.hs
 = note: in c.hs: gone
 = hint: look elsewhere";
    check(&files, &diagnostic, expect);
}

#[test]
fn spans_are_moved_to_where_there_is_text() {
    let end = MAIN.len() as u32;
    let expect = "
error: more expected
 --> a.hs:5:1
  |
5 |  
  | ^ here";
    for (start, end) in [(end, end), (end + 5, end + 9), (u32::MAX, 0)] {
        let diagnostic = Diagnostic::error("more expected").at(span(0, start, end), "here");
        check(&[("a.hs", Some(MAIN))], &diagnostic, expect);
    }
    let expect = "
error: more expected
 --> a.hs:1:1
  |
1 |  
  | ^ here";
    let diagnostic = Diagnostic::error("more expected").at(span(0, 0, 0), "here");
    check(&[("a.hs", Some(""))], &diagnostic, expect);
    let expect = "
error: inside a character
 --> a.hs:1:2
  |
1 | añb
  |  ^ here";
    let diagnostic = Diagnostic::error("inside a character").at(span(0, 2, 3), "here");
    check(&[("a.hs", Some("añb"))], &diagnostic, expect);
}

#[test]
fn a_span_of_several_lines_ends_with_its_last_line() {
    let expect = "
error: all wrong
 --> a.hs:2:1
  |
2 | / main = foo 3
3 | |
4 | | foo x = x +
  | |___________^ this";
    for end in [MAIN.len() - 1, MAIN.len()] {
        let diagnostic = Diagnostic::error("all wrong").at(span(0, 12, end as u32), "this");
        check(&[("a.hs", Some(MAIN))], &diagnostic, expect);
    }
}

#[test]
fn long_lines_are_clipped_around_the_label() {
    let line = format!("x = {} bad {}\nshort", "y".repeat(1_000_000), "z".repeat(1_000_000));
    let files = [("a.py", Some(line.as_str()))];
    let expect = "
error: long
 --> a.py:1:1000006
  |
1 | …yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy bad \
zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz…
  |                                          ^^^ bad";
    let at = "x = ".len() as u32 + 1_000_001;
    check(&files, &Diagnostic::error("long").at(span(0, at, at + 3), "bad"), expect);
    let everything = Diagnostic::error("long").at(span(0, 0, u32::MAX), "x".repeat(1_000_000));
    assert!(render(&everything, &sources(&files), Colour::Never).len() < 10_000);
}

#[test]
fn nothing_in_a_text_moves_the_cursor() {
    let text = "a\u{1b}[2J\u{9b}1\u{202e}b\rc";
    let diagnostic = Diagnostic::error("bad \u{1b}[31m name").at(span(0, 0, 1), "b\u{7}");
    let expect = "
error: bad ␛[31m name
 --> e␛.hs:1:1
  |
1 | a␛[2J�1�b␍c
  | ^ b␇";
    check(&[("e\u{1b}.hs", Some(text))], &diagnostic, expect);
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let diagnostic = Diagnostic::error("no").at(span(0, 0, 6), "here").with_hint("yes");
    let of = sources(&[("a.hs", Some(MAIN))]);
    assert!(render(&diagnostic, &of, Colour::Always).contains("\u{1b}["));
    assert!(!render(&diagnostic, &of, Colour::Never).contains('\u{1b}'));
    assert!(render(&diagnostic, &of, Colour::Always).contains("a.hs:1:1"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_diagnostic_can_be_shown(
        texts in proptest::collection::vec(proptest::option::of("([a-z ]{0,9}|\\PC|[\n\r\t\u{1b}é漢\u{200d}\u{301}]){0,30}"), 0..3),
        labels in proptest::collection::vec((0..3u32, 0..80u32, 0..80u32, "[a-z]{0,3}"), 0..5),
        message in "\\PC{0,9}\n?[a-z]{0,9}",
    ) {
        let mut of = Sources::new();
        for text in texts {
            of.add(SourceFile::new("f", text));
        }
        let mut diagnostic = Diagnostic::error(message).with_note("n").with_hint("");
        for (index, (file, start, end, text)) in labels.into_iter().enumerate() {
            let at = span(file, start, end);
            diagnostic = if index == 0 { diagnostic.at(at, text) } else { diagnostic.and(at, text) };
        }
        let shown = render(&diagnostic, &of, Colour::Never);
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
        render(&diagnostic, &of, Colour::Always);
    }
}

#[test]
fn code_is_shown_in_full_whatever_its_length() {
    let lines: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
    let long = format!("{}{}", "x".repeat(150), "y".repeat(150));
    let text = format!("{}\n{long}\n", lines.join("\n"));
    let at = |line: usize| lines[..line - 1].iter().map(|line| line.len() as u32 + 1).sum::<u32>();
    let sources = sources(&[("a.hs", Some(&text))]);
    let spans = [span(0, at(20), at(21) - 1), span(0, at(3), at(15) - 1)];
    let shown = render_code("the code", &spans, &sources, Colour::Never);
    for number in (3..15).chain([20]) {
        assert!(shown.contains(&format!("line {number}\n")), "line {number} is hidden:\n{shown}");
    }
    for number in [2, 17, 21, 22] {
        assert!(!shown.contains(&format!("line {number}\n")), "line {number} is shown:\n{shown}");
    }
    assert!(shown.contains("a.hs:3:1") && shown.contains("a.hs:20:1"), "{shown}");
    // What is labelled of a long line is shown in full, too.
    let start = text.find('x').unwrap() as u32;
    let shown = render_code("the code", &[span(0, start, start + 300)], &sources, Colour::Never);
    assert!(shown.contains(&long), "{shown}");
}
