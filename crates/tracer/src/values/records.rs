//! Constructors for objects of the program's classes: one for each class's name with the names of its fields.
//!
//! They are told apart by these names and nothing else, so that two classes that look the same share one, and a program that makes
//! classes without end does not make the trail's tables grow. Those of different names are bounded by their size: of
//! later ones only the name of the class is shown.

use crate::values::constructors::constructor;
use gadfly_trail::model::{Form, Tables};
use gadfly_trail::stream::Stream;
use rustc_hash::FxHashMap;

/// The exception with which a person interrupts a program.
const INTERRUPTION: &str = "KeyboardInterrupt";

/// The constructors that there are.
#[derive(Debug)]
pub(crate) struct Records {
    known: FxHashMap<(String, Vec<String>), u32>,
    next: u32,
    /// How many bytes may still be used for them.
    left: usize,
}

impl Records {
    /// None yet, after so many words, and room for so many bytes.
    pub(crate) fn new(words: u32, bytes: usize) -> Records {
        Records { known: FxHashMap::default(), next: words, left: bytes }
    }

    /// The constructor with these names; none if there are too many already.
    pub(crate) fn constructor(
        &mut self,
        stream: &mut Stream,
        name: String,
        fields: Vec<String>,
    ) -> Option<u32> {
        let key = (name, fields);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        // What a table takes for it, about.
        let bytes = 128 + key.0.len() + key.1.iter().map(|field| 64 + field.len()).sum::<usize>();
        self.left = self.left.checked_sub(bytes)?;
        let of = if key.1.is_empty() { "python.con" } else { "python.object" };
        let form = match key.0.as_str() {
            INTERRUPTION => Form::Interruption,
            _ if key.1.is_empty() => Form::Plain,
            _ => Form::Object,
        };
        let new = constructor(&key.0, of, key.1.clone(), form);
        stream.more(Tables { constructors: vec![new], ..Tables::default() });
        self.known.insert(key, self.next);
        self.next += 1;
        Some(self.next - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gadfly_trail::model::{RunEnd, Shape};
    use gadfly_trail::stream::Sink;

    struct Nowhere;

    impl Sink for Nowhere {
        fn more(&mut self, _tables: Tables) {}
        fn shape(&mut self, _shape: Shape) {}
        fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
            chunk
        }
        fn end(&mut self, _last: Vec<u64>, _end: &RunEnd) {}
    }

    fn fields(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn classes_that_look_the_same_share_a_constructor() {
        let (mut stream, mut records) = (Stream::new(Box::new(Nowhere)), Records::new(7, 1 << 10));
        let mut of =
            |name: &str, names: &[&str]| records.constructor(&mut stream, name.to_owned(), fields(names));
        assert_eq!(of("Point", &["x", "y"]), Some(7));
        assert_eq!(of("Point", &["x"]), Some(8));
        assert_eq!(of("Point", &["x", "y"]), Some(7));
    }

    #[test]
    fn there_is_an_end_to_them() {
        let (mut stream, mut records) = (Stream::new(Box::new(Nowhere)), Records::new(0, 1 << 10));
        let made =
            (0..100).filter_map(|at| records.constructor(&mut stream, format!("Class{at}"), Vec::new()));
        assert_eq!(made.count(), 7);
        assert_eq!(records.constructor(&mut stream, "Class0".to_owned(), Vec::new()), Some(0));
    }
}
