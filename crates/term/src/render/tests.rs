//! What the forms look like.

use super::{Room, Shown, Style, equation, equation_line, term};
use crate::{Argument, Binding, Equation, Outcome, TermId, Terms};

/// A value as a test writes it.
#[derive(Clone, Debug)]
pub(super) enum V {
    Con(String, Vec<V>),
    Tuple(Vec<V>),
    List(Vec<V>),
    Str(String, u64),
    Char(String),
    Number(String),
    Record(String, Vec<V>),
    Function(String, Vec<V>),
    Map(Vec<V>),
    Object(String, Vec<V>),
    Opaque(String),
    Field(String, Box<V>),
    Entry(Vec<V>, Box<V>),
    Unevaluated,
    Omitted(u64),
}

impl V {
    pub(super) fn build(&self, terms: &mut Terms) -> TermId {
        let many =
            |values: &[V], terms: &mut Terms| values.iter().map(|v| v.build(terms)).collect::<Vec<_>>();
        match self {
            V::Con(name, args) => many(args, terms).pipe(|ids| terms.con(name, &ids)),
            V::Tuple(args) => many(args, terms).pipe(|ids| terms.tuple(&ids)),
            V::List(args) => many(args, terms).pipe(|ids| terms.list(&ids)),
            V::Str(text, more) => terms.str(text, *more),
            V::Char(text) => terms.char(text),
            V::Number(text) => terms.number(text),
            V::Record(name, args) => many(args, terms).pipe(|ids| terms.record(name, &ids)),
            V::Function(name, args) => many(args, terms).pipe(|ids| terms.function(name, &ids)),
            V::Map(args) => many(args, terms).pipe(|ids| terms.finite_map(&ids)),
            V::Object(name, args) => many(args, terms).pipe(|ids| terms.object(name, &ids)),
            V::Opaque(text) => terms.opaque(text),
            V::Field(name, value) => value.build(terms).pipe(|id| terms.field(name, id)),
            V::Entry(args, value) => {
                let ids = many(args, terms);
                value.build(terms).pipe(|id| terms.entry(&ids, id))
            }
            V::Unevaluated => terms.unevaluated(),
            V::Omitted(count) => terms.omitted(*count),
        }
    }
}

trait Pipe: Sized {
    fn pipe<T>(self, f: impl FnOnce(Self) -> T) -> T {
        f(self)
    }
}
impl<T> Pipe for T {}

fn n(number: i64) -> V {
    V::Number(number.to_string())
}

fn s(text: &str) -> V {
    V::Str(text.into(), 0)
}

fn con(name: &str, args: &[V]) -> V {
    V::Con(name.into(), args.to_vec())
}

fn list(range: std::ops::RangeInclusive<i64>) -> V {
    V::List(range.map(n).collect())
}

fn field(name: &str, value: V) -> V {
    V::Field(name.into(), Box::new(value))
}

fn entry(args: &[V], value: V) -> V {
    V::Entry(args.to_vec(), Box::new(value))
}

/// An equation as a test writes it.
pub(super) struct Call {
    pub(super) equation: Equation,
}

pub(super) fn call(function: &str, args: &[V]) -> Call {
    let mut terms = Terms::new();
    let arguments = args.iter().map(|v| Argument { name: None, value: v.build(&mut terms) }).collect();
    Call {
        equation: Equation {
            terms,
            function: function.into(),
            instances: Vec::new(),
            inside: false,
            arguments,
            outcome: Outcome::Nothing,
            before: Vec::new(),
            after: Vec::new(),
        },
    }
}

impl Call {
    pub(super) fn is(mut self, value: V) -> Self {
        self.equation.outcome = Outcome::Value(value.build(&mut self.equation.terms));
        self
    }

    pub(super) fn raises(mut self, value: V) -> Self {
        self.equation.outcome = Outcome::Exception(value.build(&mut self.equation.terms));
        self
    }

    fn never(mut self) -> Self {
        self.equation.outcome = Outcome::Unfinished;
        self
    }

    fn name(mut self, index: usize, name: &str) -> Self {
        self.equation.arguments[index].name = Some(name.into());
        self
    }

    pub(super) fn before(mut self, name: &str, value: V) -> Self {
        let value = value.build(&mut self.equation.terms);
        self.equation.before.push(Binding { name: name.into(), value });
        self
    }

