//! Moments of the library's `datetime`, written as it writes them, but without asking it: that takes as long as many calls.

use crate::library;
use crate::values::{Value, Values, utf8_or_clear};
use crate::words::Word;
use pyo3::ffi::{self, PyObject};
use std::fmt::Write;

/// So many moments are remembered.
const MOMENTS: usize = 61;

/// The time zone that was met last, which is held, with what it writes of itself, and moments in it: all that they are made of, and
/// their values.
pub(crate) struct Zone {
    object: *mut PyObject,
    text: String,
    moments: [(u64, Option<Value>); MOMENTS],
}

impl Zone {
    /// Nowhere.
    pub(crate) const NONE: Zone =
        Zone { object: std::ptr::null_mut(), text: String::new(), moments: [(0, None); MOMENTS] };
}

impl Values {
    /// A moment: `datetime.datetime(2020, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)`; none if its time zone is one of the program's.
    ///
    /// # Safety
    /// The object is one of the class of the library itself.
    pub(crate) unsafe fn moment(&mut self, object: *mut PyObject) -> Option<Value> {
        let (date, time, fold, zone) = unsafe {
            use ffi::{
                PyDateTime_DATE_GET_FOLD, PyDateTime_DATE_GET_HOUR, PyDateTime_DATE_GET_MICROSECOND,
                PyDateTime_DATE_GET_MINUTE, PyDateTime_DATE_GET_SECOND, PyDateTime_DATE_GET_TZINFO,
                PyDateTime_GET_DAY, PyDateTime_GET_MONTH, PyDateTime_GET_YEAR,
            };
            (
                [PyDateTime_GET_YEAR(object), PyDateTime_GET_MONTH(object), PyDateTime_GET_DAY(object)],
                [
                    PyDateTime_DATE_GET_HOUR(object),
                    PyDateTime_DATE_GET_MINUTE(object),
                    PyDateTime_DATE_GET_SECOND(object),
                    PyDateTime_DATE_GET_MICROSECOND(object),
                ],
                PyDateTime_DATE_GET_FOLD(object),
                PyDateTime_DATE_GET_TZINFO(object),
            )
        };
        if zone != self.zone.object && !unsafe { self.meet(zone) } {
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
        let _ = write!(text, "{})", self.zone.text);
        let shown = self.text(&text);
        let value = self.make(Word::Written as u32, &[shown], false);
        self.zone.moments[at] = (key, Some(value));
        Some(value)
    }

    /// Says whether a time zone is none of the program's, so that it may be asked.
    unsafe fn meet(&mut self, zone: *mut PyObject) -> bool {
        let text = match zone == unsafe { ffi::Py_None() } {
            true => String::new(),
            false if !unsafe { library::is_zone(zone) } => return false,
            false => unsafe {
                let text = ffi::PyObject_Repr(zone);
                let shown = format!(", tzinfo={}", utf8_or_clear(text));
                ffi::Py_XDECREF(text);
                shown
            },
        };
        unsafe { ffi::Py_INCREF(zone) };
        let before = std::mem::replace(&mut *self.zone, Zone { object: zone, text, ..Zone::NONE });
        if !before.object.is_null() {
            self.dropped.push(before.object);
        }
        true
    }
}
