//! What is said: events to lines of pieces, each with a role. A client gives the roles colours, or none.

use crate::protocol::{
    Answered, Basis, Bug, Doubt, Ending, Estimate, Event, Given, Looked, NoBug, Notice, Place, Question,
    Refusal, Said, Side, Taken, Verdict,
};
use gadfly_engine::{Judgement, Who};
use gadfly_source::{Colour, Position, Region, Sources, Span};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing special.
    Plain,
    /// Numbers, places: not the point.
    Dim,
    /// An equation.
    Strong,
    /// Something right.
    Right,
    /// Something wrong.
    Wrong,
    /// Something that deserves attention.
    Notice,
    /// Source code, coloured already if colours are wanted.
    Source,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// What it is.
    pub role: Role,
}

/// A line of pieces.
pub type Line = Vec<Piece>;

/// Where an event's lines belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// The conversation.
    Talk,
    /// Warnings and notes beside it.
    Aside,
}

/// What a wording needs besides the event.
#[derive(Clone, Copy)]
pub struct Wording<'a> {
    /// The sources of what the session is about.
    pub sources: &'a Sources,
    /// Whether source code is coloured.
    pub coloured: bool,
    /// Whether the answers of a person are repeated: on a terminal they can be read already.
    pub repeats_person: bool,
    /// How many nodes were answered by equal equations.
    pub remembered: usize,
    /// How many questions were answered.
    pub questions: usize,
}

/// How many equations a list shows.
const LISTED: usize = 12;

fn piece(role: Role, text: impl Into<String>) -> Piece {
    Piece { text: text.into(), role }
}

/// A line of plain text.
pub fn sentence(text: impl Into<String>) -> Line {
    plain(text)
}

fn plain(text: impl Into<String>) -> Line {
    vec![piece(Role::Plain, text)]
}

fn note(text: impl Into<String>) -> Line {
    vec![piece(Role::Notice, "note:"), piece(Role::Plain, format!(" {}", text.into()))]
}

/// Breaks a line between words, so that it fits into so many columns. Source code stays as it is, and so does a word that is
/// too long.
pub fn wrapped(line: &Line, width: usize) -> Vec<Line> {
    let length: usize = line.iter().map(|piece| piece.text.chars().count()).sum();
    if length <= width || line.iter().any(|piece| piece.role == Role::Source) {
        return vec![line.clone()];
    }
    let text: String = line.iter().map(|piece| piece.text.as_str()).collect();
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut lines = vec![Line::new()];
    let mut used = 0;
    for Piece { text, role } in line {
        for word in text.split_inclusive(' ') {
            if used > indent && used + word.trim_end().chars().count() > width {
                lines.push(plain(" ".repeat(indent)));
                used = indent;
            }
            used += word.chars().count();
            if let Some(last) = lines.last_mut() {
                match last.last_mut() {
                    Some(piece) if piece.role == *role => piece.text.push_str(word),
                    _ => last.push(piece(*role, word)),
                }
            }
        }
    }
    for line in &mut lines {
        if let Some(last) = line.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
    }
    lines
}

