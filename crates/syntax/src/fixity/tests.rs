use super::*;
use crate::check::parse_file;

/// The fixities of a few Prelude operators.
fn prelude(text: &str) -> Option<Fixity> {
    use Associativity::{Left, None as No, Right};
    let (associativity, precedence) = match text {
        "." => (Right, 9),
        "^" => (Right, 8),
        "*" | "/" | "div" => (Left, 7),
        "+" | "-" => (Left, 6),
        "++" => (Right, 5),
        "==" | "<" | "elem" => (No, 4),
        "&&" => (Right, 3),
        "||" => (Right, 2),
        ">>=" => (Left, 1),
        "$" => (Right, 0),
        _ => return None,
    };
    Some(Fixity { associativity, precedence })
}

#[track_caller]
fn check_file(name: &str, text: &str, expected: &str) {
    let (sources, interner, mut parsed) = parse_file(name, text);
    assert_eq!(parsed.diagnostics, [], "{text}");
    let diagnostics =
        resolve_fixities(&mut parsed.module, &interner, |name| prelude(interner.text(name.name)));
    let mut found = crate::dump(&parsed.module, &interner);
    for diagnostic in &diagnostics {
        found.push_str(&diagnostic.plain_lines(&sources));
        found.push('\n');
    }
    assert_eq!(found.trim_end(), expected, "{text}");
}

/// The right side of a definition must resolve to this.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_file("test.hs", &format!("r = {text}"), &format!("(fun r ([] {expected}))"));
}

#[track_caller]
fn check_module(text: &str, expected: &str) {
    check_file("test.hs", text, expected);
}

#[test]
fn precedence_and_associativity() {
    check("a + b * c", "(opl a + (opl b * c))");
    check("a * b + c", "(opl (opl a * b) + c)");
    check("a - b + c - d", "(opl a - b + c - d)");
    check("a : b : c ++ d", "(opr a : b : c ++ d)");
    check("a ^ b ^ c * d", "(opl (opr a ^ b ^ c) * d)");
    check("a == b && c < d || e", "(opr (opr (op a == b) && (op c < d)) || e)");
    check("f . g $ x `div` y + 1", "(opr (opr f . g) $ (opl (opl x div y) + 1))");
    check("a `op` b `op` c", "(opl a op b op c)");
    check("a P.+ b P.* c", "(opl a P.+ (opl b P.* c))");
    check("(a + b) * c", "(opl (paren (opl a + b)) * c)");
    check("a >>= \\x -> x + 1", "(opl a >>= (\\ [x] (opl x + 1)))");
}

#[test]
fn negation() {
    check("- a", "(neg a)");
    check("- a + b", "(opl (neg a) + b)");
    check("- a * b", "(neg (opl a * b))");
    check("a == - b", "(op a == (neg b))");
    check("a == - b + c && d", "(opr (op a == (opl (neg b) + c)) && d)");
    check("- a ^ b", "(neg (opr a ^ b))");
    check("a && - b == c", "(opr a && (op (neg b) == c))");
}

#[track_caller]
fn check_conflict(text: &str, expected: &str) {
    let (sources, interner, mut parsed) = parse_file("test.hs", text);
    let diagnostics =
        resolve_fixities(&mut parsed.module, &interner, |name| prelude(interner.text(name.name)));
    let found: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.plain_lines(&sources)).collect();
    assert_eq!(found.join("\n"), expected, "{text}");
}

