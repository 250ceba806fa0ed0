//! Moments of the library's `datetime`, written as it writes them, but without asking it: that takes as long as many calls.

use crate::extension::{self, Moment};
use crate::object::{Held, Object};
use crate::values::library;
use crate::values::{Value, Values};
use std::fmt::Write;

/// So many moments are remembered.
const MOMENTS: usize = 61;

/// The time zone that was met last, which is held if nobody can see that, with what it writes of itself, and moments in it: all that
/// they are made of, and their values.
pub(crate) struct Zone {
    object: Option<Held>,
    text: Option<String>,
    moments: [(u64, Option<Value>); MOMENTS],
}

impl Zone {
    /// Nowhere.
    pub(crate) fn none() -> Zone {
        Zone { object: None, text: None, moments: [(0, None); MOMENTS] }
    }
}

impl Values {
    /// A moment: `datetime.datetime(2020, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)`; none if its time zone is one of the program's.
    pub(crate) fn moment(&mut self, moment: Object<'_>) -> Option<Value> {
        let Moment { date, time, fold, zone } = Moment::of(moment)?;
        if !self.zone.object.as_ref().is_some_and(|known| known.is(zone)) && !self.meet(zone) {
            return None;
        }
        // Months, days and so on have their places in a number: there is room for all.
        let sizes = [
            (date[0], 14),
            (date[1], 4),
            (date[2], 5),
            (time[0], 5),
            (time[1], 6),
            (time[2], 6),
            (time[3], 20),
        ];
        let key = sizes.into_iter().fold(u64::from(fold != 0), |key, (part, bits)| key << bits | part as u64);
        let at = key as usize % MOMENTS;
        if let (known, Some(value)) = self.zone.moments[at]
            && known == key
        {
            return Some(value);
        }
        let mut text = format!("datetime.datetime({}, {}, {}", date[0], date[1], date[2]);
        // Seconds and their parts are left out from the end on, if there are none.
        let shown = 4 - time[2..].iter().rev().take_while(|part| **part == 0).count();
        for part in &time[..shown] {
            // What is written to a string is always written; here and below.
            let _ = write!(text, ", {part}");
        }
        if fold != 0 {
            let _ = write!(text, ", fold={fold}");
        }
        let _ = write!(text, "{})", self.zone.text.as_deref().unwrap_or_default());
        let value = self.written(&text);
        if !self.unkept {
            self.zone.moments[at] = (key, Some(value));
        }
        Some(value)
    }

    /// Says whether a time zone is none of the program's, so that it may be asked.
    fn meet(&mut self, zone: Object<'_>) -> bool {
        let text = match zone.is_none() {
            true => String::new(),
            false if !library::is_zone(zone) => return false,
            false => format!(", tzinfo={}", extension::said(zone)),
        };
        if self.zone.text.as_ref() != Some(&text) {
            *self.zone = Zone { text: Some(text), ..Zone::none() };
        }
        // One of the other kind can have weak references.
        self.zone.object = extension::held_zone(zone);
        true
    }
}
