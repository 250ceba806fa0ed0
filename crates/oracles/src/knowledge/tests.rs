use super::*;
use crate::sample::{Sample, answer, given, sample};
use gadfly_engine::Unwatched;
use gadfly_tree::Node;
use redb::{Database, ReadableDatabase as _, ReadableTableMetadata as _, TableDefinition};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

struct Base {
    folder: TempDir,
}

impl Base {
    fn new() -> Base {
        Base { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("deep").join("knowledge.redb")
    }

    /// The project of a program in the folder.
    fn project(&self, file: &str) -> Project {
        Project::of(&self.folder.path().join(file), Some("tests"))
    }

    /// As a session of its own.
    fn session(&self) -> Knowledge {
        Knowledge::new(self.path(), "Haskell", self.project("double.hs"))
    }

    fn learn(&self, sample: &Sample, said: &str, by: &str) {
        let mut session = self.session();
        session.learn(&sample.query(), &given(said, by)).unwrap();
        session.flush().unwrap();
    }

    fn check(&self, sample: &Sample, expected: Option<&str>) {
        assert_eq!(
            self.session().judge(&sample.query(), &Unwatched),
            Ok(expected.map(answer)),
            "{}",
            sample.text
        );
    }

    fn check_error(&self, message: &str) {
        let expected = message.replace("PATH", &self.path().display().to_string());
        let question = sample("f", &["3"], "9");
        let before = fs::read(self.path()).unwrap();
        let mut session = self.session();
        let errors = [
            session.judge(&question.query(), &Unwatched).unwrap_err(),
            session.learn(&question.query(), &given("wrong", "person")).unwrap_err(),
            session.forget(&question.query()).unwrap_err(),
        ];
        drop(session);
        for error in errors {
            assert_eq!(error.message, expected);
            assert!(error.hint.is_some());
        }
        assert_eq!(fs::read(self.path()).unwrap(), before, "nothing is overwritten");
    }
}

#[test]
fn what_was_learned_is_known_in_the_next_session() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    base.check(&question, None);
    assert!(!base.path().exists(), "asking makes no file");
    base.learn(&question, "wrong @result", "person");
    base.check(&question, Some("wrong @result"));
    base.check(&question.at(99), Some("wrong @result"));
    base.check(&sample("f", &["3"], "8"), None);
}

#[test]
fn everything_that_an_answer_depends_on_is_part_of_its_key() {
    let base = Base::new();
    let question = || sample("f", &["3"], "9").changing("n", "1", "2");
    base.learn(&question(), "wrong", "person");
    base.check(&question(), Some("wrong"));
    base.check(&sample("f", &["3"], "9"), None);
    base.check(&sample("f", &["3"], "9").changing("n", "1", "3"), None);
    base.check(&sample("g", &["3"], "9").changing("n", "1", "2"), None);
    let edited = Sample { rule_text: Some("f x = x * x".to_owned()), ..question() };
    base.check(&edited, None);
    let mut other = question();
    other.rule.number = None;
    base.check(&other, None);
    let mut other = question();
    other.rule.module = Some("Main".into());
    base.check(&other, None);
    let said = Knowledge::new(base.path(), "curry", base.project("double.hs"))
        .judge(&question().query(), &Unwatched);
    assert_eq!(said, Ok(None));
}

#[test]
fn without_source_or_with_parts_not_shown_nothing_is_learned_or_answered() {
    let base = Base::new();
    let without_source = Sample { rule_text: None, ..sample("f", &["3"], "9") };
    let cut = sample("f", &["3"], "9").with_string("abc", 7);
    for question in [&without_source, &cut] {
        base.learn(question, "wrong", "person");
        base.check(question, None);
    }
    assert!(!base.path().exists());
}

#[test]
fn only_judgements_of_others_are_learned() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    for said in ["don't know", "trust function", "trust module"] {
        base.learn(&question, said, "person");
    }
    base.learn(&question, "wrong", "knowledge");
    base.check(&question, None);
    base.learn(&question, "inadmissible @arg1", "person");
    base.check(&question, Some("inadmissible @arg1"));
}

#[test]
fn only_a_person_overrules_a_person() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    base.learn(&question, "wrong", "command");
    base.learn(&question, "correct", "answers");
    base.check(&question, Some("correct"));
    base.learn(&question, "wrong @arg1", "person");
    base.learn(&question, "correct", "command");
    base.check(&question, Some("wrong @arg1"));
    base.learn(&question, "correct", "person");
    base.check(&question, Some("correct"));
}

