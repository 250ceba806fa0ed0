//! The page: words, places where a line may break, and groups that break together, laid out in a width.
//!
//! The layout is Oppen's ("Prettyprinting", 1980): a group that fits on the line stays on it; one that does not fit
//! breaks, at every place (a record by its fields) or only where the line is full (a list of numbers). What no break
//! can help, because even the indentation leaves no room, still never passes the margin: a word that does not fit
//! begins a new line, and a word wider than a line is cut.

use super::text::columns;

/// How a group breaks when it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breaks {
    /// At every place.
    All,
    /// Where the line is full.
    Full,
}

/// Where the lines of a broken group begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hang {
    /// Under the group's first word.
    Aligned,
    /// So many columns further in than the group itself, or than the group around it if that is too far right.
    Nested(usize),
}

/// What stands at the end and at the beginning of a line when a text is cut there.
pub(super) type Cut = (&'static str, &'static str);

#[derive(Clone, Copy, Debug)]
enum Token {
    Word { bytes: usize, columns: usize },
    Break { space: usize, cut: Option<Cut> },
    Begin(Breaks, Hang),
    End,
}

/// A page being written.
#[derive(Debug)]
pub(super) struct Page {
    /// On a flat page, the whole line; else the words one after the other.
    text: String,
    /// `None` on a flat page.
    tokens: Option<Vec<Token>>,
    /// Whether something was left out.
    pub(super) elided: bool,
    /// How wide the pieces of a long text are between which it may be cut.
    pub(super) piece: usize,
}

impl Page {
    /// A page of one line.
    pub(super) fn flat() -> Self {
        Page { text: String::new(), tokens: None, elided: false, piece: usize::MAX }
    }

    /// A page of lines of this width.
    pub(super) fn broken(width: usize) -> Self {
        Page { text: String::new(), tokens: Some(Vec::new()), elided: false, piece: (width / 4).clamp(2, 24) }
    }

    pub(super) fn is_flat(&self) -> bool {
        self.tokens.is_none()
    }

    pub(super) fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        self.text.push_str(word);
        if let Some(tokens) = &mut self.tokens {
            tokens.push(Token::Word { bytes: word.len(), columns: columns(word) });
        }
    }

    /// A place where a line may break; `space` blanks where it does not.
    pub(super) fn gap(&mut self, space: usize) {
        match &mut self.tokens {
            Some(tokens) => tokens.push(Token::Break { space, cut: None }),
            None => self.text.extend(std::iter::repeat_n(' ', space)),
        }
    }

    /// A place inside a text where it may be cut.
    pub(super) fn cut(&mut self, cut: Cut) {
        if let Some(tokens) = &mut self.tokens {
            tokens.push(Token::Break { space: 0, cut: Some(cut) });
        }
    }

    pub(super) fn begin(&mut self, breaks: Breaks, hang: Hang) {
        if let Some(tokens) = &mut self.tokens {
            tokens.push(Token::Begin(breaks, hang));
        }
    }

    /// Begins a text that may be cut.
    pub(super) fn begin_text(&mut self) {
        self.begin(Breaks::Full, Hang::Aligned);
    }

    pub(super) fn end(&mut self) {
        if let Some(tokens) = &mut self.tokens {
            tokens.push(Token::End);
        }
    }

    /// The text of a flat page.
    pub(super) fn into_line(self) -> (String, bool) {
        (self.text, self.elided)
    }

    /// The lines of a page, and whether something was left out; `None` if there are more than `most` lines.
    pub(super) fn into_lines(self, width: usize, most: usize) -> Option<(String, bool)> {
        let tokens = self.tokens.as_deref().unwrap_or_default();
        let sizes = sizes(tokens);
        let mut print = Print {
            out: String::new(),
            width,
            column: 0,
            indent: 0,
            lines: 1,
            elided: self.elided,
            groups: Vec::new(),
        };
        let mut text = self.text.as_str();
        for (index, token) in tokens.iter().enumerate() {
            match *token {
                Token::Word { bytes, columns } => {
                    let (word, rest) = text.split_at(bytes);
                    text = rest;
                    let cut = matches!(tokens.get(index + 1), Some(Token::Break { cut: Some(_), .. }));
                    print.word(word, columns, usize::from(cut && print.group().breaks.is_some()));
                }
                Token::Break { space, cut } => print.gap(space, cut, sizes[index]),
                Token::Begin(breaks, hang) => print.begin(breaks, hang, sizes[index]),
                Token::End => {
                    print.groups.pop();
                }
            }
            if print.lines > most {
                return None;
            }
        }
        Some((print.out, print.elided))
    }
}

