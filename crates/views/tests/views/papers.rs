//! The examples of the papers.

use super::stage::Program;
use super::{check, line, look};
use gadfly_tree::Node;
use gadfly_views::{Order, View, Viewed};

/// S2 §1.
const ALL_ODD: &str = "\
main = allOdd (Branch (Leaf 7) (Leaf 5))
allOdd t = allOddC id t True
allOddC c (Leaf n) b = b && c (odd n)
allOddC c (Branch l r) b = allOddC (allOddC c r) l b
odd x = x `mod` 3 == 1
id x = x
t_false x = False
";

/// Asks from the top down, from left to right: the questions, until a node is found.
fn session(viewed: &Viewed, wrong: impl Fn(&str) -> bool) -> (Vec<String>, String) {
    let mut asked = vec![line(viewed, Node::ROOT)];
    let mut at = Node::ROOT;
    'down: loop {
        for child in viewed.tree.children(at) {
            let equation = line(viewed, child);
            asked.push(equation.clone());
            if wrong(&equation) {
                at = child;
                continue 'down;
            }
        }
        let rule = viewed.tree.rules().get(viewed.tree.rule_id(at));
        return (asked, format!("{} {}", rule.function, rule.number.unwrap_or(0)));
    }
}

fn wrong_of_all_odd(equation: &str) -> bool {
    let right = ["odd 7", "id False", "allOddC {True ↦ False} (Leaf 7)"];
    !right.iter().any(|right| equation.starts_with(right))
}

#[test]
fn s2_section_1_both_trees() {
    let program = Program::new(ALL_ODD);
    let edt = look(program.run(1000), View::Edt, Order::Outermost);
    check(
        &edt,
        "
        main = False
          allOdd (Branch (Leaf 7) (Leaf 5)) = False
            allOddC id (Branch (Leaf 7) (Leaf 5)) True = False
              allOddC (allOddC id (Leaf 5)) (Leaf 7) True = False
                allOddC id (Leaf 5) True = False
                  id False = False
                  odd 5 = False
                odd 7 = True
        ",
    );
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    check(
        &fdt,
        "
        main = False
          allOdd (Branch (Leaf 7) (Leaf 5)) = False
            allOddC {False ↦ False} (Branch (Leaf 7) (Leaf 5)) True = False
              allOddC {True ↦ False} (Leaf 7) True = False
                odd 7 = True
              allOddC {False ↦ False} (Leaf 5) True = False
                odd 5 = False
            id False = False
        ",
    );
    assert_eq!(look(program.run(1000), View::Auto, Order::Outermost).view, View::Fdt);
}

#[test]
fn s2_section_1_sessions() {
    let program = Program::new(ALL_ODD);
    let edt = look(program.run(1000), View::Edt, Order::Innermost);
    let (asked, found) = session(&edt, wrong_of_all_odd);
    assert_eq!(
        asked,
        [
            "main = False",
            "allOdd (Branch (Leaf 7) (Leaf 5)) = False",
            "allOddC id (Branch (Leaf 7) (Leaf 5)) True = False",
            "allOddC (allOddC id (Leaf 5)) (Leaf 7) True = False",
            "odd 7 = True",
            "allOddC id (Leaf 5) True = False",
            "odd 5 = False",
        ]
    );
    assert_eq!(found, "odd 1");
    let fdt = look(program.run(1000), View::Fdt, Order::Innermost);
    let (asked, found) = session(&fdt, wrong_of_all_odd);
    assert_eq!(
        asked,
        [
            "main = False",
            "allOdd (Branch (Leaf 7) (Leaf 5)) = False",
            "id False = False",
            "allOddC {False ↦ False} (Branch (Leaf 7) (Leaf 5)) True = False",
            "allOddC {False ↦ False} (Leaf 5) True = False",
            "odd 5 = False",
        ]
    );
    assert_eq!(found, "odd 1");
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    assert_eq!(session(&fdt, wrong_of_all_odd).0.len(), 6);
}

#[test]
fn s2_section_4_1_maps_are_those_of_a_node() {
    let program = Program::new(
        "\
main = append (mapp increase [1,2]) (mapp increase [3,4])
mapp f [] = []
mapp f (x:xs) = f x : mapp f xs
append [] ys = ys
append (x:xs) ys = x : append xs ys
increase x = x + 1
",
    );
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    let children: Vec<String> = fdt.tree.children(Node::ROOT).map(|child| line(&fdt, child)).collect();
    assert_eq!(
        children,
        [
            "append [2,3] [4,5] = [2,3,4,5]",
            "mapp {1 ↦ 2, 2 ↦ 3} [1,2] = [2,3]",
            "increase 1 = 2",
            "increase 2 = 3",
            "mapp {3 ↦ 4, 4 ↦ 5} [3,4] = [4,5]",
            "increase 3 = 4",
            "increase 4 = 5",
        ]
    );
}

