//! Foreign texts, in messages.

/// The first 80 characters of a foreign text, fit for a message.
pub(crate) fn beginning(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown = String::new();
    for c in chars.by_ref().take(80) {
        match c {
            '"' | '\'' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if chars.next().is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
