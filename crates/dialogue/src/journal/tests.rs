use super::*;
use gadfly_engine::{Given, Who};
use gadfly_tree::Node;
use proptest::prelude::*;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn header() -> Header {
    let settings = BTreeMap::from([("memo".to_owned(), "true".to_owned())]);
    Header { tree: "fingerprint".to_owned(), settings }
}

fn answer(node: u32, said: &str) -> Entry {
    Entry::Action(Action::Answer(vec![Given {
        node: Node(node),
        answer: said.parse().unwrap(),
        by: Who::Person,
    }]))
}

/// A closed journal of three answers in a new folder.
fn three_answers() -> (TempDir, PathBuf) {
    let folder = folder();
    let path = folder.path().join("journal");
    let mut journal = Journal::create(&path, &header()).unwrap().journal;
    for action in actions() {
        journal.append(&action, &["f 3 = 9"]).unwrap();
    }
    (folder, path)
}

fn actions() -> [Entry; 3] {
    [answer(0, "wrong"), answer(1, "correct @arg1"), answer(2, "don't know")]
}

/// Edits one line of a journal, from 1.
fn edit(path: &Path, line: usize, edit: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.split_inclusive('\n').enumerate();
    let edited: String =
        lines.map(|(at, one)| if at + 1 == line { edit(one) } else { one.to_owned() }).collect();
    fs::write(path, edited).unwrap();
}

fn check_error(path: &Path, message: &str) {
    let before = fs::read(path).ok();
    let error = Journal::resume(path).unwrap_err();
    assert_eq!(error.to_string(), format!("{}: {message}", path.display()));
    assert!(!error.hint().is_empty());
    assert_eq!(fs::read(path).ok(), before, "nothing is changed");
}

#[test]
fn an_earlier_journal_that_was_ended_is_known_to_be() {
    let (_folder, path) = three_answers();
    let mut second = Journal::create(&path, &header()).unwrap();
    assert!(second.kept.is_some_and(|kept| !kept.ended));
    second.journal.append(&answer(0, "wrong"), &["f 3 = 9"]).unwrap();
    second.journal.end("bug").unwrap();
    drop(second.journal);
    assert!(Journal::create(&path, &header()).unwrap().kept.is_some_and(|kept| kept.ended));
}

#[test]
fn a_journal_is_resumed_and_goes_on() {
    let (_folder, path) = three_answers();
    let mut resumed = Journal::resume(&path).unwrap();
    assert_eq!(resumed.about, About::Session(header()));
    assert_eq!(resumed.entries, actions());
    assert_eq!((resumed.ended, resumed.notices), (None, Vec::new()));
    resumed.journal.append(&Entry::Action(Action::Undo(2)), &[]).unwrap();
    resumed.journal.end("bug").unwrap();
    drop(resumed.journal);
    let mut resumed = Journal::resume(&path).unwrap();
    assert_eq!((resumed.entries.len(), resumed.ended.as_deref()), (4, Some("bug")));
    resumed.journal.append(&Entry::Action(Action::Restart), &[]).unwrap();
    drop(resumed.journal);
    let resumed = Journal::resume(&path).unwrap();
    assert_eq!((resumed.entries.len(), resumed.ended), (5, None));
}

#[test]
fn an_action_is_in_the_file_when_append_returns() {
    let folder = folder();
    let path = folder.path().join("a").join("b").join("journal");
    let mut journal = Journal::create(&path, &header()).unwrap().journal;
    for (count, action) in actions().iter().enumerate() {
        journal.append(action, &["f 3 = 9"]).unwrap();
        assert_eq!(lines::scan(&fs::read(&path).unwrap()[..]).unwrap().entries, actions()[..=count]);
    }
    assert_eq!(journal.path(), path);
}