/// `1 question`, `2 questions`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl Wording<'_> {
    /// What is said of an event, and where; nothing if there is nothing to say.
    pub fn lines(&self, event: &Event) -> (Channel, Vec<Line>) {
        let aside = |text: String| (Channel::Aside, text.lines().map(plain).collect());
        let talk = match event {
            Event::Opened { resumed: 0, .. } | Event::Working { .. } | Event::Worked { .. } => Vec::new(),
            Event::Opened { resumed, .. } => {
                vec![plain(format!("Resumed with {}.", counted(*resumed as u64, "answer")))]
            }
            Event::Question(question) => question_lines(question),
            Event::Answered(answered) => self.answered(&answered.rows),
            Event::TakenBack { steps } => steps.iter().flat_map(taken_lines).collect(),
            Event::Noticed { notice } => match notice_text(notice) {
                (Channel::Aside, text) => return aside(text),
                (Channel::Talk, text) => vec![note(text)],
            },
            Event::Entered { call, certain, .. } => vec![
                Line::new(),
                plain(format!(
                    "The bug {} in {}. Looking inside {}",
                    if *certain { "is" } else { "may be" },
                    call.function,
                    call.equation
                )),
            ],
            Event::Left { empty_handed: true, .. } => {
                vec![Line::new(), plain("No single statement could be singled out.")]
            }
            Event::Left { .. } => Vec::new(),
            Event::Doubted { why } => vec![Line::new(), plain(doubt_text(*why))],
            Event::Verdict(verdict) => self.verdict(verdict),
            Event::Looked { found } => self.looked(found),
            Event::Refused { why } => vec![plain(refusal_text(why))],
            Event::Ended { how } => ending_lines(how),
        };
        (Channel::Talk, talk)
    }

    fn answered(&self, rows: &[Given]) -> Vec<Line> {
        let by_person = rows.iter().all(|given| given.by == Who::Person);
        let shown = rows.iter().filter(|given| given.by != Who::Person || self.repeats_person && !by_person);
        shown.map(answered_line).collect()
    }

    fn verdict(&self, verdict: &Verdict) -> Vec<Line> {
        let mut lines = vec![Line::new()];
        match verdict {
            Verdict::Bug(bug) => self.bug(bug, &mut lines),
            Verdict::None { reason } => {
                let text = match reason {
                    NoBug::Correct => "Nothing is wrong: the result of the whole is correct.",
                    NoBug::Inadmissible => {
                        "Nothing is wrong with the program: it should not have been run with this input."
                    }
                    NoBug::Trusted => "Nothing is wrong in what is not trusted.",
                    NoBug::ReferenceAgrees => "No bug found: the reference agrees with every recorded call.",
                };
                lines.push(vec![piece(Role::Right, text)]);
            }
            Verdict::Unsure { candidates, of } => {
                let count = of.unwrap_or(candidates.len() as u64);
                let text = match count {
                    1 => "Undecided: the bug may be in this call:".to_owned(),
                    _ => format!("Undecided: the bug is in one of these {count} calls:"),
                };
                lines.push(vec![piece(Role::Notice, text)]);
                lines.extend(listed(candidates));
                for place in candidates.iter().take(LISTED).filter(|place| place.is_blamed()) {
                    self.code(place, &mut lines);
                }
            }
        }
        let mut counts = counted(self.questions as u64, "question");
        if self.remembered > 0 {
            counts.push_str(&format!(", {} more answered by equal equations", self.remembered));
        }
        lines.extend([Line::new(), plain(counts + ".")]);
        lines
    }

    fn bug(&self, bug: &Bug, lines: &mut Vec<Line>) {
        let place = &bug.place;
        let at = match (&place.file, place.line) {
            (Some(file), Some(line)) => format!(", {file}:{line}"),
            _ => String::new(),
        };
        lines.push(vec![piece(Role::Wrong, format!("Bug found in {}{at}", place.name()))]);
        if !bug.candidates.is_empty() {
            lines.extend([Line::new(), plain("The answers do not single out one of these:")]);
            lines.extend(listed(&bug.candidates));
            return self.code(place, lines);
        }
        let by_text = matches!(bug.basis, Basis::ReferenceText | Basis::TestPasses);
        let mut equation = vec![piece(Role::Plain, "  "), piece(Role::Strong, place.equation.clone())];
        if !by_text {
            equation.push(piece(Role::Plain, "  is wrong"));
        }
        lines.extend([Line::new(), equation]);
        match bug.basis {
            Basis::ReferenceText => lines.extend([
                Line::new(),
                plain("Not decided by answers: this is where the code differs from the reference."),
            ]),
            Basis::TestPasses => lines.extend([
                Line::new(),
                plain("Not decided by answers: the test passes with the reference's version of this code."),
            ]),
            Basis::Answers | Basis::Elimination | Basis::OneRuleLeft => reasons(bug, lines),
        }
        match bug.missing {
            Some(Side::After) => {
                lines.extend([Line::new(), plain("The reference has additional code after this line.")]);
            }
            Some(Side::Before) => {
                lines.extend([Line::new(), plain("The reference has additional code before this line.")]);
            }
            None => {}
        }
        self.code(place, lines);
    }

    /// The code of a place, as it stands in the source.
    fn code(&self, place: &Place, lines: &mut Vec<Line>) {
        let spans = place.code.iter().filter_map(|code| {
            let name = code.file.as_deref().or(place.file.as_deref())?;
            let file = self.sources.by_name(name)?;
            let position = |[line, column]: [u32; 2]| Position { line, column };
            self.sources.span(Region { file, start: position(code.start), end: position(code.end) })
        });
        let spans: Vec<Span> = spans.collect();
        if spans.is_empty() {
            return;
        }
        let colour = if self.coloured { Colour::Always } else { Colour::Never };
        let title = format!("the code of {}", place.name());
        let text = gadfly_source::render_code(&title, &spans, self.sources, colour);
        lines.push(Line::new());
        lines.extend(text.trim_end().lines().map(|line| vec![piece(Role::Source, line)]));
    }

    fn looked(&self, found: &Looked) -> Vec<Line> {
        match found {
            Looked::Why { reason, rows: 1 } => vec![plain(format!("Because {reason}."))],
            Looked::Why { reason, .. } => vec![plain(format!(
                "They are small, and many: one question for all of them. The first was picked because {reason}."
            ))],
            Looked::Left { estimate: None } => {
                vec![plain("There are too many suspicious nodes for an estimate.")]
            }
            Looked::Left { estimate: Some(estimate) } => vec![plain(estimate_text(*estimate))],
            Looked::History { answers } if answers.is_empty() => vec![plain("No answers yet.")],
            Looked::History { answers } => history(answers),
            Looked::Whole { equations } => equations.iter().flatten().map(plain).collect(),
            Looked::Code { place } => {
                let mut lines = Vec::new();
                self.code(place, &mut lines);
                if lines.is_empty() {
                    lines.push(plain("The source is not known."));
                }
                lines
            }
            Looked::IfAnswered { now, then } => {
                vec![plain(format!("{then} of {} would remain.", counted(*now, "suspicious node")))]
            }
        }
    }
}

