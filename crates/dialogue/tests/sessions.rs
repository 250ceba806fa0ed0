//! Whole sessions as plain data: no thread, no file, no clock.

mod laws;
mod stage;

use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::journal::Entry;
use gadfly_dialogue::protocol::{
    Basis, Doing, Ending, Event, Input, Look, Looked, NodeRef, Refusal, Verdict,
};
use gadfly_dialogue::{Dialogue, Done, Job, JournalLine, Output, Stimulus, Worker, drive, levels};
use gadfly_engine::{Answer, Judgement, Oracle, OracleError, Query, Unwatched, Watch, Who};
use gadfly_tree::{Kind, Node};
use stage::{Doubting, Truth, dialogue, dialogue_with_tables, events, hello, recording, said, worker};
use std::sync::atomic::AtomicBool;

/// 0 calls 1 and 4; 1 calls 2 and 3.
const TREE: &[u32] = &[0, 1, 1, 0];
/// The inside of a call: two statements, the second of which has two parts.
const INSIDE: &[u32] = &[0, 0, 2, 2];

fn answer(question: usize, word: &str) -> Input {
    Input::Answer { question, rows: vec![word.parse().expect("an answer")] }
}

/// The work that outputs start.
fn jobs(outputs: &[Output]) -> Vec<(gadfly_dialogue::protocol::JobId, Job)> {
    let started = outputs.iter().filter_map(|output| match output {
        Output::Start(id, job) => Some((*id, job.clone())),
        _ => None,
    });
    started.collect()
}

fn entries(outputs: &[Output]) -> Vec<Entry> {
    let written = outputs.iter().filter_map(|output| match output {
        Output::Write(JournalLine::Entry(entry, _)) => Some(entry.clone()),
        _ => None,
    });
    written.collect()
}

fn verdict(outputs: &[Output]) -> Option<Verdict> {
    events(outputs).into_iter().rev().find_map(|event| match event {
        Event::Verdict(verdict) => Some(verdict.clone()),
        _ => None,
    })
}

fn question(outputs: &[Output]) -> Option<(usize, NodeRef)> {
    events(outputs).into_iter().rev().find_map(|event| match event {
        Event::Question(question) => Some((question.number, question.rows[0].at)),
        _ => None,
    })
}

/// Lets a dialogue hear an input as one who has seen everything, and does the work at once.
fn say(dialogue: &mut Dialogue, worker: &mut Worker, input: Input) -> Vec<Output> {
    let stimulus = said(dialogue.seen(), input);
    drive::inline(dialogue, worker, stimulus)
}

