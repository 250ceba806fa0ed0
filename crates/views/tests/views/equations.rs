//! Everything that can stand in an equation, and everything a run can do.

use super::stage::Program;
use super::{check, line, look};
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{Options, Order, View, ViewError, view};
use std::sync::Arc;

/// The picture of a program's run.
fn run(text: &str, expected: &str) {
    check(&look(Program::new(text).run(1000), View::Auto, Order::Outermost), expected);
}

#[test]
fn what_is_not_needed_is_not_evaluated() {
    run(
        "\
main = first (Pair (from 1) (error \"never\"))
first (Pair x y) = second x
second (x:(y:rest)) = y
from n = n : from (n + 1)
",
        "
        main = 2
          first (Pair (1 : 2 : _) _) = 2
            second (1 : 2 : _) = 2
          from 1 = 1 : 2 : _
            from 2 = 2 : _
        ",
    );
}

#[test]
fn exceptions_are_results() {
    let program = Program::new(
        "\
main = hd [] + 1
hd [] = error \"hd: empty list\"
hd (x:xs) = x
",
    );
    let viewed = look(program.run(1000), View::Auto, Order::Outermost);
    check(
        &viewed,
        "
        main = ⊥ (hd: empty list)
          hd [] = ⊥ (hd: empty list)
        ",
    );
    assert!(viewed.tree.raised(Node(0)) && viewed.tree.raised(Node(1)));
    assert_eq!(viewed.raiser(), Some(Node(1)));
}

#[test]
fn a_tail_call_that_raises_ends_its_caller_too() {
    let program = Program::new(
        "\
main = f 3
f x = g (x + 1)
g x = h x
h x = error \"h\"
",
    );
    let viewed = look(program.run(1000), View::Auto, Order::Outermost);
    check(
        &viewed,
        "
        main = ⊥ (h)
          f 3 = ⊥ (h)
            g _ = ⊥ (h)
              h _ = ⊥ (h)
        ",
    );
    assert!((0..4).all(|node| viewed.tree.raised(Node(node))));
    assert_eq!(viewed.raiser(), Some(Node(3)));
}

#[test]
fn what_was_cut_off_never_ended() {
    let text = "\
main = f 3 + 1
f x = x + g x
g x = loop (x + 1)
loop x = loop (x + 1)
";
    let viewed = look(Program::new(text).run(6), View::Auto, Order::Outermost);
    check(
        &viewed,
        "
        main = ⊥ (never ended)
          f 3 = ⊥ (never ended)
            g 3 = ⊥ (never ended)
              loop _ = ⊥ (never ended)
                loop _ = ⊥ (never ended)
                  loop _ = ⊥ (never ended)
                    loop _ = ⊥ (never ended)
        ",
    );
}

#[test]
fn constants_are_computed_once_and_told_by_those_who_use_them() {
    let text = "\
main = f 1 + g 2
f x = x + table
g x = x * table
table = h 4
h x = x * x
";
    let mut program = Program::new(text);
    let table = program.tables.functions.iter().position(|function| function.name == "table").unwrap() as u32;
    program.function("f").constants = vec![table];
    program.function("g").constants = vec![table];
    let viewed = look(program.run(1000), View::Auto, Order::Outermost);
    check(
        &viewed,
        "
        main = 49
          f 1 = 17
            table = 16
              h 4 = 16
          g 2 = 32
        ",
    );
    assert_eq!(viewed.behaviours.uses(&viewed.tree, Node(1)), [], "it is a child");
    assert_eq!(viewed.behaviours.uses(&viewed.tree, Node(4)), [Node(2)]);
}

#[test]
fn trusted_functions_call_back() {
    let text = "\
main = total (map double [1,2]) + other 5
total [] = 0
total (x:xs) = x + total xs
double x = x * 2
other x = total (map (\\y -> y + x) [x,1])
";
    let program = Program::new(text);
    check(
        &look(program.run(1000), View::Edt, Order::Outermost),
        "
        main = 22
          total [2,4] = 6
            total [4] = 4
              total [] = 0
          double 1 = 2
          double 2 = 4
          other 5 = 16
            total [10,6] = 16
              total [6] = 6
                total [] = 0
            (\\y -> y + x) 5 = 10  where x = 5
            (\\y -> y + x) 1 = 6  where x = 5
        ",
    );
}

