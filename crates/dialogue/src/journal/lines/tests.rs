use super::*;
use gadfly_engine::{Answer, Judgement, Mark, MarkKind};
use gadfly_term::{Part, Path, Root};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = Box<str>> {
    "\\PC{0,5}|[a-z0-9.:@]{0,5}|[\\x00-\\x20\"\\\\]{0,3}".prop_map(Into::into)
}

fn mark() -> impl Strategy<Value = Path> {
    let root = prop_oneof![
        Just(Root::Result),
        Just(Root::Function),
        any::<u32>().prop_map(Root::Argument),
        text().prop_map(Root::Before),
        text().prop_map(Root::After),
    ];
    let part = prop_oneof![any::<u32>().prop_map(Part::Index), text().prop_map(Part::Name)];
    (root, prop::collection::vec(part, 0..3)).prop_map(|(root, parts)| Path { root, parts })
}

fn answer() -> impl Strategy<Value = Answer> {
    let judgement = prop_oneof![
        Just(Judgement::Correct),
        Just(Judgement::Wrong),
        Just(Judgement::Inadmissible),
        Just(Judgement::DontKnow),
        Just(Judgement::TrustFunction),
        Just(Judgement::TrustModule),
    ];
    (judgement, prop::option::of(mark())).prop_map(|(judgement, mark)| {
        let kind =
            if judgement == Judgement::Inadmissible { MarkKind::Inadmissible } else { MarkKind::Wrong };
        let marks = mark.map(|path| Mark { path, kind }).into_iter().collect();
        Answer::with_marks(judgement, marks)
    })
}

fn who() -> impl Strategy<Value = Who> {
    prop::sample::select(vec![Who::Person, Who::Script, Who::Reference, Who::Trial, Who::Nobody])
}

fn given() -> impl Strategy<Value = Given> {
    (any::<u32>(), answer(), who()).prop_map(|(node, answer, by)| Given { node: Node(node), answer, by })
}

fn any_action() -> impl Strategy<Value = Action> {
    let revise = (any::<usize>(), any::<usize>(), answer(), who());
    prop_oneof![
        prop::collection::vec(given(), 0..4).prop_map(Action::Answer),
        revise.prop_map(|(number, row, answer, by)| Action::Revise { number, row, answer, by }),
        any::<usize>().prop_map(Action::Undo),
        Just(Action::Restart),
        prop::sample::select(StrategyName::ALL).prop_map(Action::Switch),
        "\\PC{0,5}".prop_map(Action::Trust),
        any::<u32>().prop_map(|node| Action::AskAbout(Node(node))),
        prop::collection::vec(any::<u32>().prop_map(Node), 0..4).prop_map(Action::OneByOne),
    ]
}

pub(in crate::journal) fn any_entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        4 => any_action().prop_map(Entry::Action),
        1 => (any::<u32>(), text(), any::<bool>())
            .prop_map(|(node, tree, by_hand)| Entry::Enter { node: Node(node), tree: tree.into(), by_hand }),

        1 => Just(Entry::Leave),
    ]
}

fn any_header() -> impl Strategy<Value = Header> {
    let settings = prop::collection::btree_map("\\PC{0,5}", "\\PC{0,5}", 0..3);
    (text(), settings).prop_map(|(tree, settings)| Header { tree: tree.into(), settings })
}

/// A journal of these actions.
fn written(of: &Header, actions: &[Entry]) -> Vec<u8> {
    let (mut journal, mut chain) = Chain::new().seal(header(of).unwrap());
    for one in actions {
        let (line, next) = chain.seal(entry(chain.next(), one, &["f 3 = 9", "f \"\\\" = …"]).unwrap());
        journal.push_str(&line);
        chain = next;
    }
    journal.into_bytes()
}