#[test]
fn a_session_with_zoom_a_slow_oracle_a_cancel_and_a_resume() {
    let (program, inside) = (recording(1, TREE, Kind::Routine), recording(2, INSIDE, Kind::Block));
    let trees = vec![program.tree().clone(), inside.tree().clone()];
    let truth = || Truth { bugs: vec![Node(1), Node(4)], trees: trees.clone(), silent: Vec::new() };
    let mut work = worker(Some(truth()), true, Some(inside.clone()));
    let mut first = dialogue(&program, &work, Vec::new(), 0);
    let mut written = Vec::new();

    // The oracle is slow: nothing is asked of the person while it works, and commands are refused.
    let outputs = first.handle(hello());
    let (id, job) = jobs(&outputs).remove(0);
    assert!(matches!(job, Job::Ask(_)) && question(&outputs).is_none());
    let progress = first.handle(Stimulus::Progress { job: id, done: 0, of: Some(1) });
    assert!(matches!(events(&progress)[0], Event::Working { doing: Doing::Asking, .. }));
    let refused = first.handle(said(0, Input::Undo { steps: 1 }));
    assert!(matches!(events(&refused)[0], Event::Refused { why: Refusal::NotNow { .. } }));

    // It is cancelled: the person is asked instead. What the oracle says too late is not heard.
    let stopped = first.handle(said(0, Input::Cancel { job: id }));
    assert!(matches!(stopped[..], [Output::Stop(stop)] if stop == id));
    let cancelled = AtomicBool::new(true);
    assert!(matches!(work.work(job.clone(), &cancelled), Done::Cancelled));
    let outputs = first.handle(Stimulus::Done { job: id, result: Done::Cancelled });
    let (number, at) = question(&outputs).expect("the person is asked");
    let late = first.handle(Stimulus::Done { job: id, result: work.work(job, &Unwatched) });
    assert!(late.is_empty());

    // The person answers; from there on the oracle does, down to the call, and inside it.
    let wrong = program.tree().is_within(Node(1), at.node);
    let outputs = say(&mut first, &mut work, answer(number, if wrong { "wrong" } else { "correct" }));
    written.extend(entries(&outputs));
    assert!(
        events(&outputs).iter().any(|event| matches!(event, Event::Entered { level: 1, certain: true, .. }))
    );
    let Some(Verdict::Bug(bug)) = verdict(&outputs) else { panic!("{outputs:?}") };
    assert_eq!((bug.place.function.as_str(), bug.basis), ("f4", Basis::Answers));
    assert_eq!(bug.place.node, 5 + 5, "numbers go on inside");
    assert!(matches!(bug.call.as_deref(), Some(Verdict::Bug(call)) if call.place.function == "f1"));

    // A step is taken back inside, the session is left and resumed: it stands where it stood.
    let outputs = first.handle(said(first.seen(), Input::Undo { steps: 1 }));
    written.extend(entries(&outputs));
    let saved = levels(&written);
    assert_eq!(saved.len(), 2);
    let mut work = worker(None, true, Some(inside));
    let mut second = dialogue(&program, &work, saved, written.len() as u64);
    let outputs = drive::inline(&mut second, &mut work, hello());
    assert!(entries(&outputs).is_empty(), "nothing is written twice: {outputs:?}");
    let (number, at) = question(&outputs).expect("a question inside");
    assert_eq!((number, at.level), (second.questions() + 1, 1));
    let outputs = say(&mut second, &mut work, Input::Quit);
    assert!(matches!(events(&outputs)[..], [Event::Ended { how: Ending::Quit { .. } }]));
}

#[test]
fn a_verdict_that_is_doubted_is_not_shown() {
    let program = recording(1, TREE, Kind::Routine);
    let truth = Truth { bugs: vec![Node(2)], trees: vec![program.tree().clone()], silent: Vec::new() };
    let mut work = worker(Some(truth), false, None);
    work.reviewer = Some(Box::new(Doubting(true)));
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let outputs = drive::inline(&mut dialogue, &mut work, hello());
    let told = events(&outputs);
    let doubted = told.iter().position(|event| matches!(event, Event::Doubted { .. })).expect("a doubt");
    let verdicts: Vec<usize> = (0..told.len()).filter(|at| matches!(told[*at], Event::Verdict(_))).collect();
    assert!(verdicts.len() == 1 && verdicts[0] > doubted);
    assert!(dialogue.is_ended());
}

#[test]
fn a_line_of_the_journal_comes_before_what_follows_from_it() {
    let program = recording(1, TREE, Kind::Routine);
    let mut work = worker(None, true, None);
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let outputs = drive::inline(&mut dialogue, &mut work, hello());
    let (number, _) = question(&outputs).expect("a question");
    let outputs = say(&mut dialogue, &mut work, answer(number, "wrong"));
    assert!(matches!(outputs[0], Output::Write(_)), "{outputs:?}");
    assert!(matches!(events(&outputs)[0], Event::Answered(_)));
}

#[test]
fn who_has_not_seen_everything_is_refused() {
    let program = recording(1, TREE, Kind::Routine);
    let mut work = worker(None, true, None);
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let outputs = drive::inline(&mut dialogue, &mut work, hello());
    let (number, _) = question(&outputs).expect("a question");
    say(&mut dialogue, &mut work, answer(number, "wrong"));
    let refused = dialogue.handle(said(0, answer(number + 1, "wrong")));
    assert!(matches!(events(&refused)[..], [Event::Refused { why: Refusal::Stale { journal: 1 } }]));
    // Looking is always possible, and another question's answer is not taken.
    let looked = dialogue.handle(said(0, Input::Look { at: Look::History }));
    assert!(matches!(events(&looked)[..], [Event::Looked { found: Looked::History { .. } }]));
    let refused = dialogue.handle(said(1, answer(9, "wrong")));
    assert!(matches!(
        events(&refused)[..],
        [Event::Refused { why: Refusal::OtherQuestion { open: Some(2) } }]
    ));
}