/// For the beginning of a group, the columns up to its end; for a break, those up to the next break of the same group.
/// Both include what follows without a chance to break, such as a closing bracket.
fn sizes(tokens: &[Token]) -> Vec<usize> {
    // `until[i]`: the columns from token i to the next break of any group.
    let mut until = vec![0; tokens.len() + 1];
    for (index, token) in tokens.iter().enumerate().rev() {
        until[index] = match token {
            Token::Word { columns, .. } => until[index + 1] + columns,
            Token::Break { .. } => 0,
            Token::Begin(..) | Token::End => until[index + 1],
        };
    }
    let mut sizes = vec![0; tokens.len()];
    let mut starts = vec![0; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut total = 0;
    for (index, token) in tokens.iter().enumerate() {
        starts[index] = total;
        match token {
            Token::Word { columns, .. } => total += columns,
            Token::Begin(..) => open.push(index),
            Token::Break { space, cut } => {
                if let Some(last) = open.pop_if(|last| matches!(tokens[*last], Token::Break { .. })) {
                    // A cut needs a column for what stands at the end of the line.
                    sizes[last] = total - starts[last] + usize::from(cut.is_some());
                }
                open.push(index);
                total += space;
            }
            Token::End => {
                while let Some(last) = open.pop() {
                    sizes[last] = total - starts[last] + until[index + 1];
                    if matches!(tokens[last], Token::Begin(..)) {
                        break;
                    }
                }
            }
        }
    }
    sizes
}

#[derive(Clone, Copy)]
struct Group {
    /// `None`: it fits on the line.
    breaks: Option<Breaks>,
    indent: usize,
}

struct Print {
    out: String,
    width: usize,
    column: usize,
    /// Where the current line began.
    indent: usize,
    lines: usize,
    elided: bool,
    groups: Vec<Group>,
}

impl Print {
    fn group(&self) -> Group {
        self.groups.last().copied().unwrap_or(Group { breaks: Some(Breaks::Full), indent: 0 })
    }

    fn begin(&mut self, breaks: Breaks, hang: Hang, size: usize) {
        let around = self.group();
        let fits = around.breaks.is_none() || self.column + size <= self.width;
        let indent = match hang {
            Hang::Aligned => self.column,
            Hang::Nested(by) if self.column <= self.indent + 4 => self.column + by,
            Hang::Nested(by) => around.indent + by,
        };
        // However deep a value is, half of the line stays for what is in it.
        let indent = indent.min(self.width / 2);
        self.groups.push(Group { breaks: (!fits).then_some(breaks), indent });
    }

    fn gap(&mut self, space: usize, cut: Option<Cut>, size: usize) {
        let group = self.group();
        let stays = match group.breaks {
            None => true,
            Some(Breaks::All) => false,
            Some(Breaks::Full) => self.column + size <= self.width,
        };
        if stays {
            self.out.extend(std::iter::repeat_n(' ', space));
            self.column += space;
            return;
        }
        let (before, after) = cut.unwrap_or_default();
        self.out.push_str(before);
        self.line(group.indent);
        self.out.push_str(after);
        self.column += columns(after);
    }

    /// Writes a word, with columns to spare after it for what says that a text goes on.
    fn word(&mut self, word: &str, size: usize, spare: usize) {
        if self.column + size + spare > self.width && self.column > self.indent {
            self.line(self.group().indent);
        }
        let room = self.width.saturating_sub(self.column + spare);
        if size <= room {
            self.out.push_str(word);
            self.column += size;
        } else {
            self.elided = true;
            self.column += push_clipped(word, room, &mut self.out);
        }
    }

    fn line(&mut self, indent: usize) {
        // Blanks before the break would be at the end of the line.
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.indent = indent;
        self.lines += 1;
    }
}

/// Appends the beginning of a word with `…` at its end, `room` columns in all, and says how many it took.
pub(super) fn push_clipped(word: &str, room: usize, out: &mut String) -> usize {
    let mut taken = 0;
    for c in word.chars() {
        let width = columns(c.encode_utf8(&mut [0; 4]));
        if taken + width + 1 > room {
            break;
        }
        out.push(c);
        taken += width;
    }
    if room > 0 {
        out.push('…');
        taken += 1;
    }
    taken
}