    pub(super) fn after(mut self, name: &str, value: V) -> Self {
        let value = value.build(&mut self.equation.terms);
        self.equation.after.push(Binding { name: name.into(), value });
        self
    }

    fn shown(&self, style: Style, width: usize, lines: usize, mark: &str) -> Shown {
        let mark = mark.parse().ok();
        equation(&self.equation, style, Room { width, lines }, mark.as_ref())
    }
}

#[track_caller]
fn check_term(style: Style, value: V, width: usize, lines: usize, expect: &str) {
    let mut terms = Terms::new();
    let id = value.build(&mut terms);
    let shown = term(&terms, id, style, Room { width, lines });
    assert_eq!(shown.text, expect.trim_matches('\n'), "\n{}", shown.text);
}

/// A term in both styles, with all the room there is.
#[track_caller]
fn check_both(value: V, juxtaposed: &str, called: &str) {
    check_term(Style::Juxtaposed, value.clone(), usize::MAX, usize::MAX, juxtaposed);
    check_term(Style::Called, value, usize::MAX, usize::MAX, called);
}

#[track_caller]
fn check_line(style: Style, call: Call, expect: &str) {
    let shown = equation_line(&call.equation, style, usize::MAX);
    assert_eq!(shown, Shown { text: expect.into(), elided: false });
}

#[track_caller]
fn check(style: Style, call: &Call, (width, lines): (usize, usize), mark: &str, expect: &str) {
    let shown = call.shown(style, width, lines, mark);
    assert_eq!(shown.text, expect.trim_matches('\n'), "\n{}", shown.text);
}

use Style::{Called, Juxtaposed};

#[test]
fn equations_of_functional_languages() {
    let list62 = || V::List(vec![n(6), n(2)]);
    check_line(Juxtaposed, call("listsum", &[list62()]).is(n(8)), "listsum [6,2] = 8");
    let insert = call("insert", &[V::Char("b".into()), s("cc")]).is(s("bcc"));
    check_line(Juxtaposed, insert, "insert 'b' \"cc\" = \"bcc\"");
    let record = V::Record("P".into(), vec![field("x", n(1)), field("y", n(2))]);
    let f = call("f", &[con("Just", &[n(3)]), n(-1), V::Tuple(vec![n(1), n(2)])]).is(record.clone());
    check_line(Juxtaposed, f, "f (Just 3) (-1) (1,2) = P {x = 1, y = 2}");
    check_line(Juxtaposed, call("f", &[record]).is(n(-1)), "f (P {x = 1, y = 2}) = -1");
    check_line(Juxtaposed, call("+", &[n(3), n(-2)]).is(n(1)), "3 + (-2) = 1");
    check_line(Juxtaposed, call("Data.Map.!", &[n(3), n(2)]).is(n(1)), "3 Data.Map.! 2 = 1");
    check_line(Juxtaposed, call("+", &[n(3)]).is(n(1)), "(+) 3 = 1");
    check_line(Juxtaposed, call(".", &[n(1), n(2), n(3)]).is(n(1)), "(.) 1 2 3 = 1");
    check_line(Juxtaposed, call("main", &[]).is(V::Unevaluated), "main = _");
    let error = call("head", &[V::List(vec![])]).raises(s("Prelude.head: empty list"));
    check_line(Juxtaposed, error, "head [] = ⊥ (Prelude.head: empty list)");
    check_line(Juxtaposed, call("f", &[]).raises(con("ErrorCall", &[s("no")])), "f = ⊥ (ErrorCall \"no\")");
    check_line(Juxtaposed, call("f", &[]).raises(s("")), "f = ⊥");
    check_line(Juxtaposed, call("loop", &[n(3)]).never(), "loop 3 = ⊥ (never ended)");
    let map = V::Function("map".into(), vec![V::Function("+".into(), vec![])]);
    check_line(Juxtaposed, call("id", &[map]).is(n(1)), "id (map (+)) = 1");
}