#[test]
fn calls_are_entered_and_left_by_hand() {
    let (program, inside) = (recording(1, TREE, Kind::Routine), recording(2, INSIDE, Kind::Block));
    let mut work = worker(None, true, Some(inside));
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    drive::inline(&mut dialogue, &mut work, hello());
    let node = 2;
    let mut written = Vec::new();
    let outputs = say(&mut dialogue, &mut work, Input::Enter { node });
    written.extend(entries(&outputs));
    assert_eq!(question(&outputs).expect("a question").1.level, 1);
    let outputs = say(&mut dialogue, &mut work, Input::Leave);
    written.extend(entries(&outputs));
    assert_eq!(question(&outputs).expect("a question").1.level, 0);
    assert_eq!(levels(&written).len(), 1);
    let outputs = say(&mut dialogue, &mut work, Input::AskAbout { node });
    assert_eq!(question(&outputs).expect("a question").1, NodeRef { level: 0, node: Node(1) });
    let outputs = say(&mut dialogue, &mut work, Input::Trust { names: "f4".to_owned() });
    assert!(question(&outputs).is_some());
    let outputs = say(&mut dialogue, &mut work, Input::Trust { names: "nothing".to_owned() });
    assert!(matches!(events(&outputs)[0], Event::Refused { .. }));
}

#[test]
fn a_verdict_can_be_rejected() {
    let program = recording(1, &[0], Kind::Routine);
    let mut work = worker(None, true, None);
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let mut outputs = drive::inline(&mut dialogue, &mut work, hello());
    while verdict(&outputs).is_none() {
        let (number, at) = question(&outputs).expect("a question");
        let word = if at.node == Node(0) { "wrong" } else { "correct" };
        outputs = say(&mut dialogue, &mut work, answer(number, word));
    }
    let because = Some("it is meant to be so".to_owned());
    let outputs = say(&mut dialogue, &mut work, Input::Reject { because });
    assert!(matches!(verdict(&outputs), Some(Verdict::None { .. })), "{outputs:?}");
    let report = dialogue.report();
    assert!(report.questions.iter().any(|asked| asked.last.because.is_some()));
}

#[test]
fn an_oracle_that_knows_nothing_leaves_the_session_undecided() {
    let program = recording(1, TREE, Kind::Routine);
    let silent = (0..5).map(Node).collect();
    let truth = Truth { bugs: vec![Node(2)], trees: vec![program.tree().clone()], silent };
    let mut work = worker(Some(truth), false, None);
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let outputs = drive::inline(&mut dialogue, &mut work, hello());
    assert!(matches!(verdict(&outputs), Some(Verdict::Unsure { candidates, .. }) if candidates.len() == 5));
}

#[test]
fn looking_changes_nothing() {
    let program = recording(1, TREE, Kind::Routine);
    let mut work = worker(None, true, None);
    let mut dialogue = dialogue(&program, &work, Vec::new(), 0);
    let (number, _) = question(&drive::inline(&mut dialogue, &mut work, hello())).expect("a question");
    for at in [
        Look::Why,
        Look::Left,
        Look::History,
        Look::Whole { node: None },
        Look::Code { node: None },
        Look::IfAnswered { answer: Judgement::Wrong },
    ] {
        let outputs = say(&mut dialogue, &mut work, Input::Look { at });
        assert!(matches!(events(&outputs).last(), Some(Event::Looked { .. })), "{outputs:?}");
        assert!(entries(&outputs).is_empty());
    }
    assert_eq!((dialogue.open_question(), dialogue.seen()), (Some(number), 0));
    let answer = Answer::plain(Judgement::Wrong);
    let refused = say(&mut dialogue, &mut work, Input::Revise { question: 7, row: Some(1), answer });
    assert!(matches!(events(&refused)[..], [Event::Refused { why: Refusal::Nonsense { .. } }]));
}

/// Panics when it is asked.
struct Fragile;

impl Oracle for Fragile {
    fn who(&self) -> Who {
        Who::Command
    }

    fn judge(&mut self, _query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        panic!("this oracle is fragile")
    }
}