/// Reads what may be damaged, goes on with it, and reads it again: the actions before and the notice.
fn go_on_with(bytes: &[u8]) -> Result<(Vec<Entry>, Tail), JournalProblem> {
    let scan = scan(bytes)?;
    let mut mended = bytes[..scan.length as usize].to_vec();
    if scan.unfinished {
        mended.push(b'\n');
    }
    mended.extend(scan.chain.seal(end(scan.chain.next(), "bug").unwrap()).0.into_bytes());
    let again = super::scan(&mended[..]).unwrap();
    assert_eq!(again.entries, scan.entries);
    assert_eq!((again.tail, again.ended.as_deref()), (Tail::Whole, Some("bug")));
    Ok((scan.entries, scan.tail))
}

#[test]
fn lines_look_as_documented() {
    let settings = BTreeMap::from([("strategy".to_owned(), "optimal".to_owned())]);
    let header = Header { tree: "abc".to_owned(), settings };
    let given = |node, said: &str| {
        let (node, answer) = (Node::from_number(node).unwrap(), said.parse().unwrap());
        Given { node, answer, by: Who::Person }
    };
    let revised = "wrong @result".parse().unwrap();
    let journal = written(
        &header,
        &[
            Action::Answer(vec![given(7, "correct"), given(8, "wrong @arg1.2")]),
            Action::Revise { number: 1, row: 0, answer: revised, by: Who::Person },
            Action::Undo(1),
            Action::Restart,
            Action::Switch(StrategyName::TopDown),
        ]
        .map(Entry::Action),
    );
    let text = String::from_utf8(journal).unwrap();
    let bodies: Vec<_> = text.lines().map(|line| line.split_once(",\"check\":\"").unwrap().0).collect();
    assert_eq!(
        bodies,
        [
            r#"{"journal":"gadfly","version":2,"tree":"abc","settings":{"strategy":"optimal"}"#,
            concat!(
                r#"{"seq":1,"answer":[{"node":7,"equation":"f 3 = 9","answer":"correct","by":"person"},"#,
                r#"{"node":8,"equation":"f \"\\\" = …","answer":"wrong","marks":[{"path":"@arg1.2","kind":"wrong"}],"by":"person"}]"#
            ),
            r#"{"seq":2,"revise":{"question":1,"row":0,"answer":"wrong","marks":[{"path":"@result","kind":"wrong"}],"by":"person"}"#,
            r#"{"seq":3,"undo":1"#,
            r#"{"seq":4,"restart":{}"#,
            r#"{"seq":5,"switch":"top-down""#,
        ]
    );
    // The check is part of the format: a change of it needs a new version.
    assert!(text.contains("},\"check\":\"3a3abeea1c3e73af\"}\n"), "{text}");
    assert!(text.contains("],\"check\":\"330fd08d3f6e7032\"}\n"), "{text}");
}

#[test]
fn long_equations_are_cut() {
    let given = Given { node: Node::ROOT, answer: Answer::plain(Judgement::Wrong), by: Who::Person };
    let line =
        entry(1, &Entry::Action(Action::Answer(vec![given])), &["ü".repeat(1_000_000).as_str()]).unwrap();
    assert!(line.contains("üü…\"") && line.len() < 5000);
}

#[test]
fn what_is_whole_but_not_understood_is_told() {
    let (header, chain) = Chain::new().seal(header(&Header::default()).unwrap());
    for body in [
        r#"{"seq":1,"sing":1}"#,
        r#"{"seq":1,"switch":"guessing"}"#,
        r#"{"seq":2,"undo":1}"#,
        r#"{"seq":1,"undo":-1}"#,
        r#"{"seq":1,"answer":[{"node":0,"answer":"wrong","by":""}]}"#,
        r#"{"seq":1,"answer":[{"node":1,"answer":"maybe","by":""}]}"#,
    ] {
        let journal = header.clone() + &chain.seal(body.to_owned()).0;
        let error = scan(journal.as_bytes()).unwrap_err();
        assert!(matches!(error, JournalProblem::NotUnderstood { line: 2, .. }), "{error}");
    }
}