#[test]
fn equations_of_other_languages() {
    check_line(Called, call("is_prime", &[n(9)]).is(con("True", &[])), "is_prime(9) = True");
    let args = [con("Just", &[n(3)]), n(-1), V::Tuple(vec![n(1), n(2)]), list(1..=2)];
    check_line(Called, call("f", &args).is(con("None", &[])), "f(Just(3), -1, (1, 2), [1, 2]) = None");
    check_line(Called, call("f", &[n(1), n(2)]).name(1, "key").is(n(3)), "f(1, key=2) = 3");
    let error = con("ZeroDivisionError", &[s("division by zero")]);
    check_line(Called, call("f", &[n(3)]).raises(error), "f(3) raises ZeroDivisionError('division by zero')");
    check_line(Called, call("main", &[]).is(n(3)), "main() = 3");
    check_line(Called, call("loop", &[n(3)]).never(), "loop(3) never ended");
    check_line(Called, call("", &[n(3)]).is(n(3)), "?(3) = 3");
}

#[test]
fn state_shows_what_changed() {
    let none = || con("None", &[]);
    let withdraw = call("withdraw", &[n(50)]).is(none()).before("balance", n(100)).before("owner", s("eve"));
    let withdraw = withdraw.after("balance", n(50)).after("owner", s("eve"));
    check_line(Called, withdraw, "withdraw(50) = None  {balance: 100 → 50}");
    let block = || call("while loop", &[]).before("b", n(9)).before("c", n(1));
    check_line(Called, block().after("b", n(3)).after("c", n(1)), "while loop: b: 9 → 3");
    check_line(Called, block().after("b", n(3)).after("c", n(2)), "while loop: b: 9 → 3, c: 1 → 2");
    check_line(Called, block().after("b", n(9)).after("c", n(1)), "while loop: unchanged: b = 9, c = 1");
    check_line(Called, block().after("b", n(9)).after("d", n(1)), "while loop: c: 1 → unset, d: unset → 1");
    check_line(Called, block().never(), "while loop never ended  {before: b = 9, c = 1}");
    check_line(Called, call("f", &[]).after("b", n(1)), "f: after: b = 1");
    check_line(Called, call("f", &[n(1)]), "f(1): nothing changed");
    let get = call("get", &[]).is(n(1)).before("b", n(1)).after("b", n(1));
    check_line(Called, get, "get() = 1  {unchanged: b = 1}");
    let set = call("set", &[n(2)]).is(V::Tuple(vec![])).before("n", n(1)).after("n", n(2));
    check_line(Juxtaposed, set, "set 2 = ()  {n: 1 → 2}");
}

#[test]
fn variables_that_are_only_known_before_are_told_where_nothing_changes() {
    let go = || call("go", &[n(3)]).is(n(5)).before("n", n(2)).before("m", n(1));
    check_line(Juxtaposed, go(), "go 3 = 5  where n = 2, m = 1");
    check_line(Called, go(), "go(3) = 5  {before: n = 2, m = 1}");
    check(Juxtaposed, &go(), (80, 1), "@before:m", "go 3 = 5  where n = 2, m = «1»");
}

#[test]
fn words_between_their_arguments() {
    check_line(Juxtaposed, call("`div`", &[n(7), n(-2)]).is(n(-4)), "7 `div` (-2) = -4");
    check_line(Juxtaposed, call("`div`", &[n(7)]).is(V::Unevaluated), "div 7 = _");
    check_line(Called, call("`div`", &[n(7), n(2)]).is(n(3)), "div(7, 2) = 3");
}

#[test]
fn the_beginning_of_a_list() {
    let beginning = con(":", &[n(1), n(-2), con("Just", &[n(3)]), V::Unevaluated]);
    check_both(beginning.clone(), "1 : (-2) : Just 3 : _", ":(1, -2, Just(3), _)");
    check_both(con("Just", &[beginning]), "Just (1 : (-2) : Just 3 : _)", "Just(:(1, -2, Just(3), _))");
    let long = con(":", &(0..1000).map(n).chain([V::Unevaluated]).collect::<Vec<_>>());
    check(Juxtaposed, &call("f", &[]).is(long), (40, 1), "", "f = 0 : 1 : (… 997 more …) : 999 : _");
}