#[test]
fn conflicts() {
    let hint = "\n  hint: Put parentheses around the part that is meant to be one operand.";
    let both =
        |first: &str, second: &str| format!("{first} and {second} cannot be mixed without parentheses");
    check_conflict(
        "r = a == b == c",
        &format!("1:12-1:14: error: {}\n  1:7: {hint}", both("`==` (infix 4)", "`==` (infix 4)")),
    );
    check_conflict(
        "r = a + - b",
        &format!("1:9-1:10: error: {}\n  1:7: {hint}", both("`+` (infixl 6)", "the negation `-` (infixl 6)")),
    );
    check_conflict(
        "infixr 6 <>\nr = - a <> b",
        &format!(
            "2:9-2:11: error: {}\n  2:5: {hint}",
            both("the negation `-` (infixl 6)", "`<>` (infixr 6)")
        ),
    );
    check_conflict(
        "infixr 7 %\nr = a * b % c",
        &format!("2:11-2:12: error: {}\n  2:7: {hint}", both("`*` (infixl 7)", "`%` (infixr 7)")),
    );
    check_conflict(
        "infixl 5 :+\nf (a : b :+ c) = a",
        &format!("2:10-2:12: error: {}\n  2:6: {hint}", both("`:` (infixr 5)", "`:+` (infixl 5)")),
    );
}

#[test]
fn sections_need_operands_that_bind_tighter() {
    check("(a * b +)", "(left (opl a * b) +)");
    check("(a + b +)", "(left (opl a + b) +)");
    check("(++ a ++ b)", "(right ++ (opr a ++ b))");
    check("(&& a == b)", "(right && (op a == b))");
    check_conflict(
        "r = (a + b *)",
        "1:12-1:13: error: the operand of this section needs parentheses: `*` is infixl 7, but `+` inside is infixl 6\n  here: the operator of the section\n  1:8: binds no tighter\n  hint: Put the operand in parentheses.",
    );
    check_conflict(
        "r = (- a *)",
        "1:10-1:11: error: the operand of this section needs parentheses: `*` is infixl 7, but `-` inside is infixl 6\n  here: the operator of the section\n  1:6: binds no tighter\n  hint: Put the operand in parentheses.",
    );
    check_conflict(
        "r = (+ a + b)",
        "1:6-1:7: error: the operand of this section needs parentheses: `+` is infixl 6, but `+` inside is infixl 6\n  here: the operator of the section\n  1:10: binds no tighter\n  hint: Put the operand in parentheses.",
    );
}

#[test]
fn patterns_and_types() {
    check_module("f (x : y : zs) = x", "(fun f ([(paren (opr x : y : zs))] x))");
    check_module(
        "infixr 6 :+\nf (a :+ b : c) = a",
        "(infixr 6 [:+])\n(fun f ([(paren (opr (opr a :+ b) : c))] a))",
    );
    check_module("infixr 6 :+\nf :: a :+ b :+ c", "(infixr 6 [:+])\n(:: [f] (opr a :+ b :+ c))");
    check_file("test.curry", "f (xs ++ [x] ++ ys) = x", "(fun f ([(paren (opr xs ++ (list x) ++ ys))] x))");
}

#[test]
fn own_declarations_are_found_wherever_they_stand() {
    check_module("r = a <+> b <+> c\ninfixr 5 <+>", "(fun r ([] (opr a <+> b <+> c)))\n(infixr 5 [<+>])");
    check_module(
        "class C a where\n  infixr 5 <+>\n  (<+>) :: a\nr = a <+> b <+> c",
        "(class C [a] (infixr 5 [<+>]) (:: [<+>] a))\n(fun r ([] (opr a <+> b <+> c)))",
    );
    check_module(
        "module M where\ninfixr 5 +\nr = a M.+ b M.+ c",
        "(module M)\n(infixr 5 [+])\n(fun r ([] (opr a M.+ b M.+ c)))",
    );
    check_module("infixl 1 `f`\nr = a `f` b + c", "(infixl 1 [f])\n(fun r ([] (opl a f (opl b + c))))");
}

