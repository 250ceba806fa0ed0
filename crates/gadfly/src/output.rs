//! Where text goes, and whether it may be coloured.
//!
//! Everything that Gadfly shows goes through [`Screen`] or [`error_line`], which escape what a terminal would obey, wherever
//! it comes from. Only Gadfly's own colours are added behind that. What a program prints while it runs does not come by here.

use gadfly_source::{Escaper, Notation, shown};
use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Shows text.
pub(crate) struct Screen {
    out: Box<dyn Write>,
    escaper: Escaper,
    escaped: String,
}

impl Screen {
    pub(crate) fn new(out: Box<dyn Write>, notation: Notation) -> Screen {
        Screen { out, escaper: Escaper::new(notation), escaped: String::new() }
    }

    /// One of a [`Palette`]'s colours.
    pub(crate) fn colour(&mut self, colour: &'static str) -> io::Result<()> {
        self.out.write_all(colour.as_bytes())
    }

    /// What [`gadfly_source::render`] drew, which is escaped already and may be coloured.
    pub(crate) fn drawn(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.escaped.clear();
        self.escaper.push_bytes(bytes, &mut self.escaped);
        self.out.write_all(self.escaped.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Stdout, buffered.
pub(crate) fn stdout(notation: Notation) -> Screen {
    Screen::new(Box::new(BufWriter::new(io::stdout())), notation)
}

/// A line on stderr; if nobody reads that either, there is nobody to tell.
pub(crate) fn error_line(text: &str) {
    error_drawn(&shown(&with_options_of_pytest(text)));
}

/// The same for what [`gadfly_source::render`] drew.
pub(crate) fn error_drawn(text: &str) {
    // In one piece, so that lines of several threads do not run into each other.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Whether the options are pytest's.
static IS_PLUGIN: AtomicBool = AtomicBool::new(false);

/// From now on, messages name the options of the pytest plugin.
pub(crate) fn name_options_of_pytest() {
    IS_PLUGIN.store(true, Ordering::Relaxed);
}

/// A message of ours, in which options stand in backquotes: under pytest, they have the names that they have there.
pub(crate) fn with_options_of_pytest(text: &str) -> Cow<'_, str> {
    const OPTIONS: [&str; 5] = ["oracle", "strategy", "trust", "suspect", "resume"];
    if !IS_PLUGIN.load(Ordering::Relaxed) || !text.contains("`--") {
        return Cow::Borrowed(text);
    }
    let renamed =
        |text: String, name: &&str| text.replace(&format!("`--{name}"), &format!("`--gadfly-{name}"));
    Cow::Owned(OPTIONS.iter().fold(text.to_owned(), renamed))
}

/// Has panics reported as everything else is: their messages may quote what a file contains.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        error_line(&panic.to_string());
        let trace = std::backtrace::Backtrace::capture();
        if trace.status() == std::backtrace::BacktraceStatus::Captured {
            error_line(&trace.to_string());
        }
    }));
}

/// A line on stderr about something that the user may want to choose differently.
pub(crate) fn note(text: &str) {
    error_line(&format!("note: {text}"));
}

/// Recordings from this size on, in bytes, take long enough that something is said.
const LARGE: u64 = 1 << 26;

/// What is being done before the first question, on one line of a terminal's stderr that goes away with this. Opening a small
/// recording takes no time, so nothing is said of it. The text holds nothing that comes from a file.
pub(crate) struct Doing {
    shown: bool,
}

impl Doing {
    /// For a recording of so many bytes.
    pub(crate) fn with(bytes: u64) -> Doing {
        Doing { shown: bytes >= LARGE && io::stderr().is_terminal() }
    }

    /// Says what is being done now.
    pub(crate) fn say(&self, text: &str) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K{text} …");
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// The words of the terminal's colour language that Gadfly uses; all empty where colours are not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Numbers, places, what is not the point.
    pub(crate) dim: &'static str,
    /// The equation.
    pub(crate) strong: &'static str,
    /// What is right.
    pub(crate) right: &'static str,
    /// What is wrong.
    pub(crate) wrong: &'static str,
    /// What deserves attention.
    pub(crate) notice: &'static str,
    /// Back to normal.
    pub(crate) off: &'static str,
}

impl Palette {
    const PLAIN: Palette = Palette { dim: "", strong: "", right: "", wrong: "", notice: "", off: "" };
    const COLOURED: Palette = Palette {
        dim: "\x1b[2m",
        strong: "\x1b[1m",
        right: "\x1b[32m",
        wrong: "\x1b[31m",
        notice: "\x1b[33m",
        off: "\x1b[0m",
    };

    /// Colours if the stream is a terminal and the user did not decline them (no-color.org).
    pub(crate) fn for_terminal(is_terminal: bool) -> Palette {
        let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if is_terminal && !declined { Palette::COLOURED } else { Palette::PLAIN }
    }

    /// Whether there are colours.
    pub(crate) fn is_coloured(&self) -> bool {
        !self.off.is_empty()
    }
}

/// How wide the text may be.
pub(crate) fn width() -> usize {
    match io::stdout().is_terminal() {
        true => crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns)).clamp(20, 160),
        false => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gadfly_source::is_hidden;
    use gadfly_term::{Terms, render};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(notation: Notation, does: impl FnOnce(&mut Screen) -> io::Result<()>) -> String {
        let shared = Shared::default();
        does(&mut Screen::new(Box::new(shared.clone()), notation)).unwrap();
        String::from_utf8(shared.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn escapes_of_others_never_reach_the_terminal_and_our_colours_do() {
        let text = written(Notation::Text, |out| {
            out.colour(Palette::COLOURED.wrong)?;
            out.write_all("a\x1b]0;title\x07\u{202e}b\tc\n".as_bytes())?;
            out.write_all(b"\xff\n")
        });
        assert_eq!(text, "\x1b[31ma\\x1b]0;title\\x07\\u202eb        c\n\\xff\n");
        let text = written(Notation::Json, |out| {
            serde_json::to_writer(out, "\u{7f}\u{9b}\u{202e}\u{e0001}").map_err(io::Error::from)
        });
        assert_eq!(text, r#""\u007f\u009b\u202e\udb40\udc01""#);
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "\u{7f}\u{9b}\u{202e}\u{e0001}");
    }

    #[test]
    fn what_is_hidden_is_hidden_in_values_too() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32).filter(|c| is_hidden(*c)) {
            let mut terms = Terms::new();
            let value = terms.str(&c.to_string(), 0);
            let text = render::term(&terms, value, render::Style::Called, render::Room::UNBOUNDED).text;
            assert!(!text.chars().any(is_hidden), "{c:?} is shown in {text:?}");
        }
    }
}