#[test]
fn the_difference_in_a_big_variable_is_seen() {
    let big = |at: i64| V::List((0..1000).map(|i| n(if i == 500 { at } else { i })).collect());
    let stack = |at| V::Object("Stack".into(), vec![field("", big(at))]);
    let put = call("put", &[]).is(con("None", &[])).before("s", stack(500)).after("s", stack(-7));
    let expect = "put() = None  {s: Stack([0, 1, …, 500, …, 999]) → Stack([0, 1, …, -7, …, 999])}";
    check(Called, &put, (90, 1), "", expect);
    let sort = call("sort", &[]).is(con("None", &[])).before("xs", big(500)).after("xs", big(-7));
    let expect = "
sort() = None
  {xs: [0, 1, 2, 3, 4, … 495 more …, 500, … 495 more …, 996, 997, 998, 999]
       → [0, 1, 2, 3, 4, … 495 more …, -7, … 495 more …, 996, 997, 998, 999]}";
    check(Called, &sort, (80, 3), "", expect);
    let expect = "sort() = None  {xs: [0, 1, …, 500, …, 999] → [0, 1, …, -7, …, 999]}";
    check(Called, &sort, (80, 1), "", expect);
}

#[test]
fn terms_in_both_styles() {
    check_both(V::Tuple(vec![n(1)]), "(1,)", "(1,)");
    check_both(V::Tuple(vec![]), "()", "()");
    check_both(V::List(vec![]), "[]", "[]");
    check_both(con(":|", &[n(1), list(2..=2)]), "1 :| [2]", ":|(1, [2])");
    let nested = con(":|", &[con("Just", &[n(1)]), con(":|", &[n(-1), n(3)])]);
    check_both(nested, "Just 1 :| ((-1) :| 3)", ":|(Just(1), :|(-1, 3))");
    check_both(con("Just", &[con(":|", &[n(1), n(2)])]), "Just (1 :| 2)", "Just(:|(1, 2))");
    let account = V::Object("Account".into(), vec![field("balance", n(3))]);
    check_both(account.clone(), "Account {balance = 3}", "Account(balance=3)");
    check_both(con("Just", &[account]), "Just (Account {balance = 3})", "Just(Account(balance=3))");
    check_both(V::Object("A".into(), vec![]), "A {}", "A()");
    let map = V::Map(vec![entry(&[n(2)], con("False", &[])), entry(&[n(7)], con("True", &[]))]);
    check_both(map, "{2 ↦ False, 7 ↦ True}", "{2: False, 7: True}");
    let two = V::Map(vec![entry(&[n(1), n(-2)], con("Just", &[n(3)]))]);
    check_both(two, "{1 (-2) ↦ Just 3}", "{1 (-2) ↦ Just(3)}");
    check_both(V::Map(vec![]), "{}", "{}");
    check_both(con("F", &[V::Unevaluated, V::Omitted(0)]), "F _ …", "F(_, …)");
    check_both(con("F", &[V::Omitted(1234)]), "F (… 1,234 more …)", "F(… 1,234 more …)");
    check_both(V::List(vec![n(1), V::Omitted(5)]), "[1,… 5 more …]", "[1, … 5 more …]");
    let opaque = V::Opaque("<lock at 0x7f>".into());
    check_both(
        con("F", &[opaque, V::Opaque("a b".into())]),
        "F <lock at 0x7f> (a b)",
        "F(<lock at 0x7f>, a b)",
    );
    check_both(con("(,)", &[n(1)]), "(,) 1", "(,)(1)");
}

