use super::*;
use crate::sample::{Sample, answer, sample};
use gadfly_engine::Unwatched;
use proptest::prelude::*;
use std::fs;

/// An oracle that is a shell script.
fn shell(script: &str, time_out: u64) -> CommandOracle {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    let time_out = Duration::from_millis(time_out);
    CommandOracle { words, style: Style::Juxtaposed, time_out, process: None, failed: None }
}

fn question() -> Sample {
    sample("comput2", &["3"], "9")
}

/// What a shell script says of `comput2 3 = 9`.
fn check(script: &str, expected: Option<&str>) {
    let said = shell(script, 20_000).judge(&question().query(), &Unwatched).unwrap();
    assert_eq!(said, expected.map(answer), "{script}");
}

fn check_error(script: &str, time_out: u64, message: &str) {
    let mut oracle = shell(script, time_out);
    let error = oracle.judge(&question().query(), &Unwatched).unwrap_err();
    assert_eq!(error.message, message);
    assert!(error.hint.is_some());
    assert!(oracle.process.is_none(), "it is ended");
    assert_eq!(oracle.judge(&question().query(), &Unwatched), Err(error), "it is not asked again");
}

#[test]
fn a_question_is_a_line_of_json() {
    let line =
        |sample: &Sample| String::from_utf8(super::question(&sample.query(), Style::Juxtaposed)).unwrap();
    let mut sample = question();
    sample.rule_text = None;
    assert_eq!(
        line(&sample),
        concat!(
            r#"{"type":"question","number":1,"node":7,"function":"comput2","module":null,"rule":1,"#,
            r#""arguments":["3"],"result":"9","equation":"comput2 3 = 9"}"#,
            "\n"
        )
    );
    let mut sample = question().changing("n", "1", "2");
    sample.equation.arguments[0].name = Some("x".into());
    let Outcome::Value(result) = sample.equation.outcome else { unreachable!() };
    sample.equation.outcome = Outcome::Exception(result);
    let line = line(&sample);
    for field in [
        r#""source":"comput2 x = …""#,
        r#""parameters":["x"]"#,
        r#""result":null,"exception":"9""#,
        r#""before":[{"name":"n","value":"1"}],"after":[{"name":"n","value":"2"}]"#,
    ] {
        assert!(line.contains(field), "{line}");
    }
}

