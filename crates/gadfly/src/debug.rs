//! `gadfly debug`: asks questions until the bug is found.
//!
//! The session decides what to ask; this drives it: oracles, the person at the prompt, the journal, and what is shown.

pub(crate) mod begin;
mod blame;
mod chain;
mod prompt;
pub(crate) mod replay;
mod reply;
mod report;
pub(crate) mod subject;
mod telling;
mod zoom;

use crate::command::{Command, DebugArgs, DebugFormat, Line};
use crate::failure::Failure;
use crate::input::{self, Opened, Wanted};
use crate::output;
use crate::python::Recipe;
use crate::python::job::DebugTest;
use chain::{Asking, Chain, Spoken, is_enough};
use clap::Parser as _;
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{
    Action, ActionError, Answer, Given, Judgement, Question, Session, Settings, Step, Verdict, Who,
};
use gadfly_oracles::Journal;
use gadfly_term::render::Room;
use gadfly_tree::Node;
use output::Palette;
use prompt::{Prompt, Said};
use reply::Reply;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;
use std::time::Duration;
use subject::Subject;
use telling::Voice;
use zoom::{Inside, Zoom};

/// Debugs; gives the report of it.
pub(crate) fn run(args: &DebugArgs) -> Result<Option<serde_json::Value>, Failure> {
    if args.list_strategies {
        let mut out = output::stdout();
        for name in StrategyName::ALL {
            writeln!(out, "{:18} {}", name.name(), name.describe())?;
        }
        out.flush()?;
        return Ok(None);
    }
    // Clap asks for the file unless the list of strategies is wanted.
    let file = args.file.as_deref().ok_or_else(|| Failure::usage("name the tree to debug"))?;
    chain::check_names(&args.oracle)?;
    let person = chain::asks_person(&args.oracle);
    if file.as_os_str() == "-" && person {
        return Err(Failure::usage("the tree and the answers cannot both come from stdin")
            .with_hint("save the tree to a file, or let an oracle answer: `--oracle answers:FILE`"));
    }
    let wanted = Wanted {
        file,
        program: &args.program,
        view: &args.view,
        trust: &args.strategy.trust,
        person,
        reference: chain::asks_reference(&args.oracle),
        reference_files: chain::reference_files(&args.oracle),
        replay: args.replay.as_deref(),
    };
    let Opened { recording, heard, recipe } = input::open(&wanted)?;
    let subject = Subject::new(&recording);
    let player = zoom::player(recipe, &recording, args.oracle_timeout);
    let asking = Asking {
        timeout: args.oracle_timeout.map(Duration::from_secs),
        arguments: args.program.arguments.clone(),
        input: heard.bytes(),
        player: player.clone(),
    };
    let chain = Chain::new(&args.oracle, &asking, &subject)?;
    let mut settings = begin::settings(&args.strategy, &args.view, file, &subject);
    settings.ask_again = chain.has_person();
    let mut seen = None;
    if let Some(text) = &args.at_output {
        let (node, told) = begin::symptom(text, file, &subject)?;
        settings.symptoms = vec![node];
        settings.whole_is_wrong = true;
        seen = Some(told);
    }
    let test = args.replay.as_ref().map(|_| begin::at_test(&mut settings, &subject));
    begin::at_exception(&mut settings, &subject);
    let mut dialogue = Dialogue::new(args, &subject, chain, settings)?;
    dialogue.zoom = Zoom::new(&recording, player, &args.view, test);
    if let Some(told) = seen {
        writeln!(dialogue.out, "{told}")?;
    }
    let ending = dialogue.go_on()?;
    let report = dialogue.report(&ending);
    dialogue.close(matches!(ending, Ending::Verdict(Verdict::Unsure { .. }) | Ending::Inside(_)));
    if args.format == DebugFormat::Json {
        let mut out = output::stdout();
        writeln!(out, "{report}")?;
        out.flush()?;
    }
    match ending {
        Ending::Verdict(_) | Ending::Inside(_) | Ending::Quit | Ending::Back(_) => Ok(Some(report)),
        Ending::InputEnded => Err(Failure::input("the input ended before there was a verdict")
            .with_hint("answer the rest, or let an oracle answer: `--oracle answers:FILE`")),
    }
}