#[test]
fn local_declarations_hide_others() {
    check("let infixr 5 +; a + b = c in a + b + c", "(let (infixr 5 [+]) (fun + ([a b] c)) (opr a + b + c))");
    // Without a declaration of its own a local operator is infixl 9.
    check("let a + b = c in a * b + c", "(let (fun + ([a b] c)) (opl a * (opl b + c)))");
    check("\\(+) -> a * b + c", "(\\ [+] (opl a * (opl b + c)))");
    check("(\\(+) -> a) (a * b + c)", "((paren (\\ [+] a)) (paren (opl (opl a * b) + c)))");
    check("\\div -> a + b `div` c * d", "(\\ [div] (opl a + (opl (opl b div c) * d)))");
    check("do { (+) <- f; a * b + c }", "(do (<- + f) (opl a * (opl b + c)))");
    check("do { a * b + c; (+) <- f; x }", "(do (opl (opl a * b) + c) (<- + f) x)");
    check("[a * b + c | (+) <- f]", "(for (opl a * (opl b + c)) (<- + f))");
    check(
        "case x of { (+) -> a * b + c; y -> a * b + c }",
        "(case x (-> + (opl a * (opl b + c))) (-> y (opl (opl a * b) + c)))",
    );
    check_module(
        "f (+) = a * b + c\ng = a * b + c",
        "(fun f ([+] (opl a * (opl b + c))))\n(fun g ([] (opl (opl a * b) + c)))",
    );
    check_module(
        "f = a * b + c where (+) = d\ng = a * b + c",
        "(fun f ([] (opl a * (opl b + c)) (where (fun + ([] d)))))\n(fun g ([] (opl (opl a * b) + c)))",
    );
    check_module(
        "f = a * b + c where ((+), d) = e",
        "(fun f ([] (opl a * (opl b + c)) (where (pat (, + d) e))))",
    );
    check_module(
        "f | (+) <- x = a * b + c | otherwise = a * b + c",
        "(fun f ([] (| (<- + x) = (opl a * (opl b + c))) (| otherwise = (opl (opl a * b) + c))))",
    );
}

#[test]
fn inner_nodes_have_places() {
    let (sources, interner, mut parsed) = parse_file("test.hs", "r = aa + b * cc - - 1");
    resolve_fixities(&mut parsed.module, &interner, |name| prelude(interner.text(name.name)));
    let tree = &parsed.module.tree;
    let mut found: Vec<&str> = (0..tree.count::<ExprId>())
        .map(ExprId::from_index)
        .filter(|id| matches!(tree.get(*id), Expr::Operators(..)))
        .filter_map(|id| sources.text(tree.span(id)))
        .collect();
    found.sort_unstable();
    assert_eq!(found, ["aa + b * cc - - 1", "b * cc"]);
}

/// The algorithm as the report has it (§10.6), on operands that are numbers: what chains must resolve to.
mod report {
    use super::{Associativity, Fixity};

    #[derive(Clone, Debug)]
    pub(super) enum Token {
        Operand(usize),
        Operator(usize, Fixity),
        Negate,
    }

    pub(super) fn resolve(tokens: &[Token]) -> Option<String> {
        let start = Fixity { associativity: Associativity::None, precedence: 0 };
        let (text, rest) = parse_neg(None, start, tokens)?;
        rest.is_empty().then_some(text)
    }

    /// `first` stands for the report's start operator of precedence -1, which is `None` here.
    fn parse_neg(first: Option<()>, op: Fixity, tokens: &[Token]) -> Option<(String, &[Token])> {
        match tokens.split_first()? {
            (Token::Operand(operand), rest) => parse1(first, op, format!("x{operand}"), rest),
            (Token::Negate, rest) => {
                if first.is_some() && op.precedence >= 6 {
                    return None;
                }
                let minus = Fixity { associativity: Associativity::Left, precedence: 6 };
                let (operand, rest) = parse_neg(Some(()), minus, rest)?;
                parse1(first, op, format!("(neg {operand})"), rest)
            }
            (Token::Operator(..), _) => None,
        }
    }

