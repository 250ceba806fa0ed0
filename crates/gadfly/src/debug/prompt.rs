//! Reading what a person says: a line at a time. On a terminal it can be edited, and the arrow keys bring earlier lines back.
//! No key is a reply by itself: a word that begins with it may follow.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read};
use crossterm::terminal;
use gadfly_frontend::Failure;
use std::fs::File;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write};

/// Reads lines.
pub(crate) struct Prompt {
    terminal: bool,
    /// Earlier lines, for the arrow keys.
    history: Vec<String>,
}

/// What was read.
pub(crate) enum Said {
    /// A line.
    Line(String),
    /// There is nothing more to read.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// No reply is longer than this.
const LONGEST: u64 = 1 << 20;

/// Whether there is a terminal to ask at, though the standard input is something else.
pub(crate) fn has_terminal() -> bool {
    io::stderr().is_terminal() && File::options().read(true).write(true).open("/dev/tty").is_ok()
}

impl Prompt {
    /// Reads from the standard input, or, if something else comes from there, from the terminal.
    pub(crate) fn new(input_is_taken: bool) -> Prompt {
        let terminal = match input_is_taken {
            true => has_terminal(),
            false => io::stdin().is_terminal() && io::stderr().is_terminal(),
        };
        Prompt { terminal, history: Vec::new() }
    }

    /// Whether somebody types at a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Reads a reply, which is typed after a prompt of so many columns; `ask` writes the prompt.
    pub(crate) fn read(
        &mut self,
        column: usize,
        ask: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<Said, Failure> {
        if !self.terminal {
            ask()?;
            return Ok(read_line()?);
        }
        // Before the prompt is seen: who answers it at once must not have the answer echoed by the terminal.
        terminal::enable_raw_mode()?;
        let said = ask().and_then(|()| Ok(self.read_keys(column)?));
        terminal::disable_raw_mode()?;
        let said = said?;
        let mut err = io::stderr();
        err.write_all(b"\n")?;
        if let Said::Line(line) = &said
            && !line.trim().is_empty()
            && self.history.last() != Some(line)
        {
            self.history.push(line.clone());
        }
        Ok(said)
    }

    fn read_keys(&mut self, column: usize) -> io::Result<Said> {
        let mut line = Line::default();
        let mut back = 0;
        loop {
            let Event::Key(KeyEvent { code, modifiers, kind, .. }) = read()? else { continue };
            if kind == KeyEventKind::Release {
                continue;
            }
            let control = modifiers.contains(KeyModifiers::CONTROL);
            match code {
                KeyCode::Char('c') if control => return Ok(Said::Interrupt),
                KeyCode::Char('d') if control && line.text.is_empty() => return Ok(Said::End),
                // What was typed ahead ends its lines with a line feed, which is the same as Ctrl-J.
                KeyCode::Char('j' | 'm') if control => return Ok(Said::Line(line.text.iter().collect())),
                KeyCode::Enter => return Ok(Said::Line(line.text.iter().collect())),
                KeyCode::Char('u') if control => line = Line::default(),
                KeyCode::Char('w') if control => line.erase_word(),
                KeyCode::Char('k') if control => line.text.truncate(line.at),
                KeyCode::Char('a') if control => line.at = 0,
                KeyCode::Char('e') if control => line.at = line.text.len(),
                KeyCode::Char(_) if control => {}
                KeyCode::Char(key) => line.insert(key),
                KeyCode::Backspace => line.erase(),
                KeyCode::Delete => line.erase_next(),
                KeyCode::Home => line.at = 0,
                KeyCode::End => line.at = line.text.len(),
                KeyCode::Left => line.at = line.at.saturating_sub(1),
                KeyCode::Right => line.at = (line.at + 1).min(line.text.len()),
                KeyCode::Up | KeyCode::Down => {
                    back = if code == KeyCode::Up {
                        (back + 1).min(self.history.len())
                    } else {
                        back.saturating_sub(1)
                    };
                    line = match back {
                        0 => Line::default(),
                        _ => Line::of(&self.history[self.history.len() - back]),
                    };
                }
                KeyCode::Esc => line = Line::default(),
                _ => {}
            }
            line.draw(column)?;
        }
    }
}

/// A line being typed.
#[derive(Default)]
struct Line {
    text: Vec<char>,
    at: usize,
}

impl Line {
    fn of(text: &str) -> Line {
        let text: Vec<char> = text.chars().collect();
        Line { at: text.len(), text }
    }

    fn insert(&mut self, key: char) {
        self.text.insert(self.at, key);
        self.at += 1;
    }

    fn erase(&mut self) {
        if self.at > 0 {
            self.at -= 1;
            self.text.remove(self.at);
        }
    }

    fn erase_next(&mut self) {
        if self.at < self.text.len() {
            self.text.remove(self.at);
        }
    }

    fn erase_word(&mut self) {
        while self.at > 0 && self.text[self.at - 1] == ' ' {
            self.erase();
        }
        while self.at > 0 && self.text[self.at - 1] != ' ' {
            self.erase();
        }
    }

    /// Draws the line behind the prompt; of a line that is too long, the part around the cursor.
    fn draw(&self, column: usize) -> io::Result<()> {
        const LEAST: usize = 10;
        let width = terminal::size().map_or(80, |(columns, _)| usize::from(columns));
        let room = width.saturating_sub(column + 1).max(LEAST);
        let from = (self.at + 1).saturating_sub(room);
        let shown: String = self.text.iter().skip(from).take(room).collect();
        let (mut err, shown) = (io::stderr(), gadfly_source::shown_line(&shown));
        // Columns of a terminal are counted from 1.
        write!(err, "\x1b[{}G\x1b[K{shown}\x1b[{}G", column + 1, column + 1 + self.at - from)?;
        err.flush()
    }
}

fn read_line() -> io::Result<Said> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LONGEST).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Said::End);
    }
    Ok(Said::Line(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned()))
}
