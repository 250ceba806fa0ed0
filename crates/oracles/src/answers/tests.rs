use super::*;
use crate::sample::{Sample, answer, sample};
use gadfly_engine::Unwatched;
use proptest::prelude::*;

fn parse(text: &str) -> Answers {
    Answers::parse("answers.txt", text).unwrap()
}

/// What a script says of a question.
fn check(script: &str, sample: &Sample, expected: Option<&str>) {
    let said = parse(script).judge(&sample.query(), &Unwatched).unwrap();
    assert_eq!(said, expected.map(answer), "{script}");
}

fn check_error(script: &str, message: &str, hint: &str) {
    let error = Answers::parse("answers.txt", script).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert!(error.hint().contains(hint), "{}", error.hint());
}

#[test]
fn a_line_answers_its_equation() {
    let question = sample("comput2", &["3"], "9");
    check("comput2 3 = 9: correct", &question, Some("correct"));
    check("comput2 3 = 9:wrong@result", &question, Some("wrong @result"));
    check("comput2 3 = 9: inadmissible @arg1", &question, Some("inadmissible @arg1"));
    check("  comput2  3=9 :  Don’t know  ", &question, Some("don't know"));
    check("comput2 3 = 8: wrong", &question, None);
    check("comput23 = 9: wrong", &question, None);
}

#[test]
fn lines_about_the_node_come_before_lines_about_the_equation_and_those_before_the_rest() {
    let question = sample("f", &["3"], "9");
    check("*: don't know\nf 3 = 9: wrong\nnode 7: correct @arg1", &question, Some("correct @arg1"));
    check("*: don't know\nf 3 = 9: wrong\nnode 8: correct", &question, Some("wrong"));
    check("*: don't know\nf 4 = 9: wrong", &question, Some("don't know"));
    check("", &question, None);
}

#[test]
fn byte_order_marks_comments_blank_lines_and_carriage_returns_say_nothing() {
    let script = "\u{feff}# f 3 = 9: wrong\r\n\r\n-- f 3 = 9: wrong\r\n   \r\n f 3 = 9: correct\r\n";
    check(script, &sample("f", &["3"], "9"), Some("correct"));
}

#[test]
fn the_answer_comes_after_the_last_colon_that_is_not_a_marks() {
    let subject = |line| split(line).map(|(subject, answer)| (subject, answer.to_string())).unwrap();
    assert_eq!(subject("f (x:xs) = [1:2]: wrong"), ("f (x:xs) = [1:2]", "wrong".to_owned()));
    assert_eq!(subject("f = 1: wrong @before:y"), ("f = 1", "wrong @before:y".to_owned()));
    assert_eq!(subject("f = 1:n @after:self.total.2"), ("f = 1", "wrong @after:self.total.2".to_owned()));
    assert_eq!(subject("f = 1: wrong @after:a:y"), ("f = 1", "wrong @after:a:y".to_owned()));
    assert_eq!(subject("f=a@b:wrong@result"), ("f=a@b", "wrong @result".to_owned()));
    let line = "f \"x: wrong @after:z\" = 3: y";
    assert_eq!(subject(line), ("f \"x: wrong @after:z\" = 3", "correct".to_owned()));
    assert_eq!(
        subject("while loop: b: 9 → 3: don't know"),
        ("while loop: b: 9 → 3", "don't know".to_owned())
    );
}

#[test]
fn white_space_counts_in_literals_only() {
    for (a, b) in [
        ("f [1, 2]  =  (3,4)", "f [1,2] = (3, 4)"),
        ("f \"a  b\"=1", "f  \"a  b\" = 1"),
        ("f 'a' x' =\t1", "f 'a'  x'= 1"),
        ("f \"\\\" \" = 1", "f \"\\\" \"=1"),
    ] {
        assert_eq!(normalise(a), normalise(b));
    }
    for (a, b) in [
        ("f \"a  b\" = 1", "f \"a b\" = 1"),
        ("f ' ' = 1", "f '' = 1"),
        ("f 1 2 = 3", "f 12 = 3"),
        ("f x 'y' = 3", "f x'y' = 3"),
        ("f \"\\\" \" = 1", "f \"\\\"\" = 1"),
    ] {
        assert_ne!(normalise(a), normalise(b));
    }
}