/// Debugs a test that the pytest plugin has recorded.
pub(crate) fn run_test(job: &std::path::Path) -> Result<Option<serde_json::Value>, Failure> {
    let test = DebugTest::read(job)?;
    let mut words = vec!["gadfly".into(), "debug".into(), test.trail.clone().into_os_string()];
    words.extend(["--format".into(), test.format.clone().into()]);
    words.extend(test.oracles.iter().flat_map(|oracle| ["--oracle".into(), oracle.into()]));
    words.extend(test.strategy.iter().flat_map(|name| ["--strategy".into(), name.into()]));
    let line = Line::try_parse_from(words).map_err(|error| Failure::usage(error.to_string()))?;
    let Command::Debug(mut args) = line.command else {
        return Err(Failure::usage("the job of the pytest plugin is not about debugging"));
    };
    args.replay = Some(Box::new(Recipe::of_test(&test)?));
    run(&args)
}

/// A session with everything around it.
struct Dialogue<'a> {
    subject: &'a Subject<'a>,
    session: Session,
    chain: Chain,
    journal: Option<Journal>,
    voice: Voice,
    prompt: Prompt,
    out: Box<dyn Write>,
    /// How it goes on inside of a call that was found, if it does.
    zoom: Option<Zoom>,
    /// If this goes on inside of a call: the answers before.
    inside: Option<String>,
    /// Whether a session that was left off is gone on with.
    resumes: bool,
    /// Whether this is about a call that only may be wrong: then nothing is said unless something is found in it.
    tentative: bool,
}

/// How a dialogue ends.
enum Ending {
    /// With a verdict inside of a call: what is to be reported of that.
    Inside(Box<Inside>),
    /// With a verdict.
    Verdict(Verdict),
    /// The person takes something back that was said before the session went inside of a call.
    Back(Action),
    /// The person left.
    Quit,
    /// There was nobody to answer any more.
    InputEnded,
}

/// What came of asking a person.
enum Outcome {
    /// Something to do.
    Do(Action),
    /// The end.
    End(Ending),
}

