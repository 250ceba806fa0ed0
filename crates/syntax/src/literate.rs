//! Literate programs: the text around the program is made blank.
//!
//! Both styles of the Haskell report (§10.4): lines that begin with `>`, and what stands between `\begin{code}` and
//! `\end{code}`. The result has the same length as the text, so offsets stay what they were.

/// Whether a file of this name is literate.
pub(crate) fn is_literate(name: &str) -> bool {
    name.ends_with(".lhs") || name.ends_with(".lcurry")
}

/// The program of a literate text, everything else replaced by spaces.
pub(crate) fn blank_prose(text: &str) -> String {
    let mut code = Vec::with_capacity(text.len());
    let mut in_block = false;
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with("\\begin{code}");
        let ends = line.starts_with("\\end{code}");
        if in_block && !ends {
            code.extend_from_slice(line.as_bytes());
        } else if !in_block && line.starts_with('>') {
            code.push(b' ');
            code.extend_from_slice(&line.as_bytes()[1..]);
        } else {
            code.extend(line.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }));
        }
        in_block = (in_block || begins) && !ends;
    }
    String::from_utf8(code).expect("whole lines are kept or made blank")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str) {
        assert_eq!(blank_prose(text), code);
    }

    #[test]
    fn bird_tracks() {
        check("Añ\n\n> x = 1\n>\ty\n\n  > z\n", "   \n\n  x = 1\n \ty\n\n     \n");
    }

    #[test]
    fn code_blocks() {
        check("a\n\\begin{code}\nx = 1\n> y\n\\end{code}\nb", " \n            \nx = 1\n> y\n          \n ");
    }

    #[test]
    fn a_block_that_is_never_ended_goes_on() {
        check("\\begin{code}\nx", "            \nx");
    }
}