#[test]
fn a_bundle_is_known_before_it_is_written_and_written_at_the_end() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    let mut session = base.session();
    session.learn(&question.query(), &given("wrong", "command")).unwrap();
    assert!(!base.path().exists());
    assert_eq!(session.judge(&question.query(), &Unwatched), Ok(Some(answer("wrong"))));
    drop(session);
    base.check(&question, Some("wrong"));
    let mut session = base.session();
    for number in 0..1000 {
        let question = sample("f", &[&number.to_string()], "9");
        session.learn(&question.query(), &given("wrong", "command")).unwrap();
    }
    assert!(session.pending.len() < BUNDLE);
}

#[test]
fn what_was_taken_back_is_forgotten() {
    let base = Base::new();
    let (one, other) = (sample("f", &["3"], "9"), sample("f", &["4"], "9"));
    let mut session = base.session();
    session.forget(&one.query()).unwrap();
    session.learn(&one.query(), &given("wrong", "person")).unwrap();
    session.learn(&other.query(), &given("wrong", "command")).unwrap();
    session.forget(&one.query()).unwrap();
    session.forget(&other.query()).unwrap();
    drop(session);
    base.check(&one, None);
    base.check(&other, None);
}

#[test]
fn a_mark_that_cannot_be_written_as_text_is_kept() {
    let base = Base::new();
    let question = sample("f", &["3"], "9").changing("x.1", "1", "2");
    let mark = gadfly_term::Path { root: gadfly_term::Root::After("x.1".into()), parts: Vec::new() };
    let said = Answer::plain(Judgement::Wrong).marking(mark, gadfly_engine::MarkKind::Wrong);
    base.session()
        .learn(&question.query(), &Given { node: Node(6), answer: said.clone(), by: Who::Person })
        .unwrap();
    assert_eq!(base.session().judge(&question.query(), &Unwatched), Ok(Some(said)));
}

#[test]
fn a_base_that_another_program_holds_is_told() {
    let base = Base::new();
    base.learn(&sample("f", &["4"], "9"), "wrong", "person");
    let held = Database::open(base.path()).unwrap();
    let error = base.session().judge(&sample("f", &["3"], "9").query(), &Unwatched).unwrap_err();
    assert!(error.message.ends_with("is in use by another program"), "{error}");
    let mut session = base.session();
    let question = sample("f", &["5"], "9");
    assert!(session.learn(&question.query(), &given("wrong", "person")).is_err());
    assert!(session.learn(&question.query(), &given("correct", "command")).is_ok(), "told once is enough");
    drop(held);
    session.flush().unwrap();
    base.check(&question, Some("wrong"));
    base.check(&sample("f", &["4"], "9"), Some("wrong"));
}

#[test]
fn a_base_that_was_not_closed_is_no_trouble() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    base.learn(&question, "wrong", "person");
    // What a killed session leaves is the file as it is while it is open and written to.
    let open = Database::open(base.path()).unwrap();
    let transaction = open.begin_write().unwrap();
    transaction
        .open_table(TableDefinition::<&str, u64>::new("gadfly-knowledge"))
        .unwrap()
        .insert("x", 1)
        .unwrap();
    transaction.commit().unwrap();
    let copy = Base::new();
    fs::create_dir_all(copy.path().parent().unwrap()).unwrap();
    fs::copy(base.path(), copy.path()).unwrap();
    assert!(redb::ReadOnlyDatabase::open(copy.path()).is_err(), "it needs repair");
    copy.check(&question, Some("wrong"));
    copy.learn(&question, "correct", "person");
    copy.check(&question, Some("correct"));
}

#[test]
fn what_is_not_a_knowledge_base_is_told_and_left_alone() {
    let base = Base::new();
    fs::create_dir_all(base.path().parent().unwrap()).unwrap();
    let foreign = "PATH is not a knowledge base; Gadfly left the file unchanged";
    fs::write(base.path(), "my diary\n".repeat(1000)).unwrap();
    base.check_error(foreign);

    fs::remove_file(base.path()).unwrap();
    let others = Database::create(base.path()).unwrap();
    let transaction = others.begin_write().unwrap();
    transaction.open_table(TableDefinition::<u64, u64>::new("theirs")).unwrap().insert(1, 2).unwrap();
    transaction.commit().unwrap();
    drop(others);
    let error = base.session().judge(&sample("f", &["3"], "9").query(), &Unwatched).unwrap_err();
    assert!(error.message.ends_with(&foreign[4..]), "{error}");
    let error = base.session().learn(&sample("f", &["3"], "9").query(), &given("wrong", "person"));
    assert!(error.unwrap_err().message.ends_with(&foreign[4..]));
    let others = Database::open(base.path()).unwrap();
    assert_eq!(others.begin_read().unwrap().list_tables().unwrap().count(), 1);
}

