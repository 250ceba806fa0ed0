//! What the dialogue says.

use super::subject::{Subject, rule_name};
use crate::output::Palette;
use crate::python::player::Missing;
use gadfly_engine::{Asked, Estimate, Judgement, NoBug, Notice, Question, Session, Verdict, Who};
use gadfly_source::{Colour, Diagnostic, Region};
use gadfly_term::render::Room;
use gadfly_tree::Node;
use std::fmt::Write as _;

/// The dialogue's voice.
pub(crate) struct Voice {
    pub(crate) palette: Palette,
    pub(crate) width: usize,
    /// How many questions were asked before, about something else.
    pub(crate) earlier: usize,
}

/// A question takes at most this many lines; `show` gives the rest.
const QUESTION_LINES: usize = 24;

impl Voice {
    /// A question for a person.
    pub(crate) fn question(&self, subject: &Subject<'_>, question: &Question) -> String {
        let Palette { dim, strong, off, .. } = self.palette;
        let mut out = String::new();
        let first = &question.rows[0];
        if question.rows.len() > 1 {
            let _ = writeln!(
                out,
                "{dim}Question {}{off}  Are all of these right?",
                self.earlier + question.number
            );
            let digits = question.rows.len().to_string().len();
            for (number, row) in (1..).zip(&question.rows) {
                let width = self.width.saturating_sub(digits + 4).max(20);
                let line = subject.line_within(row.node, width);
                let _ = writeln!(out, "  {dim}{number:>digits$}{off}  {strong}{line}{off}");
            }
            return out;
        }
        let place = subject.rule(first.node).region.map(|region| format!(" · {}", subject.place(region)));
        let place = place.unwrap_or_default();
        let number = self.earlier + question.number;
        let _ = writeln!(out, "{dim}Question {number} · node {}{place}{off}", subject.number(first.node));
        let room = Room { width: self.width.saturating_sub(2).max(18), lines: QUESTION_LINES };
        let shown = subject.laid_out(&first.behaviour.equation, room);
        for line in shown.text.lines() {
            let _ = writeln!(out, "  {strong}{line}{off}");
        }
        if shown.elided {
            let _ = writeln!(out, "{dim}  (shortened: s shows all of it){off}");
        }
        out
    }

    /// What is written where a reply is awaited.
    pub(crate) fn prompt(&self, question: &Question) -> String {
        let Palette { dim, off, .. } = self.palette;
        match question.rows.len() {
            1 => format!("Right? {dim}[y n i d t u ?]{off} "),
            rows => format!("{dim}[y: all right, 1-{rows}: the first wrong one, d, u, ?]{off} "),
        }
    }

    /// One line of a transcript: `(7) comput2 3 = 9? correct`.
    pub(crate) fn answered(&self, subject: &Subject<'_>, node: Node, answer: &str, by: Who) -> String {
        let Palette { dim, off, .. } = self.palette;
        let by = if by == Who::Person { String::new() } else { format!("{dim} ({by}){off}") };
        let line = subject.line_within(node, self.width.max(40) * 2);
        format!("{dim}({}){off} {line}? {}{by}", subject.number(node), self.judged(answer))
    }

    fn judged(&self, answer: &str) -> String {
        let Palette { right, wrong, notice, off, .. } = self.palette;
        let colour = match answer.split(" @").next().and_then(Judgement::from_word) {
            Some(Judgement::Correct) => right,
            Some(Judgement::Wrong) => wrong,
            _ => notice,
        };
        format!("{colour}{answer}{off}")
    }

    /// The answers so far.
    pub(crate) fn history(&self, subject: &Subject<'_>, asked: &[Asked]) -> String {
        let mut out = String::new();
        for question in asked {
            for (row, given) in question.given.iter().enumerate() {
                let number = question.number + self.earlier;
                let number = match question.given.len() {
                    1 => format!("{number:>3}"),
                    _ => format!("{number:>3}.{}", row + 1),
                };
                let line = self.answered(subject, given.node, &given.answer.to_string(), given.by);
                let _ = writeln!(out, "{number}  {line}");
            }
        }
        out
    }