#[test]
fn a_hundred_megabytes_without_sense_are_no_trouble() {
    let journal = written(&Header::default(), &[Entry::Action(Action::Restart)]);
    let mut damaged = journal.clone();
    damaged.resize(100_000_000, 0);
    assert_eq!(go_on_with(&damaged).unwrap(), (vec![Entry::Action(Action::Restart)], Tail::Cut { line: 3 }));
    damaged.push(b'\n');
    assert!(matches!(go_on_with(&damaged).unwrap().1, Tail::Damaged { line: 3, .. }));
    assert!(matches!(scan(&damaged[journal.len()..]), Err(JournalProblem::NotAJournal)));
}

proptest! {
    #[test]
    fn what_was_written_is_read_back(header in any_header(), actions in prop::collection::vec(any_entry(), 0..6)) {
        let scan = scan(&written(&header, &actions)[..]).unwrap();
        prop_assert_eq!((scan.header, scan.entries, scan.tail), (Some(header), actions, Tail::Whole));
    }

    #[test]
    fn a_journal_cut_anywhere_is_a_beginning_of_it(actions in prop::collection::vec(any_entry(), 0..4)) {
        let journal = written(&Header::default(), &actions);
        let header = journal.iter().position(|byte| *byte == b'\n').unwrap();
        for cut in 0..journal.len() {
            match go_on_with(&journal[..cut]) {
                Ok((read, tail)) => {
                    prop_assert!(actions.starts_with(&read));
                    let lines = journal[..cut].iter().filter(|byte| **byte == b'\n').count();
                    // A line that lacks nothing but its line break is good.
                    prop_assert!(read.len() + 1 == lines.max(1) || tail == Tail::Whole);
                    let damaged = matches!(tail, Tail::Damaged { .. });
                    prop_assert!(!damaged);
                }
                Err(JournalProblem::Empty) => prop_assert_eq!(cut, 0),
                Err(JournalProblem::HeaderCut) => prop_assert!(cut < header),
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            }
        }
    }

    #[test]
    fn after_a_changed_byte_what_comes_before_is_good(
        actions in prop::collection::vec(any_entry(), 1..4),
        change in 1..=255_u8,
    ) {
        let journal = written(&Header::default(), &actions);
        for place in 0..journal.len() {
            let mut damaged = journal.clone();
            damaged[place] ^= change;
            let before = journal[..place].iter().filter(|byte| **byte == b'\n').count();
            match go_on_with(&damaged) {
                Ok((read, tail)) if before == 0 => {
                    prop_assert_eq!((read, tail), (actions.clone(), Tail::Whole), "a byte of the first line loses nothing");
                }
                Ok((read, tail)) => {
                    prop_assert_eq!(&read[..], &actions[..before - 1]);
                    prop_assert_ne!(tail, Tail::Whole);
                }
                Err(error) => prop_assert!(false, "byte {}: {}", place, error),
            }
        }
    }

    #[test]
    fn lines_that_are_missing_or_moved_are_noticed(
        actions in prop::collection::vec(any_entry(), 3..6),
        from in 0..5_usize,
        to in 0..5_usize,
    ) {
        let journal = written(&Header::default(), &actions);
        let mut lines: Vec<&[u8]> = journal.split_inclusive(|byte| *byte == b'\n').collect();
        let (from, to) = (1 + from % actions.len(), 1 + to % actions.len());
        let moved = lines.remove(from);
        let first = if from == to { from } else { lines.insert(to, moved); from.min(to) };
        let (read, tail) = go_on_with(&lines.concat()).unwrap();
        prop_assert_eq!(&read[..], &actions[..first - 1]);
        let last = from == to && from == actions.len();
        let noticed = matches!(tail, Tail::Damaged { line, .. } if line == first + 1);
        prop_assert!(noticed || last);
    }

    #[test]
    fn any_bytes_are_a_journal_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = scan(&bytes[..]);
        let mut journal = written(&Header::default(), &[]);
        journal.extend(bytes);
        prop_assert!(go_on_with(&journal).is_ok());
    }
}
