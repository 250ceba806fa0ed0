//! The name that was probably meant: the one that is spelt most like what was written.

/// Only so many characters of a text are compared.
const COMPARED: usize = 64;

/// The name that looks most like a text, if one does: it begins like it, or up to a third of its letters differ.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold =
        |text: &str| -> Vec<char> { text.chars().take(COMPARED).flat_map(char::to_lowercase).collect() };
    let wanted = fold(text);
    if wanted.len() < 2 {
        return None;
    }
    let most = (wanted.len() / 3).clamp(1, 3);
    let ranked = names.into_iter().filter(|name| *name != text).filter_map(|name| {
        let folded = fold(name);
        let same: String = folded.iter().collect();
        let far = match folded.starts_with(&wanted) {
            true => 0,
            false => distance(&wanted, &same, most)?,
        };
        Some((far, name))
    });
    ranked.min().map(|(_, name)| name)
}

/// How many letters are added, left out, changed or swapped between two names, if at most `most`.
pub fn distance(wanted: &[char], name: &str, most: usize) -> Option<usize> {
    let name: Vec<char> = name.chars().take(COMPARED + 2).collect();
    if name.len().abs_diff(wanted.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, a) in wanted.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in name.iter().enumerate() {
            let mut cost = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && wanted[i - 1] == *b && *a == name[j - 1] {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_or_a_beginning_is_recognised_and_nothing_else() {
        let words = ["history", "help", "top-down", "top-down-zooming"];
        let near = |text| nearest(text, words);
        assert_eq!(near("hsitory"), Some("history"));
        assert_eq!(near("hist"), Some("history"));
        assert_eq!(near("topdown"), Some("top-down"));
        assert_eq!(near("Top-Down"), Some("top-down"));
        assert_eq!((near("x"), near("maybe"), near("")), (None, None, None));
    }
}
