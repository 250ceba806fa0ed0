//! Reading what a person says: single keys on a terminal, lines from anything else.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read};
use crossterm::terminal;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write};

/// Reads lines.
pub(crate) struct Prompt {
    terminal: bool,
    /// Earlier lines, for the arrow keys.
    history: Vec<String>,
}

/// What was read.
pub(crate) enum Said {
    /// A line, or a single key.
    Line(String),
    /// There is nothing more to read.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// No reply is longer than this.
const LONGEST: u64 = 1 << 20;

impl Prompt {
    pub(crate) fn new() -> Prompt {
        Prompt { terminal: io::stdin().is_terminal() && io::stderr().is_terminal(), history: Vec::new() }
    }

    /// Whether single keys answer.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Reads a reply. On a terminal the keys in `keys` are a reply by themselves; `:` begins a line, and so does any
    /// other key.
    pub(crate) fn read(&mut self, keys: &str) -> io::Result<Said> {
        if !self.terminal {
            return read_line();
        }
        terminal::enable_raw_mode()?;
        let said = self.read_keys(keys);
        terminal::disable_raw_mode()?;
        let said = said?;
        let mut err = io::stderr();
        err.write_all(b"\n")?;
        if let Said::Line(line) = &said
            && line.chars().count() > 1
            && self.history.last() != Some(line)
        {
            self.history.push(line.clone());
        }
        Ok(said)
    }

    fn read_keys(&mut self, keys: &str) -> io::Result<Said> {
        // The line is drawn from where the prompt left the cursor.
        io::stderr().write_all(b"\x1b7")?;
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
                KeyCode::Char('u') if control => line = Line::default(),
                KeyCode::Char('a') if control => line.at = 0,
                KeyCode::Char('e') if control => line.at = line.text.len(),
                KeyCode::Char(_) if control => {}
                KeyCode::Char(key) if line.text.is_empty() && keys.contains(key) => {
                    io::stderr().write_all(key.to_string().as_bytes())?;
                    return Ok(Said::Line(key.to_string()));
                }
                KeyCode::Char(key) => line.insert(key),
                KeyCode::Backspace => line.erase(),
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
                KeyCode::Enter => return Ok(Said::Line(line.text.iter().collect())),
                KeyCode::Esc => line = Line::default(),
                _ => {}
            }
            line.draw()?;
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

    fn draw(&self) -> io::Result<()> {
        let mut err = io::stderr();
        let text: String = self.text.iter().collect();
        write!(err, "\x1b8\x1b[K{text}")?;
        let behind = self.text.len() - self.at;
        if behind > 0 {
            write!(err, "\x1b[{behind}D")?;
        }
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