#[test]
fn a_last_line_that_was_cut_is_dropped() {
    let (_folder, path) = three_answers();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let mut resumed = Journal::resume(&path).unwrap();
    assert_eq!(resumed.entries, actions()[..2]);
    assert_eq!(resumed.notices, [JournalNotice::Cut { line: 4 }]);
    let notice = "line 4 of the journal was not written to its end, and is dropped";
    assert_eq!(resumed.notices[0].to_string(), notice);
    resumed.journal.append(&actions()[2], &["f 3 = 9"]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn an_edited_line_and_what_follows_is_moved_aside() {
    let (_folder, path) = three_answers();
    let whole = fs::read_to_string(&path).unwrap();
    for moved_to in ["journal.damaged", "journal.damaged.1", "journal.damaged.2"] {
        fs::write(&path, &whole).unwrap();
        edit(&path, 3, |line| line.replace("correct", "wrong"));
        let damaged = fs::read_to_string(&path).unwrap();
        let resumed = Journal::resume(&path).unwrap();
        assert_eq!(resumed.entries, actions()[..1]);
        let moved_to = path.with_file_name(moved_to);
        assert_eq!(fs::read_to_string(&path).unwrap() + &fs::read_to_string(&moved_to).unwrap(), damaged);
        let notice = format!(
            "line 3 of the journal was changed after it was written; what comes before it is kept, \
             the rest was moved to {}",
            moved_to.display()
        );
        assert_eq!(resumed.notices[0].to_string(), notice);
    }
    fs::write(&path, &whole).unwrap();
    edit(&path, 2, |_| String::new());
    let notices = Journal::resume(&path).unwrap().notices;
    assert!(notices[0].to_string().contains("line 2 of the journal has the number 2, where 1 was expected"));
}

#[test]
fn what_cannot_be_resumed_is_told_and_left_alone() {
    let (_folder, path) = three_answers();
    let whole = fs::read(&path).unwrap();
    let header_only = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&path, &whole[..header_only]).unwrap();
    edit(&path, 1, |line| line.replace("fingerprint", "other"));
    let message =
        "line 1: the line was changed after it was written, and no answer follows that shows what it was";
    check_error(&path, message);
    fs::write(&path, &whole[..50]).unwrap();
    check_error(&path, "line 1: the journal was cut off before the first answer");
    fs::write(&path, "").unwrap();
    check_error(&path, "the journal is empty");
    fs::write(&path, "my diary\n\0\n").unwrap();
    check_error(&path, "line 1: this is not a journal");
    fs::write(&path, b"\xff\xfe\n").unwrap();
    check_error(&path, "line 1: this is not a journal");
    fs::write(&path, "{\"journal\":\"gadfly\",\"version\":3,\"novelty\":[]}\n").unwrap();
    check_error(&path, "line 1: the journal is of version 3; this Gadfly knows versions up to 2");
    fs::remove_file(&path).unwrap();
    assert!(matches!(Journal::resume(&path).unwrap_err().problem, JournalProblem::Io(_)));
    assert!(matches!(Journal::resume(path.parent().unwrap()).unwrap_err().problem, JournalProblem::Io(_)));
    let nowhere = Path::new("/dev/null/journal");
    assert!(matches!(Journal::create(nowhere, &header()).unwrap_err().problem, JournalProblem::Io(_)));
}

#[test]
fn a_damaged_bit_in_the_first_line_loses_no_answer() {
    let (_folder, path) = three_answers();
    let whole = fs::read(&path).unwrap();
    let end = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for place in 0..=end {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).unwrap();
        let mut resumed = Journal::resume(&path).unwrap_or_else(|error| panic!("byte {place}: {error}"));
        assert_eq!(resumed.entries, actions(), "byte {place}");
        match resumed.about {
            About::Session(known) => assert_eq!(known, header(), "byte {place}"),
            About::Answered(equations) => assert_eq!(equations[1], (Node(1), "f 3 = 9".to_owned())),
        }
        assert!(matches!(resumed.notices[..], [JournalNotice::Header { .. }]), "byte {place}");
        resumed.journal.append(&answer(3, "correct"), &["g 4 = 5"]).unwrap();
        drop(resumed.journal);
        assert_eq!(Journal::resume(&path).unwrap().entries.len(), 4, "byte {place}");
    }
}

#[test]
fn only_one_session_has_a_journal() {
    let (_folder, path) = three_answers();
    let first = Journal::resume(&path).unwrap();
    check_error(&path, "another session is writing this journal");
    assert!(matches!(Journal::create(&path, &header()).unwrap_err().problem, JournalProblem::Locked));
    drop(first);
    assert!(Journal::resume(&path).is_ok());
}

