//! Whether something is still the value that it was, without making it once more: for lists of numbers and for small objects, which are
//! what most functions are given that could change.

use crate::object::Object;
use crate::values::constructors::Word;
use crate::values::unseen::{LeftOut, in_order, omitted_hash};
use crate::values::{FLAT, Limits, Value, Values, mix, seed};
use gadfly_trail::model::RawRef;
use pyo3::ffi;

impl Values {
    /// Whether a list of values without parts, or a small object, would be the same value with these limits; `false` also if that is not
    /// seen at once.
    #[inline]
    pub(crate) fn is_still(&mut self, object: Object<'_>, before: &Value, limits: Limits) -> bool {
        if limits.cells == 0 || before.unseen {
            return false;
        }
        if !object.is_a(&raw mut ffi::PyList_Type) {
            let hash = self.glance(object);
            self.spent += u32::from(hash.is_some());
            return hash == Some(before.hash);
        }
        let Some(list) = object.list() else { return false };
        let length = list.length();
        let seen = match length <= FLAT {
            true => length,
            false => length.min(Limits::ELEMENTS).min(limits.cells as usize - 1),
        };
        let rest = length - seen;
        if rest > limits.compared() as usize {
            return false;
        }
        // It is quicker than making the value, but not for nothing.
        self.spent += seen as u32 / 2 + (rest as u32).div_ceil(Limits::COMPARED);
        let mut hash = seed(Word::List as u32, seen + usize::from(seen < length));
        for at in 0..seen {
            let Some(reference) = self.simple(list.get(at)) else { return false };
            hash = mix(hash, Value::plain(reference).hash);
        }
        if rest > 0 {
            let mut left_out = LeftOut::SETTLED;
            for at in seen..length {
                let Some(reference) = self.simple(list.get(at)) else { return false };
                left_out.hash = in_order(left_out.hash, Value::plain(reference).hash);
            }
            hash = mix(hash, omitted_hash(rest, left_out));
        }
        hash == before.hash
    }

    /// The hash of a [flat object](Values::flat_object), if it is one.
    #[inline]
    fn glance(&mut self, object: Object<'_>) -> Option<u64> {
        if !object.class().is_heap() {
            return None;
        }
        let left = std::mem::replace(&mut self.left, Limits::FULL.cells);
        let fields = self.flat_fields(object, 1, &mut [RawRef::UNKNOWN; FLAT]);
        self.left = left;
        fields.map(|(_, _, hash)| hash)
    }
}
