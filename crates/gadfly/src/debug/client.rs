//! The prompt: a client of the dialogue that reads lines and writes text.

use super::pager;
use super::prompt::{Prompt, Said};
use crate::output::{self, Palette, Screen};
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Ending, Event, Input, Message, PROTOCOL, Page};
use gadfly_dialogue::wording::{self, Channel, Line, Role, Wording};
use gadfly_dialogue::words::{Typed, Typist};
use gadfly_frontend::Failure;
use std::io::{self, Write};

/// Talks to a person, or to nobody.
pub(crate) struct Client<'d> {
    pub(crate) driver: &'d mut Driver,
    pub(crate) prompt: Prompt,
    pub(crate) out: Screen,
    pub(crate) palette: Palette,
    pub(crate) width: usize,
    /// The columns that lines are broken to, on a terminal.
    pub(crate) wraps: Option<usize>,
    /// Whether what is longer than the screen is shown in a pager.
    pub(crate) pages: bool,
}

/// What came instead of a line.
enum Stopped {
    /// The end of the input.
    Ended,
    /// Ctrl-C.
    Interrupted,
}

/// A question takes at most this many lines; `show` gives the rest.
const QUESTION_LINES: usize = 24;

impl Client<'_> {
    /// Talks until the dialogue is over.
    pub(crate) fn talk(&mut self) -> Result<(), Failure> {
        let mut typist = Typist::default();
        let (mut stopped, mut refused) = (None, false);
        let page = Page { width: self.width, lines: QUESTION_LINES };
        let mut events = self.driver.say(Input::Hello { protocol: PROTOCOL, page });
        loop {
            for Message { body, .. } in std::mem::take(&mut events) {
                typist.hear(&body);
                self.show(&body)?;
                match body {
                    Event::Refused { .. } => refused = true,
                    Event::Ended { how: Ending::Failed { message, hint } } => {
                        return Err(Failure::Input { message, hint });
                    }
                    Event::Ended { .. } if matches!(stopped, Some(Stopped::Interrupted)) => {
                        self.out.flush()?;
                        return Err(Failure::Interrupted);
                    }
                    Event::Ended { how: Ending::Quit { .. } } if stopped.is_some() => {
                        return Err(Failure::input("the input ended before there was a verdict")
                            .with_hint("answer the rest, or let an oracle answer: `--oracle answers:FILE`"));
                    }
                    _ => {}
                }
            }
            if std::mem::take(&mut refused)
                && let Some(question) = typist.question()
            {
                self.show(&Event::Question(question.clone()))?;
            }
            if self.driver.dialogue().is_ended() {
                return Ok(self.out.flush()?);
            }
            if self.driver.is_working() || !self.driver.dialogue().is_waiting() {
                match self.driver.wait() {
                    Some(more) => events = more,
                    None => return Err(Failure::input("the session ended unexpectedly")),
                }
                continue;
            }
            let input = self.read(&mut typist)?.unwrap_or_else(|why| {
                stopped = Some(why);
                Input::Quit
            });
            events = self.driver.say(input);
        }
    }

    /// Reads until a line makes sense to the dialogue.
    fn read(&mut self, typist: &mut Typist) -> Result<Result<Input, Stopped>, Failure> {
        loop {
            // After a verdict, only a terminal shows that something may be typed.
            let line = match typist.question() {
                None if !self.prompt.is_terminal() => Line::new(),
                question => wording::prompt(question),
            };
            let column = line.iter().map(|piece| piece.text.chars().count()).sum();
            let is_silent = line.is_empty();
            let Client { prompt, out, palette, .. } = self;
            let ask = || {
                draw(out, *palette, &line, false)?;
                Ok(out.flush()?)
            };
            let line = match prompt.read(column, ask)? {
                Said::Line(line) => line,
                Said::End => {
                    if !is_silent {
                        writeln!(self.out)?;
                    }
                    return Ok(Err(Stopped::Ended));
                }
                Said::Interrupt => return Ok(Err(Stopped::Interrupted)),
            };
            if !self.prompt.is_terminal() && !is_silent {
                // What came through a pipe is shown, so that the transcript can be read.
                writeln!(self.out, "{line}")?;
            }
            match typist.typed(&line) {
                Ok(Typed::Input(input)) => return Ok(Ok(input)),
                Ok(Typed::Say(text)) => write!(self.out, "{}", output::with_options_of_pytest(&text))?,
                Err(_) if is_silent && line.trim().is_empty() => {}
                Err(error) => self.write(&[wording::sentence(error)])?,
            }
        }
    }

    fn show(&mut self, event: &Event) -> Result<(), Failure> {
        let dialogue = self.driver.dialogue();
        let wording = Wording {
            sources: dialogue.sources(),
            coloured: self.palette.is_coloured(),
            repeats_person: !self.prompt.is_terminal(),
            remembered: dialogue.remembered(),
            questions: dialogue.questions(),
        };
        let (channel, lines) = wording.lines(event);
        match channel {
            Channel::Talk if self.pages && matches!(event, Event::Looked { .. } | Event::Verdict(_)) => {
                self.page(&lines)
            }
            Channel::Talk => self.write(&lines),
            Channel::Aside => {
                for line in self.broken(&lines) {
                    output::error_line(&line.iter().map(|piece| piece.text.as_str()).collect::<String>());
                }
                Ok(())
            }
        }
    }

    /// Shows lines in a pager if the screen is too small for them.
    fn page(&mut self, lines: &[Line]) -> Result<(), Failure> {
        let rows = crossterm::terminal::size().map_or(usize::MAX, |(_, rows)| usize::from(rows));
        let (broken, palette) = (self.broken(lines), self.palette);
        if broken.len() < rows {
            return self.write(lines);
        }
        self.out.flush()?;
        match pager::show(|screen| broken.iter().try_for_each(|line| draw(screen, palette, line, true))) {
            true => Ok(()),
            false => self.write(lines),
        }
    }

    /// Lines as they fit the terminal.
    fn broken(&self, lines: &[Line]) -> Vec<Line> {
        match self.wraps {
            Some(width) => lines.iter().flat_map(|line| wording::wrapped(line, width)).collect(),
            None => lines.to_vec(),
        }
    }

    fn write(&mut self, lines: &[Line]) -> Result<(), Failure> {
        for line in self.broken(lines) {
            draw(&mut self.out, self.palette, &line, true)?;
        }
        Ok(())
    }
}

/// Writes a line in colours.
fn draw(out: &mut Screen, palette: Palette, line: &Line, ends: bool) -> io::Result<()> {
    let Palette { dim, strong, right, wrong, notice, off } = palette;
    for piece in line {
        let colour = match piece.role {
            Role::Plain | Role::Source => "",
            Role::Dim => dim,
            Role::Strong => strong,
            Role::Right => right,
            Role::Wrong => wrong,
            Role::Notice => notice,
        };
        out.colour(colour)?;
        match piece.role {
            Role::Source => out.drawn(&piece.text)?,
            Role::Plain | Role::Dim => write!(out, "{}", output::with_options_of_pytest(&piece.text))?,
            _ => write!(out, "{}", piece.text)?,
        }
        out.colour(if colour.is_empty() { "" } else { off })?;
    }
    if ends { writeln!(out) } else { Ok(()) }
}