#[test]
fn nobody_waits_for_a_worker_that_is_gone() {
    let program = recording(1, TREE, Kind::Routine);
    let mut work = worker(None, false, None);
    work.oracles.push(Box::new(Fragile));
    work.oracles.push_person();
    let dialogue = dialogue(&program, &work, Vec::new(), 0);
    let mut driver = Driver::new(dialogue, work, None);
    driver.take(hello());
    // It may wait in the queue of a worker that panics, or find no worker.
    driver.say(Input::Look { at: Look::Left });
    while driver.is_working() {
        driver.wait();
    }
    assert_eq!(driver.dialogue().open_question(), Some(1));
    driver.say(Input::Quit);
    while !driver.dialogue().is_ended() {
        driver.wait();
    }
}

/// A watch may be any flag.
#[test]
fn a_flag_is_a_watch() {
    assert!(!AtomicBool::new(false).is_cancelled());
}

/// The rows of a table that are asked about one by one: each answer is a question of its own, in the journal before the next
/// question, in the history, undone alone and still there after a resume.
#[test]
fn every_answer_to_a_row_is_an_answer() {
    let program = recording(1, &[0; 10], Kind::Routine);
    let mut work = worker(None, true, None);
    let mut first = dialogue_with_tables(&program, &work, Vec::new(), 0, 20);
    let mut written = Vec::new();
    let mut outputs = drive::inline(&mut first, &mut work, hello());
    let (number, _) = question(&outputs).expect("a question");
    outputs = say(&mut first, &mut work, answer(number, "wrong"));
    written.extend(entries(&outputs));
    let Some((2, table)) = question(&outputs) else { panic!("{outputs:?}") };
    outputs = say(&mut first, &mut work, Input::OneByOne { question: 2 });
    written.extend(entries(&outputs));
    for number in 2..5 {
        let (asked, at) = question(&outputs).expect("the next row");
        assert_eq!((asked, at.node), (number, Node(table.node.0 + number as u32 - 2)));
        outputs = say(&mut first, &mut work, answer(number, "correct"));
        let write = outputs.iter().position(|output| matches!(output, Output::Write(_)));
        let ask = outputs.iter().position(
            |output| matches!(output, Output::Event(message) if matches!(message.body, Event::Question(_))),
        );
        assert!(write.expect("a line of the journal") < ask.expect("a question"));
        written.extend(entries(&outputs));
    }
    assert_eq!(first.questions(), 4);

    let mut second = dialogue_with_tables(&program, &work, levels(&written), written.len() as u64, 20);
    outputs = drive::inline(&mut second, &mut work, hello());
    assert!(matches!(events(&outputs)[0], Event::Opened { resumed: 4, .. }));
    assert_eq!(question(&outputs).map(|(number, at)| (number, at.node)), Some((5, Node(table.node.0 + 3))));

    // One step back is one answer back; before the first of them, the table is one question again.
    for left in [3, 2, 1] {
        outputs = say(&mut second, &mut work, Input::Undo { steps: 1 });
        assert_eq!(second.questions(), left);
        assert_eq!(question(&outputs).map(|(number, _)| number), Some(left + 1));
    }
    outputs = say(&mut second, &mut work, Input::Undo { steps: 1 });
    let is_table = |event: &&Event| matches!(event, Event::Question(question) if question.rows.len() > 1);
    assert!(events(&outputs).iter().any(is_table), "{outputs:?}");

    // A table that was answered as a whole is revised row by row.
    outputs = say(
        &mut second,
        &mut work,
        Input::Answer { question: 2, rows: vec!["correct".parse().expect("an answer"); 10] },
    );
    assert!(verdict(&outputs).is_some());
    let revised = |row| Input::Revise { question: 2, row, answer: "wrong".parse().expect("an answer") };
    outputs = say(&mut second, &mut work, revised(None));
    assert!(matches!(events(&outputs)[..], [Event::Refused { .. }]), "{outputs:?}");
    outputs = say(&mut second, &mut work, revised(Some(3)));
    let Some(Verdict::Bug(bug)) = verdict(&outputs) else { panic!("{outputs:?}") };
    assert_eq!(bug.place.node, 4);
}