/// What is to be expected, said as the estimate that it is.
fn estimate_text(estimate: Estimate) -> String {
    let Estimate { mean_tenths, most, exact, suspicious, inside } = estimate;
    let most = match most {
        Some(most) if exact => format!(", {most} at most"),
        Some(most) => format!(", {most} at most in a sample"),
        None => String::new(),
    };
    let mean = match (mean_tenths / 10, mean_tenths % 10) {
        (whole, 0) => counted(whole, "more question"),
        (whole, tenths) => format!("{whole}.{tenths} more questions"),
    };
    let nodes = counted(suspicious, "suspicious node");
    let inside = if inside { "; those inside the call come on top" } else { "" };
    format!("{nodes}. Estimate: about {mean}{most}{inside}.")
}

/// A step that was taken back.
fn taken_lines(taken: &Taken) -> Vec<Line> {
    let one = |text: String| vec![plain(format!("Taken back: {text}"))];
    match taken {
        Taken::Answered(answered) => {
            let line = |given: &Given| {
                let mut line = plain("Taken back: ");
                line.extend(answered_line(given));
                line
            };
            let mut lines: Vec<Line> = answered.rows.iter().take(LISTED).map(line).collect();
            if answered.rows.len() > LISTED {
                let rest = answered.rows.len() - LISTED;
                lines.push(plain(format!("  … and {} of the table", counted(rest as u64, "more answer"))));
            }
            lines
        }
        Taken::Revised { question, row: 1, answer } => {
            one(format!("the change of question {question} to {answer}"))
        }
        Taken::Revised { question, row, answer } => {
            one(format!("the change of question {question}.{row} to {answer}"))
        }
        Taken::Restarted => one("the restart".to_owned()),
        Taken::Switched { strategy } => one(format!("the strategy {strategy}")),
        Taken::Trusted { names } => one(format!("the trust in {names}")),
        Taken::AskedAbout { node } => one(format!("the question about node {node}")),
        Taken::OneByOne { rows } => one(format!("asking the table of {rows} row by row")),
    }
}

impl Place {
    /// Whether something is known of its code that the recording does not say.
    fn is_blamed(&self) -> bool {
        self.code.iter().any(|code| code.fault == crate::protocol::Fault::Differs)
    }
}

/// A question for a person.
fn question_lines(question: &Question) -> Vec<Line> {
    let mut lines = vec![Line::new()];
    let number = question.number;
    if question.rows.len() > 1 {
        let head = piece(Role::Dim, format!("Question {number}"));
        lines.push(vec![head, piece(Role::Plain, "  Are all of these right?")]);
        let digits = question.rows.len().to_string().len();
        for (at, row) in (1..).zip(&question.rows) {
            lines.push(vec![
                piece(Role::Plain, "  "),
                piece(Role::Dim, format!("{at:>digits$}")),
                piece(Role::Plain, "  "),
                piece(Role::Strong, row.lines.join(" ")),
            ]);
        }
        return lines;
    }
    for row in &question.rows {
        let place = row.place.as_ref().map(|place| format!(" · {place}")).unwrap_or_default();
        lines.push(vec![piece(Role::Dim, format!("Question {number} · node {}{place}", row.node))]);
        for line in &row.lines {
            lines.push(vec![piece(Role::Plain, "  "), piece(Role::Strong, line)]);
        }
        if row.shortened {
            lines.push(vec![piece(Role::Dim, "  (shortened: s shows all of it)")]);
        }
    }
    lines
}

