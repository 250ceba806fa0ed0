//! Literate programs: the text around the program is made blank.
//!
//! Both styles of the Haskell report (§10.4): lines that begin with `>`, and what stands between `\begin{code}` and
//! `\end{code}`. The result has the same length as the text, so offsets do not change. The mistakes that the
//! Haskell report names become diagnostics: a line of the program next to one of the text, a block that does
//! not end, no program at all.

use crate::report::Report;
use crate::tree::Place;

const BEGIN: &str = "\\begin{code}";
const END: &str = "\\end{code}";

/// Whether a file of this name is literate.
pub(crate) fn is_literate(name: &str) -> bool {
    name.ends_with(".lhs") || name.ends_with(".lcurry")
}

/// What a line of a literate text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Text,
    /// Begins with `>`.
    Program,
}

/// The program of a literate text, everything else replaced by spaces.
pub(crate) fn blank_prose(text: &str, report: &mut Report) -> String {
    let mut code = Vec::with_capacity(text.len());
    // Where the block begins that we are in.
    let mut block: Option<Place> = None;
    let mut before = (Line::Blank, Place { start: 0, end: 0 });
    let mut has_program = false;
    for line in text.split_inclusive('\n') {
        let start = code.len() as u32;
        let place = Place { start, end: start + line.trim_end().len() as u32 };
        let (begins, ends) = (line.starts_with(BEGIN), line.starts_with(END));
        if block.is_some() && !ends {
            code.extend_from_slice(line.as_bytes());
            continue;
        }
        let kind = match line.as_bytes().first() {
            Some(b'>') => Line::Program,
            _ if begins || ends || line.trim().is_empty() => Line::Blank,
            // A line for the preprocessor may stand anywhere.
            Some(b'#') => Line::Blank,
            _ => Line::Text,
        };
        next_to_text(before, (kind, place), report);
        before = (kind, place);
        if kind == Line::Program {
            code.push(b' ');
            code.extend_from_slice(&line.as_bytes()[1..]);
        } else {
            code.extend(line.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }));
        }
        has_program |= begins || kind == Line::Program;
        if ends && block.is_none() {
            let hint = format!("Begin the program with a line `{BEGIN}`, or remove this one.");
            report.error(place, format!("`{END}` ends a block that was not begun"), "", &hint);
        }
        block = begins.then_some(place);
    }
    if let Some(place) = block {
        let hint = format!("End the program with a line `{END}`.");
        report.error(place, "this block of program text is never ended", "begins here", &hint);
    } else if !has_program {
        let hint = format!("Begin its lines with `>`, or put them between `{BEGIN}` and `{END}`.");
        report.error(Place { start: 0, end: 0 }, "this literate file holds no program", "", &hint);
    }
    String::from_utf8(code).expect("whole lines are kept or made blank")
}

/// A blank line must separate the program from the text, so that a stray `>` is noticed.
fn next_to_text(before: (Line, Place), now: (Line, Place), report: &mut Report) {
    let (program, text) = match (before.0, now.0) {
        (Line::Text, Line::Program) => (now.1, before.1),
        (Line::Program, Line::Text) => (before.1, now.1),
        _ => return,
    };
    report.add(|report| {
        gadfly_source::Diagnostic::error("a line of the program stands next to a line of the text")
            .at(report.span(program), "the program")
            .and(report.span(text), "the text")
            .with_hint("Put a blank line between them, or begin both with `>`.")
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str, errors: &[&str]) {
        let mut report = Report::new(gadfly_source::FileId(0));
        assert_eq!(blank_prose(text, &mut report), code);
        let told: Vec<String> = report.finish().into_iter().map(|told| told.message).collect();
        assert_eq!(told, errors);
    }

    #[test]
    fn bird_tracks() {
        check("Añ\n\n> x = 1\n>\ty\n\n  > z\n", "   \n\n  x = 1\n \ty\n\n     \n", &[]);
    }

    #[test]
    fn code_blocks() {
        check(
            "a\n\\begin{code}\nx = 1\n> y\n\\end{code}\nb",
            " \n            \nx = 1\n> y\n          \n ",
            &[],
        );
    }

    #[test]
    fn a_block_that_is_never_ended_goes_on() {
        check("\\begin{code}\nx", "            \nx", &["this block of program text is never ended"]);
        check("> x\n\n\\end{code}", "  x\n\n          ", &["`\\end{code}` ends a block that was not begun"]);
    }

    #[test]
    fn a_program_next_to_text() {
        let told = "a line of the program stands next to a line of the text";
        check("a\n> x\nb\n", " \n  x\n \n", &[told, told]);
        check("#line 1\n> x\n", "       \n  x\n", &[]);
    }

    #[test]
    fn no_program() {
        check("a\n", " \n", &["this literate file holds no program"]);
    }
}
