//! Bytes in a row: seven in each reference, as an integer, the first one lowest.

use super::model::{RawRef, Ref};

const EACH: usize = 7;

/// The references that hold bytes.
pub fn pack(bytes: &[u8]) -> impl ExactSizeIterator<Item = RawRef> + '_ {
    bytes.chunks(EACH).map(|chunk| {
        // Most are of one length, which is quicker if that is known.
        let word = match chunk.first_chunk::<EACH>() {
            Some(&[a, b, c, d, e, f, g]) => u64::from_le_bytes([a, b, c, d, e, f, g, 0]),
            None => chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        RawRef::int(word as i64)
    })
}

/// How many references hold so many bytes.
pub fn packed(length: usize) -> usize {
    length.div_ceil(EACH)
}

/// So many bytes, from the references that hold them; none if these are others.
pub fn unpack(words: &[Ref], length: usize) -> Option<Vec<u8>> {
    if words.len() != packed(length) {
        return None;
    }
    let mut bytes = Vec::with_capacity(words.len() * EACH);
    for word in words {
        let Ref::Int(word) = word else { return None };
        bytes.extend_from_slice(&word.to_le_bytes()[..EACH]);
    }
    bytes.truncate(length);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for length in 0..30 {
            let bytes: Vec<u8> = (0..length).map(|at: u8| at.wrapping_mul(37) ^ 0xa5).collect();
            let words: Vec<Ref> = pack(&bytes).map(RawRef::see).collect();
            assert_eq!(unpack(&words, bytes.len()), Some(bytes.clone()));
            assert_eq!(unpack(&words, bytes.len() + 7), None);
        }
        let zeros: Vec<Ref> = pack(&[0; 9]).map(RawRef::see).collect();
        assert_eq!(unpack(&zeros, 9), Some(vec![0; 9]));
        assert_eq!(unpack(&[Ref::Unknown], 3), None);
    }
}