#[test]
fn strings_are_compared_to_the_letter() {
    let question = sample("f", &["1"], "2").with_string("a  b", 0);
    check("f 1 \"a  b\" = 2: wrong", &question, Some("wrong"));
    check("f 1 \"a b\" = 2: wrong", &question, None);
}

#[test]
fn errors_name_file_and_line_and_what_to_do() {
    check_error(
        "\n\nf 3 = 9",
        "answers.txt, line 3: the line has no colon, so it contains no answer",
        "EQUATION: ANSWER",
    );
    check_error(": wrong", "answers.txt, line 1: there is no equation before the colon", "EQUATION: ANSWER");
    check_error(
        "f = [1:2]",
        "answers.txt, line 1: `2]` is not an answer; answers are: correct, wrong, inadmissible, don't know, \
         trust function, trust module",
        "after the last colon",
    );
    check_error(
        "f = 1: wrong @foo",
        "answers.txt, line 1: `@foo` is not a mark; marks look like @result, @result.3, @arg1.2.1, @function, \
         @after:name",
        "after the last colon",
    );
    check_error("node 0: wrong", "answers.txt, line 1: there is no node 0", "from 1");
    let far = "node 99999999999999999999: wrong";
    check_error(far, "answers.txt, line 1: there is no node 99999999999999999999", "from 1");
}

#[test]
fn two_different_answers_to_the_same_are_an_error_that_names_both_lines() {
    check_error(
        "f 3 = 9: correct\n\nf  3=9: wrong",
        "answers.txt, line 3: this says `wrong`, but line 1 says `correct` about the same equation",
        "remove line 1 or line 3",
    );
    check_error(
        "node 7: wrong @arg1\nnode  7: wrong",
        "answers.txt, line 2: this says `wrong`, but line 1 says `wrong @arg1` about the same node",
        "remove line 1 or line 2",
    );
    check("f 3 = 9: correct\nf 3 = 9: yes", &sample("f", &["3"], "9"), Some("correct"));
}

#[test]
fn a_mark_that_leads_nowhere_is_told_with_its_line() {
    let error =
        parse("\nf 3 = 9: wrong @arg2").judge(&sample("f", &["3"], "9").query(), &Unwatched).unwrap_err();
    assert_eq!(error.message, "answers.txt, line 2: the equation has no part `@arg2`: `f 3 = 9`");
}

#[test]
fn unused_lines_are_listed() {
    let mut answers =
        parse("f 3 = 9: correct\n  g 1 = 2: wrong\nnode 4: correct\nf 3 = 9: yes\n*: don't know");
    assert_eq!(answers.unused().len(), 3);
    answers.judge(&sample("f", &["3"], "9").query(), &Unwatched).unwrap();
    let unused = answers.unused();
    assert_eq!(unused[0], Unused { line: 2, text: "g 1 = 2: wrong".to_owned() });
    assert_eq!(unused[1], Unused { line: 3, text: "node 4: correct".to_owned() });
    assert_eq!(unused.len(), 2);
}

#[test]
fn a_million_lines_are_no_trouble() {
    let mut script = String::new();
    for number in 0..1_000_000 {
        script.push_str(&format!("f {number} = {number}: wrong\n"));
    }
    check(&script, &sample("f", &["654321"], "654321"), Some("wrong"));
}

#[test]
fn long_texts_of_quotes_take_time_by_their_length() {
    let text = "'\\".repeat(500_000);
    assert_eq!(normalise(&text), text);
}

#[test]
fn files_that_cannot_be_read_or_are_not_text_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.txt");
    let error = Answers::open(&path).unwrap_err();
    assert!(matches!(error, OpenAnswersError::Io { .. }));
    assert!(error.to_string().contains("answers.txt") && error.hint().contains("answers:FILE"));
    fs::write(&path, b"f 3 = 9: correct\n\xff\n").unwrap();
    let error = Answers::open(&path).unwrap_err();
    assert!(error.to_string().ends_with("answers.txt, line 2: not UTF-8 text"), "{error}");
    fs::write(&path, "f 3 = 9: correct").unwrap();
    assert!(Answers::open(&path).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_script_or_an_error(text in "(\\PC|[:@'\"\\\\\n\r\t ]|wrong|node){0,60}") {
        let _ = Answers::parse("answers.txt", &text);
    }

    #[test]
    fn normalising_twice_changes_nothing(text in "(\\PC|['\"\\\\ ]){0,40}") {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once);
    }
}