    /// Something the user should know.
    pub(crate) fn notice(&self, subject: &Subject<'_>, notice: &Notice) -> String {
        let text = match notice {
            Notice::EqualJudgedOtherwise { node, judgement, other, earlier } => format!(
                "`{}` (node {}) is {judgement} now, but the same equation (node {}) was {earlier} before; \
                 `history` lists the answers and `revise` changes one",
                subject.line_within(*node, self.width),
                subject.number(*node),
                subject.number(*other),
            ),
            Notice::WrongInside { node, above, judgement } => format!(
                "`{}` (node {}) is wrong although `{}` (node {}), which was computed from it, is {judgement}; that can be \
                 if two mistakes cancel; the search goes on inside node {}",
                subject.line_within(*node, self.width),
                subject.number(*node),
                subject.line_within(*above, self.width),
                subject.number(*above),
                subject.number(*node),
            ),
            Notice::TrustedButWrong { node } => format!(
                "`{}` is trusted now although `{}` (node {}) was called wrong; the search goes on in what it called",
                subject.rule(*node).qualified(),
                subject.line_within(*node, self.width),
                subject.number(*node),
            ),
        };
        format!("{}note:{} {text}", self.palette.notice, self.palette.off)
    }

    /// How many questions are to be expected.
    pub(crate) fn expected(&self, estimate: Option<Estimate>) -> String {
        match estimate {
            None => "There are too many suspicious nodes to tell how many questions are left.".into(),
            Some(Estimate { mean_tenths, most, exact, suspicious }) => format!(
                "{suspicious} suspicious nodes; about {}.{} more questions on average, {most} at most{}.",
                mean_tenths / 10,
                mean_tenths % 10,
                if exact { "" } else { " in a sample" },
            ),
        }
    }

    /// How it ended.
    pub(crate) fn verdict(&self, subject: &Subject<'_>, session: &Session, verdict: &Verdict) -> String {
        let Palette { wrong, right, notice, strong, off, .. } = self.palette;
        let mut out = String::new();
        match verdict {
            Verdict::Bug { node, inadmissible } => {
                let place = subject.code(*node).first().map(|region| format!(", {}", subject.place(*region)));
                let _ = writeln!(
                    out,
                    "{wrong}Bug found in {}{}{off}",
                    subject.culprit(*node),
                    place.unwrap_or_default()
                );
                let line = subject.line_within(*node, self.width);
                if subject.by_text.get() {
                    let _ = writeln!(out, "\n  {strong}{line}{off}");
                    out.push_str(
                        "\nThe answers do not tell; this is what the correct version has otherwise.\n",
                    );
                } else {
                    let _ = writeln!(out, "\n  {strong}{line}{off}  is wrong");
                    self.explain(subject, session, *node, inadmissible, &mut out);
                }
                match subject.missing(*node) {
                    Some(Missing::After) => out.push_str("\nSomething is missing after it.\n"),
                    Some(Missing::Before) => out.push_str("\nSomething is missing before it.\n"),
                    None => {}
                }
                self.source(subject, *node, &mut out);
            }
            Verdict::None(reason) => {
                let text = match reason {
                    NoBug::Correct => "Nothing is wrong: the result of the whole is correct.",
                    NoBug::Inadmissible => {
                        "Nothing is wrong with the program: it should not have been run with this input."
                    }
                    NoBug::Trusted => "Nothing is wrong in what is not trusted.",
                    NoBug::ReferenceAgrees => "No bug found: the reference agrees with every recorded call.",
                };
                let _ = writeln!(out, "{right}{text}{off}");
            }
            Verdict::Unsure { candidates } if candidates.is_empty() => {
                let _ = writeln!(
                    out,
                    "{notice}Nothing was found: the correct version agrees with every call that was made.{off}"
                );
            }
            Verdict::Unsure { candidates } if subject.is_inside() => {
                let parts = super::zoom::parts(subject, candidates);
                let code = super::zoom::code(subject, &parts);
                let place = code.first().map(|region| format!(", {}", subject.place(*region)));
                let rule = rule_name(subject.rule(Node::ROOT));
                let _ = writeln!(out, "{wrong}Bug found in {rule}{}{off}", place.unwrap_or_default());
                let _ = writeln!(out, "\nIt is in one of these, but nobody could tell in which:");
                for node in parts.iter().take(LISTED) {
                    let _ = writeln!(
                        out,
                        "  ({}) {}",
                        subject.number(*node),
                        subject.line_within(*node, self.width)
                    );
                }
                self.code(subject, &code, &rule, &mut out);
            }
            Verdict::Unsure { candidates } => {
                let _ = writeln!(
                    out,
                    "{notice}Unsure: the bug is in one of these {} nodes, but nobody could tell in which.{off}",
                    candidates.len()
                );
                for node in candidates.iter().take(LISTED) {
                    let _ = writeln!(
                        out,
                        "  ({}) {}",
                        subject.number(*node),
                        subject.line_within(*node, self.width)
                    );
                }
                if candidates.len() > LISTED {
                    let _ = writeln!(out, "  … and {} more", candidates.len() - LISTED);
                }
                for node in candidates.iter().take(LISTED) {
                    if let Some(code) = subject.blamed.borrow().get(node) {
                        self.code(subject, code, &rule_name(subject.rule(*node)), &mut out);
                    }
                }
            }
        }
        let questions = self.earlier + session.asked().len();
        let remembered = session.remembered().len();
        let _ = write!(out, "\n{questions} question{}", if questions == 1 { "" } else { "s" });
        if remembered > 0 {
            let _ = write!(out, ", {remembered} more answered by equal equations");
        }
        out.push_str(".\n");
        out
    }