#[test]
fn s2_section_4_3_self_application() {
    let program = Program::new(
        "\
main = g id
id x = x
g h = (h h) 4
",
    );
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    check(
        &fdt,
        "
        main = 4
          g {{4 ↦ 4} ↦ {4 ↦ 4}, 4 ↦ 4} = 4
          id {4 ↦ 4} = {4 ↦ 4}
          id 4 = 4
        ",
    );
    let edt = look(program.run(1000), View::Edt, Order::Outermost);
    check(
        &edt,
        "
        main = 4
          g id = 4
            id 4 = 4
            id id = id
        ",
    );
}

#[test]
fn recursion_by_self_application_ends() {
    let program = Program::new(
        "\
main = fact fact 4
fact f 0 = 1
fact f n = n * f f (n - 1)
",
    );
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    check(
        &fdt,
        "
        main = 24
          fact {{{… 1 ↦ 1, {} 0 ↦ 1} 2 ↦ 2, {{} 0 ↦ 1} 1 ↦ 1, {} 0 ↦ 1} 3 ↦ 6, {{{} 0 ↦ 1} 1 ↦ 1, {} 0 ↦ 1} 2 ↦ 2, {{} 0 ↦ 1} 1 ↦ 1, {} 0 ↦ 1} 4 = 24
          fact {{… 1 ↦ 1, {} 0 ↦ 1} 2 ↦ 2, {{} 0 ↦ 1} 1 ↦ 1, {} 0 ↦ 1} 3 = 6
          fact {{{} 0 ↦ 1} 1 ↦ 1, {} 0 ↦ 1} 2 = 2
          fact {{} 0 ↦ 1} 1 = 1
          fact {} 0 = 1
        ",
    );
}

#[test]
fn s2_section_7_the_variant() {
    let mut program = Program::new(
        "\
main = allOdd (Branch (Leaf 7) (Leaf 5))
allOdd t = allOddC id t True
allOddC c (Leaf n) = t_flip (&&) (c (odd n))
allOddC c (Branch l r) = allOddC (allOddC c r) l
odd x = x `mod` 3 == 1
id x = x
t_flip f x y = f y x
t_false x = False
",
    );
    program.function("t_flip").name = "flip".into();
    let fdt = look(program.run(1000), View::Fdt, Order::Outermost);
    check(
        &fdt,
        "
        main = False
          allOdd (Branch (Leaf 7) (Leaf 5)) = False
            allOddC {False ↦ False} (Branch (Leaf 7) (Leaf 5)) = {True ↦ False}
              allOddC {True ↦ False} (Leaf 7) = {True ↦ False}
                odd 7 = True
              allOddC {False ↦ False} (Leaf 5) = {True ↦ False}
                odd 5 = False
            id False = False
        ",
    );
    let edt = look(program.run(1000), View::Edt, Order::Outermost);
    check(
        &edt,
        "
        main = False
          allOdd (Branch (Leaf 7) (Leaf 5)) = False
            allOddC id (Branch (Leaf 7) (Leaf 5)) = flip (&&) False
              allOddC (flip (&&) False) (Leaf 7) = flip (&&) False
                odd 7 = True
              allOddC id (Leaf 5) = flip (&&) False
                id False = False
                odd 5 = False
        ",
    );
}

#[test]
fn s1_section_3_five_reductions() {
    let mut program = Program::new(
        "\
main = sum2 3
sum2 x = (x + decr x) `div` 2
decr x = x - 1
",
    );
    for name in ["+", "-", "div"] {
        program.function(name).recorded = true;
    }
    program.function("div").infix = None;
    let edt = look(program.run(1000), View::Auto, Order::Outermost);
    assert_eq!(edt.view, View::Edt);
    check(
        &edt,
        "
        main = 2
          sum2 3 = 2
            div 5 2 = 2
            3 + 2 = 5
            decr 3 = 2
              3 - 1 = 2
        ",
    );
}

/// S0 Fig. 2, by the functions of its nodes: the interchange example has it.
#[test]
fn s0_figure_2() {
    let program = Program::new(
        "\
main = sqrtest [1,2]
sqrtest x = test (computs (listsum x))
test (T x y z) = x == y && y == z
listsum [] = 0
listsum (x:xs) = x + listsum xs
computs x = T (comput1 x) (comput2 x) (comput3 x)
comput1 x = square x
square x = x * x
comput2 x = listsum (list x x)
list x 0 = []
list x y = x : list x (y - 1)
comput3 x = listsum (partialsums x)
partialsums x = [sum1 x,sum2 x]
sum1 x = (x * incr x) `div` 2
sum2 x = (x + decr x) `div` 2
incr x = x + 1
decr x = x - 1
t_booleans x = T True False x
",
    );
    let edt = look(program.run(1000), View::Auto, Order::Outermost);
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/interchange/sqrtest.jsonl");
    let figure = gadfly_interchange::open(example.as_ref()).expect("the example");
    let names = |tree: &gadfly_tree::Tree| -> Vec<(String, Option<u32>)> {
        let nodes = (0..tree.len()).map(Node);
        nodes
            .map(|node| {
                (tree.rules().get(tree.rule_id(node)).function.to_string(), tree.parent(node).map(|p| p.0))
            })
            .collect()
    };
    assert_eq!(names(&edt.tree), names(&figure.tree));
    assert_eq!(line(&edt, Node(22)), "sum2 3 = 2");
}