#[test]
fn a_newer_base_is_told() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    base.learn(&question, "wrong", "person");
    let newer = Database::open(base.path()).unwrap();
    let transaction = newer.begin_write().unwrap();
    let about = TableDefinition::<&str, u64>::new("gadfly-knowledge");
    transaction.open_table(about).unwrap().insert("version", 3).unwrap();
    transaction.commit().unwrap();
    drop(newer);
    let error = base.session().judge(&question.query(), &Unwatched).unwrap_err();
    assert!(error.message.ends_with("has version 3, written by a newer Gadfly"), "{error}");
    let error = base.session().learn(&question.query(), &given("correct", "person")).unwrap_err();
    assert!(error.message.ends_with("has version 3, written by a newer Gadfly"), "{error}");
}

#[test]
fn folders_and_files_that_cannot_be_made_are_errors() {
    let base = Base::new();
    fs::create_dir_all(base.path()).unwrap();
    let question = sample("f", &["3"], "9");
    let error = base.session().judge(&question.query(), &Unwatched).unwrap_err();
    assert!(error.message.ends_with("cannot be used: it is not a file"), "{error}");
    let mut nowhere = Knowledge::new(Path::new("/dev/null/knowledge"), "haskell", base.project("double.hs"));
    assert!(nowhere.learn(&question.query(), &given("wrong", "person")).is_err());
    fs::remove_dir_all(base.path()).unwrap();
    fs::write(base.path(), "").unwrap();
    base.check(&question, None);
    base.learn(&question, "wrong", "person");
    base.check(&question, Some("wrong"));
}

#[test]
fn a_damaged_base_gives_an_error_or_the_right_answer() {
    let base = Base::new();
    let question = sample("f", &["3"], "9");
    base.learn(&question, "wrong", "person");
    let whole = fs::read(base.path()).unwrap();
    let places: Vec<usize> = (0..whole.len()).filter(|place| whole[*place] != 0).collect();
    assert!(places.len() > 300);
    for place in places.iter().step_by(places.len() / 150) {
        let mut damaged = whole.clone();
        damaged[*place] ^= 0x80;
        fs::write(base.path(), &damaged).unwrap();
        if let Ok(said) = base.session().judge(&question.query(), &Unwatched) {
            assert!(said.is_none() || said == Some(answer("wrong")), "byte {place}");
        }
    }
    fs::write(base.path(), &whole[..whole.len() / 2]).unwrap();
    let error = base.session().judge(&question.query(), &Unwatched).unwrap_err();
    assert!(error.message.contains("is damaged: "), "{error}");
}

#[test]
fn an_answer_about_one_program_is_none_about_another() {
    let base = Base::new();
    let program = |file: &str| {
        let file = base.folder.path().join(file).display().to_string();
        Sample { file: Some(file), ..sample("f", &["3"], "6") }
    };
    let (double, square) = (program("double.hs"), program("square.hs"));
    base.learn(&double, "correct", "person");
    base.check(&double, Some("correct"));
    base.check(&square, None);
    // The same names in another folder are another project.
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("double.hs");
    let other = Sample { file: Some(file.display().to_string()), ..sample("f", &["3"], "6") };
    let mut session = Knowledge::new(base.path(), "Haskell", Project::of(&file, None));
    assert_eq!(session.judge(&other.query(), &Unwatched), Ok(None));
    // A project with a name is the same wherever it is.
    let named = |file: &Path| Knowledge::new(base.path(), "Haskell", Project::of(file, Some("mine")));
    let here = base.folder.path().join("double.hs");
    named(&here).learn(&double.query(), &given("correct", "person")).unwrap();
    assert_eq!(named(&file).judge(&other.query(), &Unwatched), Ok(Some(answer("correct"))));
}

#[test]
fn what_the_whole_program_printed_is_no_knowledge() {
    let base = Base::new();
    let whole = sample("main", &[], "()").at(1);
    base.learn(&whole, "correct", "person");
    base.check(&whole, None);
    base.learn(&whole.at(2), "correct", "person");
    base.check(&sample("main", &[], "()").at(2), Some("correct"));
}