impl<'a> Dialogue<'a> {
    fn new(
        args: &DebugArgs,
        subject: &'a Subject<'a>,
        chain: Chain,
        mut settings: Settings,
    ) -> Result<Dialogue<'a>, Failure> {
        let prompt = Prompt::new();
        // With JSON on stdout, the talking goes to stderr, if there is anybody to talk to.
        let (out, terminal): (Box<dyn Write>, bool) = match args.format {
            DebugFormat::Text => (Box::new(io::stdout()), io::stdout().is_terminal()),
            DebugFormat::Json if chain.has_person() => (Box::new(io::stderr()), io::stderr().is_terminal()),
            DebugFormat::Json => (Box::new(io::sink()), false),
        };
        let voice = Voice { palette: Palette::for_terminal(terminal), width: output::width(), earlier: 0 };
        warn_of_unknown_trust(subject, &settings);
        let mut journal = None;
        let mut actions = Vec::new();
        let wanted = args.resume || args.journal.is_some() || chain.is_worth_keeping();
        let file = args.file.as_deref().unwrap_or(std::path::Path::new("-"));
        match replay::journal_path(file, args.journal.as_deref(), subject) {
            Some(path) if wanted && args.resume && path.exists() => {
                let resumed = replay::resume(&path, subject)?;
                let ask_again = settings.ask_again;
                settings = Settings { ask_again, ..replay::settings_of(&resumed.header, &settings, subject) };
                actions = resumed.actions;
                journal = Some(resumed.journal);
            }
            Some(path) if wanted => {
                if args.resume {
                    output::error_line("note: there is no session to resume for this tree; a new one begins");
                }
                journal = begin_journal(&path, subject, &settings)?;
            }
            None if wanted => output::error_line(
                "warning: there is no folder to keep the answers in; name a file with `--journal FILE`",
            ),
            _ => {}
        }
        let session =
            Session::new(Arc::clone(subject.recording.tree()), subject.recording.behaviours(), settings);
        let mut dialogue = Dialogue {
            subject,
            session,
            chain,
            journal,
            voice,
            prompt,
            out,
            zoom: None,
            inside: None,
            resumes: args.resume,
            tentative: false,
        };
        let resumed = actions.len();
        replay::play(&mut dialogue.session, actions)?;
        if args.resume && resumed > 0 {
            let answers = dialogue.session.asked().len();
            writeln!(dialogue.out, "Resumed with {answers} answer{}.", if answers == 1 { "" } else { "s" })?;
        }
        if let Some(strategy) = args.strategy.strategy
            && dialogue.session.strategy() != strategy
        {
            dialogue.apply(Action::Switch(strategy))?;
        }
        Ok(dialogue)
    }

    /// Asks until there is a verdict and nobody takes anything back, or nobody is there any more.
    fn go_on(&mut self) -> Result<Ending, Failure> {
        loop {
            match self.session.step().map_err(Failure::input)?.clone() {
                Step::Done(verdict) => {
                    if self.cannot_be(&verdict) && self.chain.be_strict() {
                        writeln!(
                            self.out,
                            "\nThat cannot be: the correct version has this just as it is. Once more, and stricter."
                        )?;
                        self.apply(Action::Restart)?;
                        continue;
                    }
                    let revised = self.by_elimination(&verdict).or_else(|| self.by_trial(&verdict));
                    if let Some((question, action)) = revised {
                        writeln!(self.out, "{question}")?;
                        self.apply(action)?;
                        continue;
                    }
                    if matches!(verdict, Verdict::Bug { .. })
                        && let Some(ending) = self.end_by_difference(&verdict)?
                    {
                        return Ok(ending);
                    }
                    let verdict = self.settled(&verdict).unwrap_or(verdict);
                    match self.look_inside(&verdict)? {
                        Some(Ending::Back(action)) => {
                            self.try_apply(action)?;
                            continue;
                        }
                        Some(ending) => {
                            self.end(&verdict);
                            return Ok(ending);
                        }
                        None => {}
                    }
                    if matches!(verdict, Verdict::Unsure { .. })
                        && let Some(ending) = self.end_by_difference(&verdict)?
                    {
                        return Ok(ending);
                    }
                    self.narrow(&verdict);
                    let found = matches!(&verdict, Verdict::Bug { node, .. } if *node != Node::ROOT);
                    if found || !self.tentative {
                        let text = self.voice.verdict(self.subject, &self.session, &verdict);
                        write!(self.out, "\n{text}")?;
                    }
                    self.out.flush()?;
                    self.end(&verdict);
                    match self.after_verdict()? {
                        Some(action) => match self.within(action) {
                            Ok(action) => self.try_apply(action)?,
                            Err(before) => return Ok(Ending::Back(before)),
                        },
                        None => return Ok(Ending::Verdict(verdict)),
                    }
                }
                Step::Ask(question) => {
                    let (Spoken::Known(given) | Spoken::Person(given)) =
                        match self.chain.before_person(self.subject, &question)? {
                            Spoken::Person(given) => match self.ask_person(&question, given)? {
                                Outcome::Do(Action::Answer(given)) => Spoken::Known(given),
                                Outcome::Do(action) => match self.within(action) {
                                    Ok(action) => {
                                        self.try_apply(action)?;
                                        continue;
                                    }
                                    Err(before) => return Ok(Ending::Back(before)),
                                },
                                Outcome::End(ending) => {
                                    self.left()?;
                                    return Ok(ending);
                                }
                            },
                            known => known,
                        };
                    self.take_in(&question, given)?;
                }
            }
        }
    }

    /// Where the answers do not lead to a verdict that can be: what a correct version has otherwise, if that tells.
    fn end_by_difference(&mut self, verdict: &Verdict) -> Result<Option<Ending>, Failure> {
        let Some(found) = self.by_difference(verdict) else { return Ok(None) };
        if !matches!(&found, Verdict::Unsure { candidates } if candidates.is_empty()) {
            let why = match verdict {
                Verdict::Unsure { .. } => {
                    "Nobody could tell. With this as in the correct version, the test passes:"
                }
                // The same verdict has code to blame that nobody saw run.
                _ if found == *verdict => {
                    "That cannot be either. What did not run here and is otherwise in the correct version:"
                }
                _ => "That cannot be either. What ran and is otherwise in the correct version:",
            };
            writeln!(self.out, "\n{why}")?;
        }
        write!(self.out, "\n{}", self.voice.verdict(self.subject, &self.session, &found))?;
        self.out.flush()?;
        self.end(&found);
        Ok(Some(Ending::Verdict(found)))
    }

    /// What a person wants done, as an action of this session; the error is one of the session before it went inside of a call.
    fn within(&self, action: Action) -> Result<Action, Action> {
        if self.inside.is_none() {
            return Ok(action);
        }
        match action {
            Action::Undo(steps) if steps > self.session.steps() => {
                Err(Action::Undo(steps - self.session.steps()))
            }
            Action::Revise { number, row, answer, by } => match number.checked_sub(self.voice.earlier) {
                Some(number) if number > 0 => Ok(Action::Revise { number, row, answer, by }),
                _ => Err(Action::Revise { number, row, answer, by }),
            },
            Action::Restart => Err(action),
            Action::Answer(_) | Action::Undo(_) | Action::Switch(_) => Ok(action),
        }
    }

    /// Applies the answers to a question; an answer that makes no sense is told, and a person may try again.
    fn take_in(&mut self, question: &Question, mut given: Vec<Given>) -> Result<(), Failure> {
        replay::fill(question, &mut given);
        let by_person = given.iter().all(|given| given.by == Who::Person);
        match self.session.apply(Action::Answer(given.clone())) {
            Ok(notices) => {
                self.write_down(&Action::Answer(given.clone()));
                let terminal = self.prompt.is_terminal();
                for given in given.iter().filter(|given| given.by != Who::Person || !terminal && !by_person) {
                    let line =
                        self.voice.answered(self.subject, given.node, &given.answer.to_string(), given.by);
                    writeln!(self.out, "{line}")?;
                }
                for notice in notices {
                    writeln!(self.out, "{}", self.voice.notice(self.subject, &notice))?;
                }
                Ok(())
            }
            Err(error) if by_person => Ok(writeln!(self.out, "{error}")?),
            Err(error) => Err(Failure::input(format!("question {}: {error}", question.number))),
        }
    }

    /// Does what a person said, or tells why it cannot be done.
    fn try_apply(&mut self, action: Action) -> Result<(), Failure> {
        match self.session.apply(action.clone()) {
            Ok(notices) => {
                self.write_down(&action);
                for notice in notices {
                    writeln!(self.out, "{}", self.voice.notice(self.subject, &notice))?;
                }
            }
            Err(ActionError::NoSuchQuestion(number)) => {
                let error = ActionError::NoSuchQuestion(number + self.voice.earlier);
                writeln!(self.out, "{error}")?;
            }
            Err(error) => writeln!(self.out, "{error}")?,
        }
        Ok(())
    }

    fn apply(&mut self, action: Action) -> Result<(), Failure> {
        self.session.apply(action.clone()).map_err(Failure::input)?;
        self.write_down(&action);
        Ok(())
    }

    /// Puts an action on disk before anything else is shown.
    fn write_down(&mut self, action: &Action) {
        let equations: Vec<String> = match action {
            Action::Answer(given) => given.iter().map(|given| self.subject.line(given.node)).collect(),
            _ => Vec::new(),
        };
        let equations: Vec<&str> = equations.iter().map(String::as_str).collect();
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.append(action, &equations)
        {
            let path = journal.path().display();
            output::error_line(&format!("warning: {path}: {error}; from here on the answers are not kept"));
            self.journal = None;
        }
    }

    fn end(&mut self, verdict: &Verdict) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.end(verdict.status())
        {
            output::error_line(&format!("warning: {}: {error}", journal.path().display()));
        }
    }

    /// Asks the person about the rows that have no answer yet.
    fn ask_person(&mut self, question: &Question, mut given: Vec<Given>) -> Result<Outcome, Failure> {
        let mut open = question.clone();
        open.rows.retain(|row| !given.iter().any(|given| given.node == row.node));
        let outcome = self.ask_rows(&open)?;
        let Outcome::Do(Action::Answer(said)) = outcome else { return Ok(outcome) };
        // "Don't know" from a person is for those behind in the row to better.
        let known = |one: &Given| one.answer.judgement != Judgement::DontKnow;
        given.extend(said.iter().filter(|one| known(one)).cloned());
        if !is_enough(question, &given) {
            self.chain.after_person(self.subject, question, &mut given)?;
            for one in said.into_iter().filter(|one| !known(one)) {
                if !given.iter().any(|given| given.node == one.node) {
                    given.push(one);
                }
            }
        }
        Ok(Outcome::Do(Action::Answer(given)))
    }

    /// Asks the person about all rows of a question.
    fn ask_rows(&mut self, question: &Question) -> Result<Outcome, Failure> {
        write!(self.out, "\n{}", self.voice.question(self.subject, question))?;
        let by = || Who::Person;
        loop {
            let Some(reply) = self.reply(question.rows.len(), &self.voice.prompt(question))? else {
                return Ok(Outcome::End(Ending::InputEnded));
            };
            let action = match reply {
                Reply::Answer(answer) if question.rows.len() == 1 => {
                    Action::Answer(vec![Given { node: question.rows[0].node, answer, by: by() }])
                }
                Reply::Answer(answer) => match answer.judgement {
                    Judgement::Correct => {
                        let all = question.rows.iter();
                        let given = all.map(|row| Given { node: row.node, answer: answer.clone(), by: by() });
                        Action::Answer(given.collect())
                    }
                    Judgement::DontKnow => return self.one_by_one(question),
                    Judgement::TrustFunction | Judgement::TrustModule => {
                        Action::Answer(vec![Given { node: question.rows[0].node, answer, by: by() }])
                    }
                    Judgement::Wrong | Judgement::Inadmissible => {
                        writeln!(
                            self.out,
                            "Which one? Say its number, as in `3` or `3 {}`.",
                            answer.judgement
                        )?;
                        continue;
                    }
                },
                Reply::Row(row, answer) => {
                    let right = |node| Given { node, answer: Answer::plain(Judgement::Correct), by: by() };
                    let mut given: Vec<Given> =
                        question.rows[..row].iter().map(|row| right(row.node)).collect();
                    given.push(Given { node: question.rows[row].node, answer, by: by() });
                    Action::Answer(given)
                }
                Reply::Undo(steps) => Action::Undo(steps),
                Reply::Revise(number, row, answer) => Action::Revise { number, row, answer, by: by() },
                Reply::Restart => Action::Restart,
                Reply::Switch(strategy) => Action::Switch(strategy),
                Reply::Quit => return Ok(Outcome::End(Ending::Quit)),
                other => {
                    self.inform(&other, Some(question))?;
                    continue;
                }
            };
            return Ok(Outcome::Do(action));
        }
    }

    /// A table that the person would rather see row by row.
    fn one_by_one(&mut self, question: &Question) -> Result<Outcome, Failure> {
        let mut given = Vec::new();
        for row in &question.rows {
            let single =
                Question { number: question.number, rows: vec![row.clone()], reason: question.reason };
            match self.ask_rows(&single)? {
                Outcome::Do(Action::Answer(one)) => given.extend(one),
                other => return Ok(other),
            }
            if is_enough(question, &given) {
                break;
            }
        }
        Ok(Outcome::Do(Action::Answer(given)))
    }

    /// After a verdict a person may still take something back.
    fn after_verdict(&mut self) -> Result<Option<Action>, Failure> {
        if !self.chain.has_person() {
            return Ok(None);
        }
        loop {
            let prompt = match self.prompt.is_terminal() {
                true => {
                    format!("{}[u takes back, q leaves]{} ", self.voice.palette.dim, self.voice.palette.off)
                }
                false => String::new(),
            };
            let Some(reply) = self.reply(1, &prompt)? else { return Ok(None) };
            return Ok(Some(match reply {
                Reply::Undo(steps) => Action::Undo(steps),
                Reply::Revise(number, row, answer) => Action::Revise { number, row, answer, by: Who::Person },
                Reply::Restart => Action::Restart,
                Reply::Quit => return Ok(None),
                Reply::Answer(_) | Reply::Row(..) | Reply::Switch(_) => {
                    writeln!(
                        self.out,
                        "There is nothing more to answer; say u to take something back, or q."
                    )?;
                    continue;
                }
                other => {
                    self.inform(&other, None)?;
                    continue;
                }
            }));
        }
    }

    /// Reads what the person says until it makes sense; `None` at the end of the input.
    fn reply(&mut self, rows: usize, prompt: &str) -> Result<Option<Reply>, Failure> {
        loop {
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            let line = match self.prompt.read(reply::KEYS)? {
                Said::Line(line) => line,
                Said::End => {
                    if !prompt.is_empty() {
                        writeln!(self.out)?;
                    }
                    return Ok(None);
                }
                Said::Interrupt => return Err(Failure::Interrupted),
            };
            if !self.prompt.is_terminal() && !prompt.is_empty() {
                // What came through a pipe is shown, so that the transcript can be read.
                writeln!(self.out, "{line}")?;
            }
            match reply::parse(&line, rows) {
                Ok(reply) => return Ok(Some(reply)),
                Err(_) if prompt.is_empty() && line.trim().is_empty() => {}
                Err(error) => writeln!(self.out, "{error}")?,
            }
        }
    }

    /// Tells what was asked for without changing anything.
    fn inform(&mut self, reply: &Reply, question: Option<&Question>) -> Result<(), Failure> {
        let text = match (reply, question) {
            (Reply::Help, _) => reply::HELP.to_owned(),
            (Reply::History, _) => match self.history() {
                none if none.is_empty() => "No answers yet.\n".to_owned(),
                answers => answers,
            },
            (Reply::Expected, _) => self.voice.expected(self.session.estimate()) + "\n",
            (Reply::Why, Some(question)) if question.rows.len() > 1 => {
                format!(
                    "They are small, and many: one question for all of them. The first was picked because {}.\n",
                    question.reason
                )
            }
            (Reply::Why, Some(question)) => format!("Because {}.\n", question.reason),
            (Reply::Whole, Some(question)) => {
                let mut text = String::new();
                for row in &question.rows {
                    let whole = self.subject.behaviour(row.node, true).map_err(Failure::input)?;
                    let room = Room { width: self.voice.width, lines: usize::MAX };
                    text.push_str(&self.subject.laid_out(&whole.equation, room).text);
                    text.push('\n');
                }
                text
            }
            (Reply::Code, Some(question)) => {
                let mut text = String::new();
                self.voice.source(self.subject, question.rows[0].node, &mut text);
                if text.is_empty() { "The source is not known.\n".into() } else { text }
            }
            _ => "There is no question now.\n".into(),
        };
        Ok(write!(self.out, "{text}")?)
    }

    /// All answers so far.
    fn history(&self) -> String {
        let before = self.inside.as_deref().unwrap_or_default();
        format!("{before}{}", self.voice.history(self.subject, &self.session.asked()))
    }

    /// The person left before there was a verdict.
    fn left(&mut self) -> Result<(), Failure> {
        let answers = self.session.asked().len() + self.voice.earlier;
        let suspicious = self.suspicious().count();
        writeln!(
            self.out,
            "\nLeft after {answers} answer{}; {suspicious} suspicious nodes remain.",
            if answers == 1 { "" } else { "s" }
        )?;
        if self.journal.is_some() {
            writeln!(self.out, "The answers are kept: `--resume` goes on with them.")?;
        }
        Ok(())
    }

    /// The nodes that can still be buggy.
    fn suspicious(&self) -> impl Iterator<Item = Node> + '_ {
        let area = self.session.state().area();
        let focus = move |node: &Node| area.focus_wrong && *node == area.focus;
        (0..self.session.tree().len()).map(Node).filter(move |node| area.is_askable(*node) || focus(node))
    }

    /// The verdict on a session that was left: any of so many nodes.
    fn undecided(&self) -> Verdict {
        const LISTED: usize = 1_000;
        Verdict::Unsure { candidates: self.suspicious().take(LISTED).collect() }
    }

    /// The object that `--format json` prints.
    fn report(&self, ending: &Ending) -> serde_json::Value {
        match ending {
            Ending::Verdict(verdict) => report::report(self.subject, &self.session, verdict),
            Ending::Quit | Ending::InputEnded | Ending::Back(_) => {
                report::report(self.subject, &self.session, &self.undecided())
            }
            Ending::Inside(inside) => {
                let whole = report::report(self.subject, &self.session, &inside.outside);
                report::joined(whole, inside.report.clone())
            }
        }
    }

    /// Lets the oracles learn.
    fn close(&mut self, answers_missing: bool) {
        for asked in self.session.asked() {
            for given in &asked.given {
                self.chain.learn(self.subject, asked.number, given);
            }
        }
        self.chain.close(answers_missing);
    }
}

fn begin_journal(
    path: &std::path::Path,
    subject: &Subject<'_>,
    settings: &Settings,
) -> Result<Option<Journal>, Failure> {
    match Journal::create(path, &replay::header(subject, settings)) {
        Ok(created) => {
            if let Some(kept) = created.kept.filter(|kept| !kept.ended) {
                output::error_line(&format!(
                    "note: an earlier session was not ended, and is kept: `--resume --journal {}` goes on with it",
                    kept.path.display()
                ));
            }
            Ok(Some(created.journal))
        }
        Err(error) => {
            output::error_line(&format!("warning: {error}; the answers are not kept"));
            output::error_line(&format!("hint: {}", error.hint()));
            Ok(None)
        }
    }
}

fn warn_of_unknown_trust(subject: &Subject<'_>, settings: &Settings) {
    let tree = subject.recording.tree();
    for name in &settings.trusted {
        if gadfly_engine::State::new(Arc::clone(tree)).trust_named(name) == 0 {
            output::error_line(&format!(
                "warning: nothing in this tree is named `{name}`, so nothing is trusted by it"
            ));
        }
    }
}
