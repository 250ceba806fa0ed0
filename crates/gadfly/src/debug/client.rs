//! The prompt: a client of the dialogue that reads lines and writes text.

use super::prompt::{Prompt, Said};
use crate::output::{self, Palette, Screen};
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Ending, Event, Input, Message, PROTOCOL, Page};
use gadfly_dialogue::wording::{self, Channel, Line, Role, Wording};
use gadfly_dialogue::words::{Typed, Typist, keys};
use gadfly_frontend::Failure;
use std::io::Write;

/// Talks to a person, or to nobody.
pub(crate) struct Client<'d> {
    pub(crate) driver: &'d mut Driver,
    pub(crate) prompt: Prompt,
    pub(crate) out: Screen,
    pub(crate) palette: Palette,
    pub(crate) width: usize,
}

/// A question takes at most this many lines; `show` gives the rest.
const QUESTION_LINES: usize = 24;

impl Client<'_> {
    /// Talks until the dialogue is over.
    pub(crate) fn talk(&mut self) -> Result<(), Failure> {
        let mut typist = Typist::default();
        let (mut input_ended, mut refused) = (false, false);
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
                    Event::Ended { how: Ending::Quit { .. } } if input_ended => {
                        return Err(Failure::input("the input ended before there was a verdict")
                            .with_hint("answer the rest, or let an oracle answer: `--oracle answers:FILE`"));
                    }
                    _ => {}
                }
            }
            if std::mem::take(&mut refused)
                && let Some(question) = typist.question()
            {
                self.show(&Event::Question(question))?;
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
            let input = match self.read(&mut typist)? {
                Some(input) => input,
                None => {
                    input_ended = true;
                    Input::Quit
                }
            };
            events = self.driver.say(input);
        }
    }

    /// Reads until a line makes sense to the dialogue; `None` at the end of the input.
    fn read(&mut self, typist: &mut Typist) -> Result<Option<Input>, Failure> {
        loop {
            let question = typist.question();
            // After a verdict, only a terminal shows that something may be typed.
            let line = match &question {
                None if !self.prompt.is_terminal() => Line::new(),
                question => wording::prompt(question.as_ref()),
            };
            let is_silent = line.is_empty();
            self.write_line(&line, false)?;
            self.out.flush()?;
            let line = match self.prompt.read(&keys())? {
                Said::Line(line) => line,
                Said::End => {
                    if !is_silent {
                        writeln!(self.out)?;
                    }
                    return Ok(None);
                }
                Said::Interrupt => return Err(Failure::Interrupted),
            };
            if !self.prompt.is_terminal() && !is_silent {
                // What came through a pipe is shown, so that the transcript can be read.
                writeln!(self.out, "{line}")?;
            }
            match typist.typed(&line) {
                Ok(Typed::Input(input)) => return Ok(Some(input)),
                Ok(Typed::AskRow(question)) => self.show(&Event::Question(question))?,
                Ok(Typed::Say(text)) => write!(self.out, "{}", output::with_options_of_pytest(&text))?,
                Err(_) if is_silent && line.trim().is_empty() => {}
                Err(error) => writeln!(self.out, "{error}")?,
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
        for line in &lines {
            match channel {
                Channel::Talk => self.write_line(line, true)?,
                Channel::Aside => {
                    output::error_line(&line.iter().map(|piece| piece.text.as_str()).collect::<String>());
                }
            }
        }
        Ok(())
    }

    fn write_line(&mut self, line: &Line, ends: bool) -> Result<(), Failure> {
        let Palette { dim, strong, right, wrong, notice, off } = self.palette;
        for piece in line {
            let colour = match piece.role {
                Role::Plain | Role::Source => "",
                Role::Dim => dim,
                Role::Strong => strong,
                Role::Right => right,
                Role::Wrong => wrong,
                Role::Notice => notice,
            };
            let off = if colour.is_empty() { "" } else { off };
            self.out.colour(colour)?;
            match piece.role {
                Role::Source => self.out.drawn(&piece.text)?,
                Role::Plain | Role::Dim => {
                    write!(self.out, "{}", output::with_options_of_pytest(&piece.text))?;
                }
                _ => write!(self.out, "{}", piece.text)?,
            }
            self.out.colour(off)?;
        }
        if ends {
            writeln!(self.out)?;
        }
        Ok(())
    }
}