#[test]
fn a_new_session_keeps_the_answers_of_older_ones() {
    let folder = folder();
    let path = folder.path().join("journal");
    let mine = folder.path().join("journal.2");
    fs::write(&mine, "my diary").unwrap();
    for round in 0..12 {
        let Created { mut journal, kept } = Journal::create(&path, &header()).unwrap();
        assert_eq!(kept.map(|kept| kept.path), (round > 0).then(|| folder.path().join("journal.1")));
        journal.append(&answer(round, "wrong"), &[]).unwrap();
    }
    assert_eq!(Journal::resume(&path).unwrap().entries, [answer(11, "wrong")]);
    for (number, round) in [(1, 10), (3, 9), (9, 3)] {
        let older = Journal::resume(&folder.path().join(format!("journal.{number}"))).unwrap();
        assert_eq!(older.entries, [answer(round, "wrong")]);
    }
    assert_eq!(fs::read_to_string(&mine).unwrap(), "my diary");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 10);
}

#[test]
fn a_new_session_takes_the_place_of_a_journal_without_answers() {
    let folder = folder();
    let path = folder.path().join("journal");
    let created = || Journal::create(&path, &header()).unwrap().kept;
    assert_eq!(created(), None);
    assert_eq!(created(), None);
    let whole = fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(9) {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(created(), None);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    edit(&path, 1, |line| line.replace("fingerprint", "other"));
    assert!(created().is_some(), "what is not as it was written is not thrown away");
}

#[test]
fn a_new_session_never_takes_the_place_of_something_else() {
    let folder = folder();
    let path = folder.path().join("journal");
    fs::write(&path, "my diary\n").unwrap();
    let error = Journal::create(&path, &header()).unwrap_err();
    assert!(matches!(error.problem, JournalProblem::NotAJournal));
    assert_eq!(fs::read_to_string(&path).unwrap(), "my diary\n");
    for number in 1..=9 {
        fs::write(folder.path().join(format!("journal.{number}")), "my diary").unwrap();
    }
    fs::remove_file(&path).unwrap();
    Journal::create(&path, &header()).unwrap().journal.append(&answer(0, "wrong"), &[]).unwrap();
    let error = Journal::create(&path, &header()).unwrap_err();
    assert!(matches!(error.problem, JournalProblem::NoPlace), "{error}");
    assert_eq!(Journal::resume(&path).unwrap().entries, [answer(0, "wrong")]);
}

#[test]
fn what_could_not_be_written_can_be_written_again() {
    let (_folder, path) = three_answers();
    let mut journal = Journal::resume(&path).unwrap().journal;
    let writable = std::mem::replace(&mut journal.file, File::open(&path).unwrap());
    assert!(journal.append(&Entry::Action(Action::Restart), &[]).is_err());
    assert!(journal.append(&Entry::Action(Action::Restart), &[]).is_err());
    journal.file = writable;
    // As if the disk had been full in the middle of the line.
    journal.file.seek(SeekFrom::End(0)).unwrap();
    journal.file.write_all(br#"{"seq":4,"resta"#).unwrap();
    journal.append(&Entry::Action(Action::Undo(1)), &[]).unwrap();
    drop(journal);
    let resumed = Journal::resume(&path).unwrap();
    assert_eq!(
        (resumed.entries.last(), resumed.notices),
        (Some(&Entry::Action(Action::Undo(1))), Vec::new())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_session_killed_at_any_moment_is_resumed(
        actions in prop::collection::vec(lines::tests::any_entry(), 0..5),
        later in lines::tests::any_entry(),
        cut in 0.0..1.0_f64,
    ) {
        let folder = folder();
        let path = folder.path().join("journal");
        let mut journal = Journal::create(&path, &header()).unwrap().journal;
        let begin = journal.length;
        for action in &actions {
            journal.append(action, &["f 3 = 9"]).unwrap();
        }
        let length = begin + ((journal.length - begin) as f64 * cut) as u64;
        journal.file.set_len(length).unwrap();
        drop(journal);
        let mut resumed = Journal::resume(&path).unwrap();
        prop_assert!(actions.starts_with(&resumed.entries));
        resumed.journal.append(&later, &["g 3 = 9"]).unwrap();
        drop(resumed.journal);
        let again = Journal::resume(&path).unwrap();
        prop_assert!(again.notices.is_empty());
        prop_assert_eq!(again.entries.len(), resumed.entries.len() + 1);
        prop_assert_eq!(again.entries.last(), Some(&later));
    }
}
