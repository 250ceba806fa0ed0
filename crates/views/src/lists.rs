//! Lists and strings: as much of them as was evaluated.

use super::follow::End;
use super::values::{Builder, Close, Run};
use gadfly_trail::model::{Form, NodeId, Ref};

/// A list as far as it is known.
struct Spine {
    heads: Vec<Ref>,
    /// The elements, if all are characters.
    text: Option<String>,
    rest: Rest,
}

/// How a list goes on after the elements that were found.
enum Rest {
    Nothing,
    /// A literal: its number, and how many characters come before.
    Literal(u32, u32),
    /// There is more than there is room for, or it goes on for ever.
    More,
    /// Something that is not known to be a list yet.
    Other(Ref),
}

impl Builder<'_, '_> {
    /// A list, from its first cell.
    pub(super) fn list(&mut self, first: NodeId, fields: &[Ref]) {
        let room = self.room();
        let (characters, rounds) = (self.limits.characters, self.limits.rounds);
        let Spine { mut heads, text, rest } = spine(self.run, first, fields, room, characters, rounds);
        if let Some(mut text) = text {
            match rest {
                Rest::Nothing => return self.string(&text, 0),
                Rest::Literal(string, from) => {
                    let more = self.run.literal(string, from, characters, &mut text);
                    return self.string(&text, more);
                }
                Rest::More => {
                    let text = self.terms.str(&text, 0);
                    let rest = self.terms.omitted(0);
                    let all = self.terms.con("++", &[text, rest]);
                    return self.put(all);
                }
                Rest::Other(_) => {}
            }
        }
        match rest {
            Rest::Nothing => {}
            Rest::Literal(string, from) => {
                let mut text = String::new();
                self.run.literal(string, from, characters, &mut text);
                heads.extend(text.chars().map(|c| Ref::Char(c.into())));
            }
            Rest::More => {
                self.short = true;
                heads.push(Ref::Unknown);
            }
            Rest::Other(rest) => {
                heads.push(rest);
                return self.compound(Close::Con(":".into()), &heads);
            }
        }
        self.compound(Close::List, &heads);
    }

    /// A literal, from a character on.
    pub(super) fn literal(&mut self, string: u32, from: u32) {
        let mut text = String::new();
        let more = self.run.literal(string, from, self.limits.characters, &mut text);
        self.string(&text, more);
    }

    fn string(&mut self, text: &str, more: u64) {
        // Characters are cheaper than cells.
        self.left = self.left.saturating_sub(text.len() as u64 / 16);
        let term = self.terms.str(text, more);
        self.put(term);
    }
}

impl Run<'_> {
    /// Appends the characters of a literal from one on, and says how many more there are.
    pub(super) fn literal(&self, string: u32, from: u32, most: usize, text: &mut String) -> u64 {
        let known = self.tables().strings.get(string as usize);
        let rest = known.and_then(|known| known.get(from as usize..)).unwrap_or_default();
        text.extend(rest.iter().take(most).map(|code| character(*code)));
        rest.len().saturating_sub(most) as u64
    }

    /// The characters of a string as far as they are known, and whether that is all of it; `None` if it is not a string.
    pub(super) fn text(&self, string: Ref, most: usize) -> Option<(String, bool)> {
        match self.end(string) {
            End::Value(Ref::Text { string, from }) => {
                let mut text = String::new();
                let more = self.literal(string, from, most, &mut text);
                Some((text, more == 0))
            }
            end => {
                let (constructor, fields) = self.construct(end)?;
                let End::Node(first, _) = end else {
                    return (*self.form(constructor) == Form::Nil).then(|| (String::new(), true));
                };
                if *self.form(constructor) != Form::Cons {
                    return None;
                }
                let Spine { text, rest, .. } = spine(*self, first, &fields, most, most, 1);
                let mut text = text?;
                let whole = match rest {
                    Rest::Nothing => true,
                    Rest::Literal(string, from) => self.literal(string, from, most, &mut text) == 0,
                    Rest::More | Rest::Other(_) => false,
                };
                Some((text, whole))
            }
        }
    }
}

/// Walks along a list: at most `room` elements, or `characters` if that is what they all are; if it contains itself, about so
/// many times around.
fn spine(
    run: Run<'_>,
    first: NodeId,
    fields: &[Ref],
    room: usize,
    characters: usize,
    mut rounds: u32,
) -> Spine {
    let mut spine = Spine { heads: Vec::new(), text: Some(String::new()), rest: Rest::More };
    let (mut fields, mut slow) = (fields.to_vec(), first);
    while let [head, tail] = fields[..] {
        if let Some(text) = &mut spine.text {
            match run.end(head) {
                End::Value(Ref::Char(code)) => text.push(character(code)),
                _ => spine.text = None,
            }
        }
        let most = if spine.text.is_some() { characters.max(room) } else { room };
        if spine.heads.len() >= most {
            return spine;
        }
        spine.heads.push(head);
        let end = run.end(tail);
        let node = match end {
            End::Value(Ref::Text { string, from }) => {
                spine.rest = Rest::Literal(string, from);
                return spine;
            }
            End::Node(node, _) => node,
            _ => NodeId::NONE,
        };
        match run.construct(end) {
            Some((constructor, more)) if *run.form(constructor) == Form::Cons => fields = more,
            Some((_, nothing)) if nothing.is_empty() => {
                spine.rest = Rest::Nothing;
                return spine;
            }
            _ => {
                spine.rest = Rest::Other(tail);
                return spine;
            }
        }
        // A list that contains itself: the slow one waits where the number of elements is a power of two.
        if node == slow {
            rounds -= 1;
            if rounds == 0 {
                return spine;
            }
        }
        if spine.heads.len().is_power_of_two() {
            slow = node;
        }
    }
    spine
}

/// The character with a code; an invalid code is shown as the replacement character.
pub(super) fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