    fn explain(
        &self,
        subject: &Subject<'_>,
        session: &Session,
        node: Node,
        inadmissible: &[Node],
        out: &mut String,
    ) {
        if !inadmissible.is_empty() {
            let _ = writeln!(out, "\nIt makes a call that should never be made:");
            for call in inadmissible.iter().take(LISTED) {
                let _ = writeln!(out, "  {}", subject.line_within(*call, self.width));
            }
            return;
        }
        let tree = session.tree();
        let used = subject.recording.behaviours().uses(tree, node);
        // A constant that is still being computed is no reason.
        let used =
            used.into_iter().filter(|used| tree.parent(*used) != Some(node) && !tree.is_within(node, *used));
        let reasons: Vec<Node> = tree.children(node).take(LISTED + 1).chain(used).take(LISTED + 1).collect();
        if reasons.is_empty() {
            return;
        }
        let _ = writeln!(out, "\nEverything it was computed from is right:");
        for reason in reasons.iter().take(LISTED) {
            let _ = writeln!(out, "  {}", subject.line_within(*reason, self.width));
        }
        if reasons.len() > LISTED {
            out.push_str("  …\n");
        }
    }

    /// The code of a node, as it stands in the source.
    pub(crate) fn source(&self, subject: &Subject<'_>, node: Node, out: &mut String) {
        self.code(subject, &subject.code(node), &subject.culprit(node), out);
    }

    /// Pieces of code, as they stand in the source.
    fn code(&self, subject: &Subject<'_>, code: &[Region], rule: &str, out: &mut String) {
        let sources = subject.recording.sources();
        let mut spans = code.iter().filter_map(|region| sources.span(*region));
        let Some(first) = spans.next() else { return };
        let mut diagnostic = Diagnostic::note(format!("the code of {rule}")).at(first, "");
        for span in spans.take(LISTED) {
            diagnostic = diagnostic.and(span, "");
        }
        let colour = if self.palette.is_coloured() { Colour::Always } else { Colour::Never };
        let _ = writeln!(out, "\n{}", gadfly_source::render(&diagnostic, sources, colour).trim_end());
    }
}

/// How many equations a list shows.
const LISTED: usize = 12;