#[test]
fn an_answer_is_a_line_of_json() {
    check(r#"read q; echo '{"answer":"correct"}'"#, Some("correct"));
    check(
        r#"read q; echo '{"answer":"wrong","mark":"@result","by":"me","number":1,"node":7}'"#,
        Some("wrong @result"),
    );
    check(r#"read q; echo; echo ' { "answer" : "dont know", "mark": null } '"#, Some("don't know"));
    check(r#"read q; printf '{"answer":"wrong"}'"#, Some("wrong"));
    check(r#"read q; echo '{"answer":null}'"#, None);
}

#[test]
fn one_program_answers_all_questions() {
    let script =
        r#"n=0; while read -r q; do n=$((n+1)); echo "{\"number\":$n,\"answer\":\"correct\"}"; done"#;
    let mut oracle = shell(script, 20_000);
    for number in 1..=50 {
        let said = oracle.judge(&question().numbered(number).query(), &Unwatched).unwrap();
        assert_eq!(said, Some(answer("correct")));
    }
}

#[test]
fn a_program_that_does_not_read_to_the_end_may_still_answer() {
    let question = question().with_string(&"long ".repeat(200_000), 0);
    let mut oracle = shell(r#"head -c 1 > /dev/null; echo '{"answer":"correct"}'"#, 20_000);
    assert_eq!(oracle.judge(&question.query(), &Unwatched), Ok(Some(answer("correct"))));
}

#[test]
fn questions_of_megabytes_arrive_whole() {
    let script = "import json, sys\n\
        for line in sys.stdin:\n\
        \x20   size = len(json.loads(line)['arguments'][1])\n\
        \x20   print(json.dumps({'answer': 'correct' if size == 8000002 else 'wrong'}), flush=True)\n";
    let words = ["python3", "-c", script].map(str::to_owned).to_vec();
    let mut oracle = CommandOracle { words, ..shell("", 60_000) };
    let question = question().with_string(&"12345678".repeat(1_000_000), 0);
    assert_eq!(oracle.judge(&question.query(), &Unwatched), Ok(Some(answer("correct"))));
}

#[test]
fn a_program_that_cannot_be_started_is_told() {
    let mut oracle =
        CommandOracle::new("/no/such/program x", Style::Called, CommandOracle::TIME_OUT).unwrap();
    let error = oracle.judge(&question().query(), &Unwatched).unwrap_err();
    assert!(error.message.starts_with("cannot start the oracle `/no/such/program`: "), "{error}");
    assert!(error.hint.unwrap().contains("sh -c"));
}

#[test]
fn a_program_that_dies_is_told_with_its_status() {
    let message = "the oracle `sh` ended (exit status: 3) before it answered question 1";
    check_error("read q; exit 3", 20_000, message);
    check_error("exit 3", 20_000, message);
    check_error("sleep 5 & exit 3", 20_000, message);
    let message = "the oracle `sh` ended (signal: 9 (SIGKILL)) before it answered question 1";
    check_error("read q; kill -9 $$", 20_000, message);
}

#[test]
fn a_program_that_dies_between_questions_is_told_with_the_next() {
    let mut oracle = shell(r#"read q; echo '{"answer":"correct"}'; exit 4"#, 20_000);
    assert_eq!(oracle.judge(&question().query(), &Unwatched), Ok(Some(answer("correct"))));
    let error = oracle.judge(&question().numbered(2).query(), &Unwatched).unwrap_err();
    assert_eq!(error.message, "the oracle `sh` ended (exit status: 4) before it answered question 2");
}

#[test]
fn a_program_that_closes_its_pipes_is_told() {
    let message = "the oracle `sh` closed its output before it answered question 1";
    check_error("exec >&-; exec sleep 5", 20_000, message);
    let mut oracle = shell("exec <&-; exec sleep 5", 20_000);
    let question = question().with_string(&"long ".repeat(200_000), 0);
    let error = oracle.judge(&question.query(), &Unwatched).unwrap_err();
    assert_eq!(error.message, "the oracle `sh` closed its input before it answered question 1");
}

#[test]
fn a_program_that_hangs_is_ended() {
    let message = "the oracle `sh` did not answer question 1 within 0.1 s and was stopped";
    check_error("exec sleep 60", 100, message);
    check_error("exec yes ''", 100, message);
    let mut oracle = shell("exec sleep 60", 100);
    let question = question().with_string(&"long ".repeat(200_000), 0);
    assert_eq!(oracle.judge(&question.query(), &Unwatched).unwrap_err().message, message);
}

#[test]
fn nonsense_is_shown() {
    let check_nonsense = |said: &str, why: &str| {
        let message = format!("the oracle `sh` gave an invalid answer to question 1: {why}");
        check_error(&format!("read q; printf '{said}'"), 20_000, &message);
    };
    check_nonsense("yes\\n", "the line is not JSON: `yes\\n`");
    check_nonsense("[]\\n", "the line is not a JSON object: `[]\\n`");
    check_nonsense("{\"answer\":\"corr", "the line is not JSON: `{\"answer\":\"corr`");
    check_nonsense("\\377\\n", "the line is not UTF-8 text: `\u{fffd}\\n`");
    check_nonsense("{}\\n", "the field `answer` is missing: `{}\\n`");
    check_nonsense("{\"answer\":1}\\n", "`answer` is not a string: `{\"answer\":1}\\n`");
    check_nonsense("{\"answer\":\"maybe\"}", "`maybe` is not an answer: `{\"answer\":\"maybe\"}`");
    check_nonsense(
        "{\"answer\":\"y\",\"number\":7}",
        "`number` is `7`, not 1: `{\"answer\":\"y\",\"number\":7}`",
    );
    check_nonsense(
        "{\"answer\":\"y\",\"node\":[]}",
        "`node` is `[]`, not 7: `{\"answer\":\"y\",\"node\":[]}`",
    );
    check_nonsense(
        "{\"answer\":\"n\",\"mark\":\"@arg9\"}",
        "the equation has no part `@arg9`: `{\"answer\":\"n\",\"mark\":\"@arg9\"}`",
    );
    check_nonsense(
        "{\"answer\":\"n\",\"mark\":1}",
        "a mark is a text such as `@result.3`: `{\"answer\":\"n\",\"mark\":1}`",
    );
}

#[test]
fn a_line_without_end_is_nonsense() {
    let why = "the line is longer than 1048576 bytes";
    let beginning = "x".repeat(80);
    let message = format!("the oracle `sh` gave an invalid answer to question 1: {why}: `{beginning}…`");
    check_error("tr '\\0' x < /dev/zero", 20_000, &message);
}

#[test]
fn what_nobody_asked_for_is_told_and_not_taken_for_the_next_answer() {
    // The second question is asked only when the second answer is known to be there.
    let script = r#"read q; echo '{"answer":"correct"}
{"answer":"wrong"}'; read q"#;
    let mut oracle = shell(script, 20_000);
    assert_eq!(oracle.judge(&question().query(), &Unwatched), Ok(Some(answer("correct"))));
    let error = oracle.judge(&question().numbered(2).query(), &Unwatched);
    let message =
        "the oracle `sh` wrote a line before question 2 was asked: `{\"answer\":\"wrong\"}\\n`".to_owned();
    match error {
        Err(error) => assert_eq!(error.message, message),
        // The second line was still on its way: nothing can tell then, except for a program that repeats the number.
        Ok(said) => assert_eq!(said, Some(answer("wrong"))),
    }
}

#[test]
fn the_program_may_finish_its_work_when_the_session_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bye");
    let script = format!("read q; echo '{{\"answer\":null}}'; read q; echo bye > '{}'", file.display());
    let mut oracle = shell(&script, 20_000);
    assert_eq!(oracle.judge(&question().query(), &Unwatched), Ok(None));
    drop(oracle);
    assert_eq!(fs::read_to_string(&file).unwrap(), "bye\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_stays_is_ended_with_the_session() {
    let mut oracle = shell(r#"read q; echo '{"answer":null}'; exec sleep 60"#, 20_000);
    assert_eq!(oracle.judge(&question().query(), &Unwatched), Ok(None));
    let id = oracle.process.as_ref().unwrap().id();
    drop(oracle);
    assert!(!fs::exists(format!("/proc/{id}")).unwrap(), "neither running nor a zombie");
}

proptest! {
    #[test]
    fn any_line_is_an_answer_or_nonsense(line in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = read_answer(&line, &question().query());
    }

    #[test]
    fn any_object_is_an_answer_or_nonsense(word in "[a-z' ]{0,12}|correct|wrong", mark in "@?[a-z0-9.:]{0,8}") {
        let line = serde_json::json!({ "answer": word, "mark": mark }).to_string();
        let _ = read_answer(line.as_bytes(), &question().query());
    }
}

#[test]
fn what_the_program_has_started_does_not_outlive_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (answers, asked) in
        [("while read q; do echo '{\"answer\":\"correct\"}'; done", Ok(Some("correct"))), ("exit 3", Err(()))]
    {
        let heard = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        let script = format!("exec 9> {}; (sleep 8; echo alive >&9) & {answers}", pipe.display());
        let mut oracle = shell(&script, 20_000);
        let said = oracle.judge(&question().query(), &Unwatched);
        assert_eq!(said.map_err(drop), asked.map(|said| said.map(answer)), "{answers}");
        drop(oracle);
        // The pipe ends when nobody can write to it any more.
        assert_eq!(heard.join().unwrap(), "", "{answers}");
    }
}