#[test]
fn lambda_expressions_and_their_variables() {
    let text = "\
main = total (map (add 3) [1,2])
total [] = 0
total (x:xs) = x + total xs
add n = \\m -> t_plus n m
t_plus x y = x + y
";
    let program = Program::new(text);
    check(
        &look(program.run(1000), View::Fdt, Order::Outermost),
        "
        main = 9
          total [4,5] = 9
            total [5] = 5
              total [] = 0
          add 3 = {1 ↦ 4, 2 ↦ 5}
            (\\m -> t_plus n m) 1 = 4  where n = 3
            (\\m -> t_plus n m) 2 = 5  where n = 3
        ",
    );
    let viewed = look(program.run(1000), View::Edt, Order::Outermost);
    check(
        &viewed,
        "
        main = 9
          total [4,5] = 9
            total [5] = 5
              total [] = 0
          (\\m -> t_plus n m) 1 = 4  where n = 3
          (\\m -> t_plus n m) 2 = 5  where n = 3
          add 3 = (\\m -> t_plus n m) {n = 3}
        ",
    );
    let local = viewed.local_rules();
    assert_eq!(local, [viewed.tree.rule_id(Node(4))]);
}

#[test]
fn actions_and_what_they_print() {
    let program = Program::new(
        "\
main = then (hello 3) (bye 4)
hello x = print x
bye x = then (t_show x) (hello (x * 10))
t_show x = print x
",
    );
    let viewed = look(program.run(1000), View::Auto, Order::Outermost);
    check(
        &viewed,
        r#"
        main = IO 40 printing "3\n4\n40\n"
          hello 3 = IO 3 printing "3\n"
          bye 4 = IO 40 printing "4\n40\n"
            hello 40 = IO 40 printing "40\n"
        "#,
    );
    assert_eq!(viewed.writer(0), Some(Node(1)));
    assert_eq!(viewed.writer(2), Some(Node(2)));
    assert_eq!(viewed.writer(5), Some(Node(3)));
    assert_eq!(viewed.writer(7), None);
    assert_eq!(viewed.output().concat_text(), "3\n4\n40\n");
}

trait Concat {
    fn concat_text(&self) -> String;
}

impl Concat for Vec<(u64, Vec<u8>)> {
    fn concat_text(&self) -> String {
        self.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect()
    }
}

#[test]
fn a_session_can_begin_anywhere() {
    let text = "\
main = f 1 + g 2
f x = h x
g x = h x + h (x + 1)
h x = x * x
";
    let trail = Arc::new(Program::new(text).run(1000));
    let whole = view(trail.clone(), &Options::default()).unwrap();
    let node = (0..whole.tree.len()).map(Node).find(|node| line(&whole, *node).starts_with("g 2")).unwrap();
    let start = gadfly_trail::model::NodeId(whole.tree.handle(node));
    let part = view(trail, &Options { start: Some(start), ..Options::default() }).unwrap();
    check(
        &part,
        "
        g 2 = 13
          h 2 = 4
          h 3 = 9
        ",
    );
    assert_ne!(part.fingerprint, whole.fingerprint);
    assert_eq!(whole.node_of(start), Some(node));
}

#[test]
fn without_redexes_there_is_no_tree() {
    let mut program = Program::new("main = 3\n");
    program.function("main").recorded = false;
    let error = view(Arc::new(program.run(10)), &Options::default()).unwrap_err();
    assert_eq!(error, ViewError::Empty);
    assert!(!error.hint().is_empty());
}

#[test]
fn rules_have_names_numbers_and_regions() {
    let text = "\
main = total [1] + (\\x -> x) 3
total [] = 0
total (x:xs) = x
  + total xs
";
    let viewed = look(Program::new(text).run(1000), View::Auto, Order::Outermost);
    let rules: Vec<String> = (0..viewed.tree.len())
        .map(|node| {
            let rule = viewed.tree.rules().get(viewed.tree.rule_id(Node(node)));
            let region = rule.region.unwrap();
            format!("{} {:?} {}-{}", rule.qualified(), rule.number, region.start, region.end)
        })
        .collect();
    assert_eq!(
        rules,
        [
            "Main.main Some(1) 1:1-1:31",
            "Main.total Some(2) 3:1-4:13",
            "Main.total Some(1) 2:1-2:13",
            "Main.(\\x -> x) None 1:21-1:28",
        ]
    );
    assert_eq!(viewed.about.program.as_deref(), Some("Main.hs"));
    assert_eq!(viewed.sources.iter().count(), 1);
}

#[test]
fn what_contains_itself_is_shown_once() {
    run(
        "\
main = first ones 3 + depth tree
first (x:xs) n = x
ones = 1 : ones
depth (Node l r) = 0
tree = Node tree 5
",
        "
        main = 1
          first [1,…] 3 = 1
          depth (Node … 5) = 0
          ones = [1,…]
          tree = Node … 5
        ",
    );
}