/// What is written where a reply is awaited: after a question, or after a verdict.
pub fn prompt(question: Option<&Question>) -> Line {
    match question.map(|question| question.rows.len()) {
        None => vec![piece(Role::Dim, "[u takes back, q leaves]"), piece(Role::Plain, " ")],
        Some(0 | 1) => {
            vec![piece(Role::Plain, "Right? "), piece(Role::Dim, "[y n i d t u ?]"), piece(Role::Plain, " ")]
        }
        Some(rows) => vec![
            piece(Role::Dim, format!("[y: all right, 1-{rows}: the first wrong one, d: row by row, u, ?]")),
            piece(Role::Plain, " "),
        ],
    }
}

/// One line of a transcript: `(7) comput2 3 = 9? correct`.
fn answered_line(given: &Given) -> Line {
    let role = match given.answer.judgement {
        Judgement::Correct => Role::Right,
        Judgement::Wrong => Role::Wrong,
        _ => Role::Notice,
    };
    let mut line = vec![
        piece(Role::Dim, format!("({})", given.said.node)),
        piece(Role::Plain, format!(" {}? ", given.said.equation)),
        piece(role, given.answer.to_string()),
    ];
    match given.by {
        Who::Person => {}
        Who::Trial => line.push(piece(Role::Dim, " (does not affect the test)")),
        by => line.push(piece(Role::Dim, format!(" ({by})"))),
    }
    line
}

fn history(answers: &[Answered]) -> Vec<Line> {
    let mut lines = Vec::new();
    for Answered { question, rows } in answers {
        for (row, one) in rows.iter().enumerate() {
            let number = match rows.len() {
                1 => format!("{question:>3}"),
                _ => format!("{question:>3}.{}", row + 1),
            };
            let mut line = plain(format!("{number}  "));
            line.extend(answered_line(one));
            lines.push(line);
        }
    }
    lines
}

fn listed(places: &[Place]) -> Vec<Line> {
    let line = |place: &Place| plain(format!("  ({}) {}", place.node, place.equation));
    let mut lines: Vec<Line> = places.iter().take(LISTED).map(line).collect();
    if places.len() > LISTED {
        lines.push(plain(format!("  … and {} more", places.len() - LISTED)));
    }
    lines
}

fn reasons(bug: &Bug, lines: &mut Vec<Line>) {
    let list = |lines: &mut Vec<Line>, said: &[Said]| {
        lines.extend(said.iter().take(LISTED).map(|one| plain(format!("  {}", one.equation))));
    };
    if !bug.inadmissible.is_empty() {
        lines.extend([Line::new(), plain("It makes a call that should never be made:")]);
        list(lines, &bug.inadmissible);
    } else if !bug.right.is_empty() {
        lines.extend([Line::new(), plain("Everything it was computed from is right:")]);
        list(lines, &bug.right);
        if bug.right.len() > LISTED {
            lines.push(plain("  …"));
        }
    }
}

fn doubt_text(why: Doubt) -> &'static str {
    match why {
        Doubt::SameInReference => {
            "The reference has the same code here, so this cannot be the bug. Restarting with strict comparison."
        }
        Doubt::TestPasses => "Undecided by the answers. The test passes with the reference's version of:",
        Doubt::RanAndDiffers => {
            "The reference has the same code here. Functions that ran and differ from the reference:"
        }
        Doubt::DiffersElsewhere => {
            "Still no difference in code that ran. This differs from the reference but was not recorded (another process?):"
        }
    }
}

