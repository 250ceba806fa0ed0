//! How elements of an array are written, by their format: a letter of Python's `struct`.

/// What people call a format.
pub(crate) fn kind(format: &str) -> &str {
    match format {
        "d" => "float64",
        "f" => "float32",
        "l" | "q" => "int64",
        "i" => "int32",
        "h" => "int16",
        "b" => "int8",
        "B" => "uint8",
        "H" => "uint16",
        "I" => "uint32",
        "L" | "Q" => "uint64",
        "?" => "bool",
        other => other,
    }
}

/// An element in a format, if that is a number.
pub(crate) fn number(format: &str, bytes: &[u8]) -> Option<String> {
    Some(match format {
        "d" => format!("{:?}", f64::from_ne_bytes(bytes.try_into().ok()?)),
        "f" => format!("{:?}", f32::from_ne_bytes(bytes.try_into().ok()?)),
        "l" | "q" => i64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "i" => i32::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "h" => i16::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "b" => i8::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "B" => bytes.first()?.to_string(),
        "H" => u16::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "I" => u32::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "L" | "Q" => u64::from_ne_bytes(bytes.try_into().ok()?).to_string(),
        "?" => if *bytes.first()? == 0 { "False" } else { "True" }.to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_format() {
        assert_eq!(number("d", &1.5f64.to_ne_bytes()).as_deref(), Some("1.5"));
        assert_eq!(number("f", &0.1f32.to_ne_bytes()).as_deref(), Some("0.1"));
        assert_eq!(number("q", &(-3i64).to_ne_bytes()).as_deref(), Some("-3"));
        assert_eq!(number("L", &u64::MAX.to_ne_bytes()).as_deref(), Some("18446744073709551615"));
        assert_eq!(number("?", &[2]).as_deref(), Some("True"));
        assert_eq!(number("?", &[0]).as_deref(), Some("False"));
    }

    #[test]
    fn what_does_not_fit_is_no_number() {
        assert_eq!(number("d", &[0; 4]), None);
        assert_eq!(number("?", &[]), None);
        assert_eq!(number("T{d:x:}", &[0; 8]), None);
    }

    #[test]
    fn formats_have_the_names_that_numpy_gives_them() {
        assert_eq!(kind("l"), "int64");
        assert_eq!(kind("e"), "e");
    }
}