#[test]
fn answers_of_version_1_are_left_alone() {
    let base = Base::new();
    fs::create_dir_all(base.path().parent().unwrap()).unwrap();
    let old = Database::create(base.path()).unwrap();
    let transaction = old.begin_write().unwrap();
    let about = TableDefinition::<&str, u64>::new("gadfly-knowledge");
    let answers = TableDefinition::<&[u8], &[u8]>::new("answers");
    transaction.open_table(about).unwrap().insert("version", 1).unwrap();
    transaction.open_table(answers).unwrap().insert(&[1; 32][..], &[2; 40][..]).unwrap();
    transaction.commit().unwrap();
    drop(old);
    let notice = base.session().prepare().unwrap();
    assert!(notice.contains("has 1 answers of an older Gadfly"), "{notice}");
    let question = sample("f", &["3"], "9");
    base.check(&question, None);
    base.learn(&question, "wrong", "person");
    base.check(&question, Some("wrong"));
    assert_eq!(base.session().prepare(), None, "reported once");
    let old = Database::open(base.path()).unwrap();
    assert_eq!(old.begin_read().unwrap().open_table(answers).unwrap().len().unwrap(), 1);
}

/// Everything works again after a session has begun.
fn check_recovery(base: &Base, of: &str) {
    let question = sample("f", &["3"], "9");
    let notice = base.session().prepare();
    let known = base.session().judge(&question.query(), &Unwatched);
    assert!(matches!(&known, Ok(None)) || known == Ok(Some(answer("wrong"))), "{of}: {notice:?}, {known:?}");
    base.learn(&question, "correct", "person");
    base.check(&question, Some("correct"));
    let files = fs::read_dir(base.path().parent().unwrap()).unwrap().flatten();
    let names: Vec<_> = files.map(|file| file.file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| !name.contains(".new-")), "{of}: {names:?}");
    let kept = names.iter().filter(|name| name.contains(".damaged")).count();
    assert_eq!(kept, usize::from(notice.is_some_and(|notice| notice.contains(".damaged"))), "{of}");
}

#[test]
fn a_base_whose_creation_was_interrupted_is_set_aside() {
    let base = Base::new();
    base.learn(&sample("f", &["3"], "9"), "wrong", "person");
    let whole = fs::read(base.path()).unwrap();
    drop(base);
    let with = |bytes: &[u8], of: &str| {
        let base = Base::new();
        fs::create_dir_all(base.path().parent().unwrap()).unwrap();
        fs::write(base.path(), bytes).unwrap();
        check_recovery(&base, of);
    };
    // A full disk cuts it anywhere; a program that is killed has written only the first of its pieces.
    let mut lengths = vec![0, 1, 8, 9, 10, 64, 319, 320, 321, 512, 4095, 4096];
    lengths.extend((1..12).map(|twelfth| whole.len() * twelfth / 12));
    for length in lengths {
        with(&whole[..length], &format!("the first {length} bytes"));
        let mut rest_missing = whole.clone();
        rest_missing[length..].fill(0);
        with(&rest_missing, &format!("{length} bytes before zeros"));
        let mut not_known = whole.clone();
        not_known[..9].fill(0);
        not_known.truncate(length);
        with(&not_known, &format!("{length} bytes without what it is known by"));
    }
}

#[test]
fn what_a_killed_session_left_beside_the_base_is_cleared_up() {
    let base = Base::new();
    fs::create_dir_all(base.path().parent().unwrap()).unwrap();
    let left = base.path().with_file_name("knowledge.redb.new-999999");
    let held = base.path().with_file_name("knowledge.redb.new-999998");
    fs::write(&left, "begun").unwrap();
    let alive = fs::File::create(&held).unwrap();
    alive.lock().unwrap();
    base.learn(&sample("f", &["3"], "9"), "wrong", "person");
    assert!(!left.exists() && held.exists());
}

#[test]
fn the_answers_of_a_damaged_base_are_taken_over() {
    let base = Base::new();
    let question = |number: usize| sample("f", &[&number.to_string()], "9");
    let mut session = base.session();
    for number in 0..500 {
        session.learn(&question(number).query(), &given("wrong", "command")).unwrap();
    }
    session.flush().unwrap();
    drop(session);
    let whole = fs::read(base.path()).unwrap();
    let text = br#""by":"command""#;
    let places: Vec<usize> = (0..whole.len()).filter(|at| whole[*at..].starts_with(text)).collect();
    let mut messages = Vec::new();
    // Not every page of the file is in use.
    for at in places.iter().step_by(100) {
        let mut damaged = whole.clone();
        damaged[at + 7] ^= 1;
        fs::write(base.path(), damaged).unwrap();
        let mut session = base.session();
        assert_eq!(session.prepare(), None, "not every answer is looked at");
        let errors = (0..500).filter_map(|number| session.judge(&question(number).query(), &Unwatched).err());
        messages.extend(errors.map(|error| error.message));
    }
    assert!(!messages.is_empty());
    for message in messages {
        assert!(message.contains("499 answers were taken over into a new one"), "{message}");
    }
}
