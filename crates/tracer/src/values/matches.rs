//! What `re` found: where, and what stands there, of the whole and of its groups.
//!
//! A match says neither by its members, which are the string that was searched and the pattern; [`Match`] reads the rest.

use crate::extension::Match;
use crate::object::Object;
use crate::values::constructors::Word;
use crate::values::unseen::LeftOut;
use crate::values::{Limits, Value, Values};
use gadfly_trail::model::RawRef;

impl Values {
    /// A match: `Match(start=3, end=5, match='12', groups=('1', '2'))`; none if it cannot be read.
    pub(crate) fn found(&mut self, object: Object<'_>) -> Option<Value> {
        let found = Match::of(object)?;
        let string = found.string;
        string.text().map(|_| ()).or_else(|| string.bytes().map(|_| ()))?;
        let (start, end) = found.span(0);
        let from = self.parts.len();
        let span = [start, end].map(|place| Value::plain(RawRef::int(place as i64)));
        let whole = self.piece(string, start, end);
        self.parts.extend([span[0], span[1], whole]);
        let has_groups = found.groups() > 1;
        if has_groups {
            let first = self.parts.len();
            for group in 1..found.groups() {
                if self.left == 0 || group > Limits::ELEMENTS {
                    let rest = self.omitted(found.groups() - group, LeftOut::SETTLED);
                    self.parts.push(rest);
                    break;
                }
                self.left -= 1;
                let (start, end) = found.span(group);
                let part = self.piece(string, start, end);
                self.parts.push(part);
            }
            let groups = self.gather(Word::Tuple as u32, first, false);
            self.parts.push(groups);
        }
        let names = &["start", "end", "match", "groups"][..3 + usize::from(has_groups)];
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let value = self.record(from, "Match".to_owned(), names);
        Some(Value { mutable: false, ..value })
    }

    /// What stands between two places; nothing if they are nowhere.
    fn piece(&mut self, string: Object<'_>, start: isize, end: isize) -> Value {
        let (text, bytes) = (string.text(), string.bytes());
        let length = text.map(|text| text.length()).or(bytes.map(<[u8]>::len)).unwrap_or_default();
        if start < 0 || end < start || end as usize > length {
            return self.word(Word::None);
        }
        let (start, size) = (start as usize, (end - start) as usize);
        match (text, bytes) {
            (Some(text), _) => self.piece_of(text, start, size),
            (None, bytes) => {
                let bytes = &bytes.unwrap_or_default()[start..][..size.min(Limits::CHARACTERS)];
                self.packed(Word::Bytes, size, bytes)
            }
        }
    }
}
