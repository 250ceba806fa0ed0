//! How people name functions: by name, by module, or by a pattern of both.

/// A name as it is typed: `insert`, `Data.List.insert`, `Data.List`, `Data.*`, `*sort*`, `+`.
///
/// A function is meant by its name, with or without its module's, and a module by its own or by that of a package that it
/// is in: then all its functions are meant. A star stands for any characters, and a pattern that begins with one means
/// functions; but a name of nothing but operator symbols is that operator: `*` multiplies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    text: String,
    /// The parts between the stars; one if there is no star.
    parts: Vec<String>,
}

impl NamePattern {
    /// Understands what was typed.
    pub fn new(text: &str) -> NamePattern {
        let operator = text.chars().all(is_symbol);
        let parts = match operator {
            true => vec![text.to_owned()],
            false => text.split('*').map(str::to_owned).collect(),
        };
        NamePattern { text: text.to_owned(), parts }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a function of a module is meant.
    pub fn matches(&self, module: Option<&str>, function: &str) -> bool {
        if self.fits(&[function]) {
            return true;
        }
        let Some(module) = module else { return false };
        let names_module = !self.text.starts_with('*')
            && (self.fits(&[module])
                || module.match_indices('.').any(|(end, _)| self.fits(&[&module[..end]])));
        names_module || self.text.contains('.') && self.fits(&[module, ".", function])
    }

    /// Whether the pattern fits the whole of a text, which is given in pieces.
    fn fits(&self, pieces: &[&str]) -> bool {
        let text = pieces.concat();
        let (Some(first), Some(last)) = (self.parts.first(), self.parts.last()) else { return false };
        if self.parts.len() == 1 {
            return *first == text;
        }
        let Some(rest) = text.strip_prefix(first.as_str()) else { return false };
        let Some(mut rest) = rest.strip_suffix(last.as_str()) else { return false };
        // Between the ends, the earliest place for each part leaves the most room for the others.
        for part in &self.parts[1..self.parts.len() - 1] {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        true
    }
}

/// Whether operators are made of it.
fn is_symbol(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '_' | '\'' | '"' | '(' | ')' | '[' | ']' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, module: &str, function: &str, expect: bool) {
        let module = Some(module).filter(|module| !module.is_empty());
        assert_eq!(
            NamePattern::new(pattern).matches(module, function),
            expect,
            "{pattern}: {module:?} {function}"
        );
    }

    #[test]
    fn functions_and_modules_are_named() {
        check("insert", "Data.List", "insert", true);
        check("insert", "", "insert", true);
        check("insert", "Data.List", "insertBy", false);
        check("Data.List.insert", "Data.List", "insert", true);
        check("Data.Map.insert", "Data.List", "insert", false);
        check("Data.List", "Data.List", "insert", true);
        check("Data.Li", "Data.List", "insert", false);
        check("Main", "Main", "main", true);
        check("main", "Main", "main", true);
        check("Main.isort.go", "Main", "isort.go", true);
    }

    #[test]
    fn modules_and_packages_have_names_in_lower_case_too() {
        check("shop", "shop", "total", true);
        check("shop", "shop.cart", "total", true);
        check("shop.cart", "shop.cart.items", "total", true);
        check("shop", "shopping", "total", false);
        check("cart", "shop.cart", "total", false);
        check("Data", "Data.List", "insert", true);
    }

    #[test]
    fn a_star_is_anything_but_an_operator_is_itself() {
        check("Data.List.*", "Data.List", "insert", true);
        check("Data.*", "Data.List", "insert", true);
        check("Data.*", "Database", "open", false);
        check("*sort*", "Main", "isortBy", true);
        check("*sort*", "Resort", "f", false);
        check("i*t", "Main", "isort", true);
        check("i*o*o*t", "Main", "isort", false);
        check("Test*", "Test1", "f", true);
        check("*", "Prelude", "*", true);
        check("*", "Prelude", "f", false);
        check("Prelude.*", "Prelude", "*", true);
        check("+", "Prelude", "+", true);
        check("Prelude.+", "Prelude", "+", true);
        check(".", "Prelude", ".", true);
        check("", "Prelude", "f", false);
    }
}
