//! Numbers, texts and lists as bytes, for the parts of a file that are read as a whole: the program's tables, and how the
//! run ended.
//!
//! A number has seven bits a byte, the lowest first; all bytes but the last have their highest bit set. A text is a number
//! of bytes and then these, in UTF-8; a list is a number of things and then these. What may be absent is a number that is
//! one more, or 0.

/// Writes.
#[derive(Default)]
pub(super) struct Output {
    pub(super) bytes: Vec<u8>,
}

impl Output {
    pub(super) fn number(&mut self, mut number: u64) {
        while number > 0x7F {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    pub(super) fn index(&mut self, index: u32) {
        self.number(u64::from(index));
    }

    pub(super) fn maybe(&mut self, index: Option<u32>) {
        self.number(index.map_or(0, |index| u64::from(index) + 1));
    }

    pub(super) fn truth(&mut self, truth: bool) {
        self.bytes.push(u8::from(truth));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn list<T>(&mut self, list: &[T], mut write: impl FnMut(&mut Output, &T)) {
        self.number(list.len() as u64);
        for thing in list {
            write(self, thing);
        }
    }
}

/// Reads; none where the bytes are not what they should be.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Input<'a> {
        Input { bytes }
    }

    /// Whether only zeros are left, fewer than eight: what a payload is filled up with.
    pub(super) fn at_end(&self) -> bool {
        self.bytes.len() < 8 && self.bytes.iter().all(|byte| *byte == 0)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn index(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub(super) fn maybe(&mut self) -> Option<Option<u32>> {
        match self.number()? {
            0 => Some(None),
            more => Some(Some(u32::try_from(more - 1).ok()?)),
        }
    }

    pub(super) fn truth(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(std::str::from_utf8(text).ok()?.to_owned())
    }

    /// A list. Everything that can be in one has at least a byte, so what a list says of its length makes it allocate no
    /// more than the file is long, times the size of a thing.
    pub(super) fn list<T>(&mut self, mut read: impl FnMut(&mut Input<'a>) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        if count > self.bytes.len() as u64 {
            return None;
        }
        (0..count).map(|_| read(self)).collect()
    }
}