    fn parse1(first: Option<()>, op1: Fixity, left: String, tokens: &[Token]) -> Option<(String, &[Token])> {
        let Some((Token::Operator(name, op2), rest)) = tokens.split_first() else {
            return Some((left, tokens));
        };
        if first.is_some() {
            let same = op1.precedence == op2.precedence;
            let groups = op1.associativity == op2.associativity && op1.associativity != Associativity::None;
            if same && !groups {
                return None;
            }
            if op1.precedence > op2.precedence || (same && op1.associativity == Associativity::Left) {
                return Some((left, tokens));
            }
        }
        let (right, rest) = parse_neg(Some(()), *op2, rest)?;
        parse1(first, op1, format!("(o{name} {left} {right})"), rest)
    }
}

mod properties {
    use proptest::prelude::*;

    use super::report::Token;
    use super::*;

    /// Builds the text of what a chain becomes.
    #[derive(Default)]
    struct Text {
        nodes: Vec<String>,
        conflicts: usize,
    }

    impl Chain<usize, usize> for Text {
        fn join(&mut self, fixity: Fixity, parts: &[Part<usize, usize>]) -> usize {
            let operand = |part: &Part<usize, usize>| match *part {
                Part::Operand(node) => self.nodes[node].clone(),
                _ => unreachable!("operands and operators alternate"),
            };
            let operator = |part: &Part<usize, usize>| match *part {
                Part::Operator(name, _) => name,
                _ => unreachable!("operands and operators alternate"),
            };
            let text = if fixity.associativity == Associativity::Right {
                let last = operand(&parts[parts.len() - 1]);
                parts[..parts.len() - 1].chunks(2).rev().fold(last, |right, pair| {
                    format!("(o{} {} {right})", operator(&pair[1]), operand(&pair[0]))
                })
            } else {
                parts[1..].chunks(2).fold(operand(&parts[0]), |left, pair| {
                    format!("(o{} {left} {})", operator(&pair[0]), operand(&pair[1]))
                })
            };
            self.nodes.push(text);
            self.nodes.len() - 1
        }

        fn negate(&mut self, _: u32, operand: usize) -> usize {
            self.nodes.push(format!("(neg {})", self.nodes[operand]));
            self.nodes.len() - 1
        }

        fn complain(&mut self, _: Part<usize, usize>, _: Part<usize, usize>) {
            self.conflicts += 1;
        }
    }

    fn fixity() -> impl Strategy<Value = Fixity> {
        let associativity =
            prop_oneof![Just(Associativity::Left), Just(Associativity::Right), Just(Associativity::None)];
        (associativity, 3..=8_u8).prop_map(|(associativity, precedence)| Fixity { associativity, precedence })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn chains_resolve_as_the_report_says(
            fixities in proptest::collection::vec(fixity(), 4),
            links in proptest::collection::vec((0..4_usize, prop::bool::weighted(0.15)), 0..8),
            negated in any::<bool>(),
        ) {
            let mut tokens = Vec::new();
            let mut parts = Vec::new();
            let mut text = Text::default();
            let mut operand = |tokens: &mut Vec<Token>, parts: &mut Vec<_>, number: usize, negated: bool| {
                if negated {
                    tokens.push(Token::Negate);
                    parts.push(Part::Negate(0));
                }
                tokens.push(Token::Operand(number));
                text.nodes.push(format!("x{number}"));
                parts.push(Part::Operand(text.nodes.len() - 1));
            };
            operand(&mut tokens, &mut parts, 0, negated);
            for (number, &(name, negated)) in links.iter().enumerate() {
                tokens.push(Token::Operator(name, fixities[name]));
                parts.push(Part::Operator(name, fixities[name]));
                operand(&mut tokens, &mut parts, number + 1, negated);
            }
            let whole = chain::resolve(&parts, &mut text);
            let found = (text.conflicts == 0).then(|| text.nodes[whole].clone());
            prop_assert_eq!(found, report::resolve(&tokens));
        }
    }
}