fn notice_text(notice: &Notice) -> (Channel, String) {
    let text = match notice {
        Notice::EqualJudgedDifferently { node, judgement, other, earlier } => {
            let text = format!(
                "`{}` (node {}) is {judgement} now, but the same equation (node {}) was {earlier} before; \
                 `history` lists the answers and `revise` changes one",
                node.equation, node.node, other.node,
            );
            return (Channel::Talk, text);
        }
        Notice::WrongInside { node, above, judgement } => {
            let text = format!(
                "`{}` (node {}) is wrong although `{}` (node {}), which was computed from it, is {judgement}; \
                 two mistakes may cancel; the search continues inside node {}",
                node.equation, node.node, above.equation, above.node, node.node,
            );
            return (Channel::Talk, text);
        }
        Notice::TrustedButWrong { node } => {
            let text = format!(
                "`{}` is trusted now although `{}` (node {}) was called wrong; the search continues in what it called",
                node.function, node.equation, node.node,
            );
            return (Channel::Talk, text);
        }
        Notice::OracleDisabled { who, message, hint } => {
            let hint = hint.as_deref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
            format!("warning: {message}; oracle `{who}` is disabled for the rest of the session{hint}")
        }
        Notice::NotLearned { message } => format!("warning: {message}"),
        Notice::Unanswered { who, reason, count } => {
            let who = match who {
                Who::Reference | Who::Revision | Who::Release => format!("the {who}"),
                who => format!("`{who}`"),
            };
            format!("note: {who} gave no answer to {}: {reason}", counted(*count as u64, "question"))
        }
        Notice::UnusedAnswer { line, text } => {
            let text: String = text.chars().take(80).collect();
            format!("note: answers file, line {line}: no question matched: {text}")
        }
        Notice::NothingToTrust { name, near } => {
            let near = near.as_deref().map(|near| format!("; perhaps `{near}` is meant")).unwrap_or_default();
            format!("warning: `--trust {name}` matches no recorded function{near}")
        }
        Notice::NoInside { reason } => format!("note: cannot step into this call: {reason}"),
        Notice::Rerecorded => {
            "note: the re-run took a different path; recorded the whole program in detail".to_owned()
        }
        Notice::InsideChanged => {
            "note: the run has changed; earlier answers inside this call are discarded".to_owned()
        }
        Notice::JournalLost { message } => {
            format!("warning: {message}; from here on the answers are not kept")
        }
    };
    (Channel::Aside, text)
}

fn refusal_text(why: &Refusal) -> String {
    match why {
        Refusal::Stale { .. } => "The session has changed since; look again before you answer.".to_owned(),
        Refusal::OtherQuestion { open: Some(open) } => format!("The open question is number {open}."),
        Refusal::OtherQuestion { open: None } => "There is no open question.".to_owned(),
        Refusal::NotNow { message } | Refusal::Nonsense { message } => message.clone(),
        Refusal::Protocol { protocol } => format!("This Gadfly speaks version {protocol} of the protocol."),
    }
}

fn ending_lines(ending: &Ending) -> Vec<Line> {
    let Ending::Quit { answers, suspicious, kept } = ending else { return Vec::new() };
    let mut lines = vec![
        Line::new(),
        plain(format!(
            "Left after {}; {} remain{}.",
            counted(*answers as u64, "answer"),
            counted(*suspicious, "suspicious node"),
            if *suspicious == 1 { "s" } else { "" },
        )),
    ];
    if *kept {
        lines.push(plain("The answers are kept: `--resume` continues with them."));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(|line| line.iter().map(|piece| piece.text.as_str()).collect()).collect()
    }

    #[test]
    fn long_lines_break_between_words() {
        let line = vec![piece(Role::Notice, "note:"), piece(Role::Plain, " some words that do not fit")];
        assert_eq!(texts(&wrapped(&line, 16)), ["note: some words", "that do not fit"]);
        assert_eq!(texts(&wrapped(&plain("  one two three"), 9)), ["  one two", "  three"]);
        assert_eq!(texts(&wrapped(&plain("short"), 16)), ["short"]);
        assert_eq!(texts(&wrapped(&plain("unbreakable words"), 5)), ["unbreakable", "words"]);
        let code = vec![piece(Role::Source, "some code that is long")];
        assert_eq!(wrapped(&code, 9), std::slice::from_ref(&code));
    }

    #[test]
    fn an_estimate_is_called_one() {
        let estimate = |mean_tenths, most, exact, inside| {
            estimate_text(Estimate { mean_tenths, most, exact, suspicious: 3, inside })
        };
        let text = estimate(12, Some(2), true, false);
        assert_eq!(text, "3 suspicious nodes. Estimate: about 1.2 more questions, 2 at most.");
        let text = estimate(10, Some(1), false, true);
        assert_eq!(
            text,
            "3 suspicious nodes. Estimate: about 1 more question, 1 at most in a sample; those inside the call come on top."
        );
        assert_eq!(
            estimate(120, None, false, false),
            "3 suspicious nodes. Estimate: about 12 more questions."
        );
    }
}