#[test]
fn strings_are_quoted_and_nothing_hidden_reaches_the_screen() {
    check_both(s("a\"b'c\\\n\t"), r#""a\"b'c\\\n\t""#, r#"'a"b\'c\\\n\t'"#);
    check_both(s("it's"), r#""it's""#, r#""it's""#);
    check_both(s("\u{1b}[31mred\u{7}"), r#""\ESC[31mred\a""#, r"'\x1b[31mred\x07'");
    check_both(s("\u{202e}evil\u{2066}"), r#""\8238evil\8294""#, r"'\u202eevil\u2066'");
    check_both(s("\u{9b}1\u{e}H\u{e}I"), r#""\155\&1\SO\&H\SOI""#, r"'\x9b1\x0eH\x0eI'");
    check_both(s("\u{e0041}é漢"), r#""\917569é漢""#, r"'\U000e0041é漢'");
    check_both(V::Char("'".into()), r"'\''", r"'\''");
    check_both(V::Char("\n".into()), r"'\n'", r"'\n'");
    check_both(V::Opaque("a\u{1b}[2J\nb".into()), r"a\x1b[2J\nb", r"a\x1b[2J\nb");
    check_both(con("A\r\u{202e}", &[n(1)]), r"A\r\u202e 1", r"A\r\u202e(1)");
    let more = V::Str("abc".into(), 1_048_576);
    check_both(more, "\"abc\"…(+1,048,576 characters)", "'abc'…(+1,048,576 characters)");
    check_both(V::Str(String::new(), 1), "\"\"…(+1 character)", "''…(+1 character)");
}

#[test]
fn long_lists_are_filled_and_then_elided() {
    let expect = "
[1, 2, 3, 4, 5, 6,
 7, 8, 9, 10, 11,
 12]";
    check_term(Called, list(1..=12), 18, 9, expect);
    check_term(Called, list(1..=12), 27, 1, "[1, 2, … 8 more …, 11, 12]");
    check_term(Called, list(1..=12), 12, 1, "[1, …, 12]");
    check_term(Juxtaposed, list(1..=1000), 40, 1, "[1,2,3,4,… 993 more …,998,999,1000]");
    let expect = "
[1,2,3,4,5,6,7,8,9,10,… 980 more …,991,
 992,993,994,995,996,997,998,999,1000]";
    check_term(Juxtaposed, list(1..=1000), 40, 2, expect);
}

#[test]
fn records_break_by_field() {
    let person = |name: &str| V::Object("Person".into(), vec![field("name", s(name)), field("age", n(30))]);
    let team = V::Object("Team".into(), vec![field("lead", person("Ada")), field("members", list(1..=30))]);
    let expect = "
Team(
  lead=Person(name='Ada', age=30),
  members=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
           11, 12, 13, 14, 15, 16, 17, 18,
           19, 20, 21, 22, 23, 24, 25, 26,
           27, 28, 29, 30])";
    check_term(Called, team.clone(), 42, 20, expect);
    let expect = "
P {lead = Person {name = \"Ada\", age = 30},
   members = [1,2,3,4,5,6,7,8,9,10]}";
    let team = V::Record("P".into(), vec![field("lead", person("Ada")), field("members", list(1..=10))]);
    check_term(Juxtaposed, team, 42, 20, expect);
}

#[test]
fn long_equations_break_at_arguments_and_result() {
    let tree = |l: V, r: V| con("Node", &[l, n(17), r]);
    let leaf = || con("Leaf", &[]);
    let big = tree(tree(leaf(), tree(leaf(), leaf())), tree(tree(leaf(), leaf()), leaf()));
    let insert = call("insert", &[n(3), big.clone()]).is(big);
    let expect = "
insert
    3
    (Node
       (Node Leaf 17 (Node Leaf 17 Leaf))
       17
       (Node (Node Leaf 17 Leaf) 17 Leaf))
  = Node
      (Node Leaf 17 (Node Leaf 17 Leaf))
      17
      (Node (Node Leaf 17 Leaf) 17 Leaf)";
    check(Juxtaposed, &insert, (50, 20), "", expect);
    let expect = "
insert(
    3,
    Node(
      Node(Leaf, 17, Node(Leaf, 17, Leaf)),
      17,
      Node(Node(Leaf, 17, Leaf), 17, Leaf)))
  = Node(
      Node(Leaf, 17, Node(Leaf, 17, Leaf)),
      17,
      Node(Node(Leaf, 17, Leaf), 17, Leaf))";
    check(Called, &insert, (50, 20), "", expect);
}

#[test]
fn elision_is_fair_to_every_argument_and_the_result() {
    let f = call("f", &[list(1..=500), n(7), s(&"x".repeat(500)), list(1..=3)]).is(list(1..=900));
    let expect = "f [1,2,3,… 495 more …,499,500] 7 \"xxx\"…(494 characters)…\"xxx\" [1,2,3] \
                  = [1,2,3,… 895 more …,899,900]";
    check(Juxtaposed, &f, (100, 1), "", expect);
}

#[test]
fn deep_terms_end_in_dots() {
    let mut value = con("Z", &[]);
    for _ in 0..200 {
        value = con("S", &[value]);
    }
    check_term(Juxtaposed, value.clone(), 24, 1, "S (S (S (S (S (S …)))))");
    check_term(Called, value, 24, 1, "S(S(S(S(S(S(S(…)))))))");
}

#[test]
fn long_texts_are_cut_and_then_elided() {
    let text = "the quick brown fox jumps over the lazy dog and runs away";
    let expect = r#"
"the quick brown fox \
\jumps over the lazy \
\dog and runs away""#;
    check_term(Juxtaposed, s(text), 24, 9, expect);
    let expect = "
'the quick brown fox '
'jumps over the lazy '
'dog and runs away'";
    check_term(Called, s(text), 24, 9, expect);
    check_term(Called, s(text), 40, 1, "'the quick '…(38 characters)…'runs away'");
    check_term(Called, V::Str(text.into(), 100), 36, 1, "'the quick brown '…(+141 characters)");
    let number = V::Number("1234567890".repeat(20));
    check_term(Called, number.clone(), 40, 1, "1234567890123…(174 digits)…8901234567890");
    check_term(Called, number, 12, 1, "12345678901…");
    check_term(Called, V::Opaque("abcdefghijklmnopqrstuvwxyz".into()), 12, 1, "abcdef…vwxyz");
}

#[test]
fn marks_stand_out_and_stay_visible() {
    let f = call("f", &[con("Just", &[n(3)]), list(1..=1000)]).is(n(4));
    let wide = (60, 1);
    check(Juxtaposed, &f, wide, "@arg1", "f «(Just 3)» [1,2,3,4,5,… 991 more …,997,998,999,1000] = 4");
    check(Juxtaposed, &f, wide, "@arg1.1", "f (Just «3») [1,2,3,4,5,… 991 more …,997,998,999,1000] = 4");
    check(Juxtaposed, &f, wide, "@result", "f (Just 3) [1,2,3,4,5,… 991 more …,997,998,999,1000] = «4»");
    check(Juxtaposed, &f, wide, "@function", "«f» (Just 3) [1,2,3,4,5,… 991 more …,997,998,999,1000] = 4");
    check(Juxtaposed, &f, wide, "@arg2.500", "f (Just 3) [1,2,… 497 more …,«500»,… 499 more …,1000] = 4");
    check(Juxtaposed, &f, wide, "@result.7", "f (Just 3) [1,2,3,4,5,… 991 more …,997,998,999,1000] = 4");
    check(Juxtaposed, &f, (30, 1), "@arg2.500", "f (Just 3) [1,…,«500»,…] = 4");
    check(Called, &f, wide, "@arg2.500", "f(Just(3), [1, 2, 3, …, «500», …, 998, 999, 1000]) = 4");
    check(Juxtaposed, &call("+", &[n(1), n(2)]).is(n(4)), wide, "@function", "1 «+» 2 = 4");
    check(Juxtaposed, &call("+", &[n(1)]).is(n(4)), wide, "@function", "«(+)» 1 = 4");
    check(Called, &call("f", &[n(1)]).name(0, "x").is(n(4)), wide, "@arg1", "f(x=«1») = 4");
    check(Juxtaposed, &call("f", &[]).raises(s("no")), wide, "@result", "f = ⊥ («no»)");
    check(Juxtaposed, &call("f", &[]).raises(s("")), wide, "@result", "f = «⊥»");
    let table = V::Map(vec![entry(&[n(1)], n(2))]);
    let object = || V::Object("Store".into(), vec![field("table", table.clone())]);
    let get = call("get", &[]).is(object());
    check(Called, &get, wide, "@result.table.1", "get() = Store(table={1: «2»})");
    let stack =
        |last| V::Object("Stack".into(), vec![field("", V::List(vec![n(1), last])), field("name", s("a"))]);
    check(
        Called,
        &call("get", &[]).is(stack(n(2))),
        wide,
        "@result.1.2",
        "get() = Stack([1, «2»], name='a')",
    );
    check(Called, &call("get", &[]).is(stack(n(2))), wide, "@result.1", "get() = Stack(«[1, 2]», name='a')");
    let set = call("set", &[]).is(n(0)).before("a", n(1)).before("b", n(1)).after("a", n(2)).after("b", n(1));
    check(Called, &set, wide, "@after:a", "set() = 0  {a: 1 → «2»}");
    check(Called, &set, wide, "@before:b", "set() = 0  {a: 1 → 2, b: «1» → 1}");
}

#[test]
fn a_mark_out_of_reach_is_shown_without_the_way() {
    let mut value = con("Z", &[]);
    for _ in 0..200 {
        value = con("S", &[value]);
    }
    let f = call("f", &[value.clone()]).is(value);
    let mark = format!("@arg1{}", ".1".repeat(200));
    check(Juxtaposed, &f, (60, 1), &mark, "f (S (S (S (S …«Z»…)))) = S (S (S (S (S (S (S …))))))");
}
