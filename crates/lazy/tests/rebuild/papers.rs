//! The examples of S1 and S4, and what a value's origin is.

use crate::extended::{extended, listing, value};
use crate::graph::{Graph, Outcome};
use crate::recording::{How, record};
use gadfly_trail::model::{NodeId, Position, Ref, What};

fn graph(text: &str, how: How<'_>) -> Graph {
    Graph::new(record(text, how).trail)
}

/// Every reduction with the equation of the redex that made it.
fn reductions(graph: &Graph) -> Vec<(String, String)> {
    let equation = |node: NodeId| if node == NodeId::NONE { String::new() } else { graph.equation(node) };
    let redexes = graph.ids().filter(|node| graph.is_redex(*node));
    redexes.map(|node| (graph.equation(node), equation(graph.maker(node)))).collect()
}

#[test]
fn the_redex_trail_of_s1() {
    let text = "sum2 :: Int -> Int\nsum2 x = div (x + (x - 1)) 2\nmain :: Int\nmain = sum2 3\n";
    let graph = graph(text, How { suspected: &["+", "-", "div"], ..How::default() });
    let mut found = reductions(&graph);
    found.sort();
    let parent = "sum2 3 = 2";
    let expected = [
        ("3 + 2 = 5", parent),
        ("3 - 1 = 2", parent),
        ("div 5 2 = 2", parent),
        ("main = 2", ""),
        (parent, "main = 2"),
    ];
    assert_eq!(found, expected.map(|(one, other)| (one.to_owned(), other.to_owned())), "{}", graph.listing());
    // In S1 an application has its arguments as nodes of their own: `3 + 2` has for its second argument what `3 - 1` became.
    let of = |equation: &str| {
        graph.ids().find(|node| graph.is_redex(*node) && graph.equation(*node) == equation).unwrap()
    };
    let second = graph.arguments(of("3 + 2 = 5"))[1];
    assert_eq!(second, Ref::Node(of("3 - 1 = 2")));
    assert_eq!(graph.source(graph.node(of("3 - 1 = 2")).shape.position), "x - 1");
    // And `sum2 3` was reduced to the division.
    assert_eq!(graph.reduct(of(parent)).map(|(reduct, _)| reduct), Some(Ref::Node(of("div 5 2 = 2"))));
}

#[test]
fn the_extended_redex_trail_of_s4_example_14() {
    let text = "\
data Nat = Z | S Nat deriving Show
main = let x = Z in
       let y = g x in f y
f x = x
g x = x
";
    let graph = graph(text, How::default());
    let expected = "\
0: main [] -> 1
1: let x = Z in let y = g x in f y [(main,Λ)] -> 2
2: let y = g x in f y [(main,2)] -> 3
3: f y [(main,2.2)] -> 4
4: g x [(main,2.1), (f,Λ)] -> 5
5: Z [(main,1), (g,Λ)]
";
    assert_eq!(listing(&extended(&graph, "main")), expected, "{}", graph.listing());
    assert_eq!(value(&graph, "main"), "Z");
}

#[test]
fn the_extended_redex_trail_of_s4_example_12() {
    let text = "\
data Nat = Z | S Nat
main = let x3 = Z in
       let x1 = Z in
       let x2 = S x3 in leq x1 x2
leq x y = case x of
  { Z   -> True;
    S n -> case y of { Z   -> False;
                       S m -> leq n m } }
";
    let graph = graph(text, How::default());
    let case = "case x of { Z -> True; S n -> case y of { Z -> False; S m -> leq n m } }";
    let expected = format!(
        "\
0: main [] -> 1
1: let x3 = Z in let x1 = Z in let x2 = S x3 in leq x1 x2 [(main,Λ)] -> 2
2: let x1 = Z in let x2 = S x3 in leq x1 x2 [(main,2)] -> 3
3: let x2 = S x3 in leq x1 x2 [(main,2.2)] -> 4
4: leq x1 x2 [(main,2.2.2)] -> 5
5: {case} [(leq,Λ)] -> 7
6: Z [(main,2.1), (leq,1)]
7: True [(leq,2.1)]
"
    );
    assert_eq!(listing(&extended(&graph, "main")), expected, "{}", graph.listing());
    assert_eq!(value(&graph, "main"), "True");
}

#[test]
fn sharing_and_recursion_in_the_extended_redex_trail() {
    let text = "\
data Nat = Z | S Nat
main = let x = S Z in
       let y = double x in eq y y
double n = case n of { Z -> Z; S m -> let d = double m in let e = S d in S e }
eq a b = case a of
  { Z   -> case b of { Z -> True; S q -> False };
    S p -> case b of { Z -> False; S q -> eq p q } }
";
    let graph = graph(text, How::default());
    let rows = extended(&graph, "main");
    let text = listing(&rows);
    assert_eq!(value(&graph, "main"), "True");
    // `y` is examined twice and evaluated once; the second look adds its position to the node of the first.
    assert_eq!(text.matches(": double x [").count(), 1, "{text}");
    assert_eq!(text.matches(": double m [").count(), 1, "{text}");
    assert_eq!(text.matches(": eq p q [").count(), 2, "{text}");
    assert!(text.contains("double x [(main,2.1), (eq,1)"), "{text}");
    assert!(text.contains("(eq,2.2.1)"), "{text}");
}

#[test]
fn a_value_has_a_parent_an_origin_and_a_place_in_the_order_of_creation() {
    let text = "\
data Shape = Square Int | Pair Shape Shape
main = side (both (grow (Square 1)) (Square 7)) == 2
both a b = Pair a b
grow (Square n) = Square (n + 1)
grow other = other
side (Square n) = n
side (Pair a b) = side a
";
    let graph = graph(text, How::default());
    let values = graph.ids().filter(|node| matches!(graph.node(*node).shape.what, What::Construct(_)));
    let told: Vec<(String, String, String)> = values
        .map(|node| {
            let info = graph.node(node);
            (graph.show(Ref::Node(node)), graph.equation(info.parent), graph.source(info.shape.position))
        })
        .collect();
    // In the order in which they came to be.
    let expected = [
        ("(Square 1)", "main = True", "Square 1"),
        ("(Square 7)", "main = True", "Square 7"),
        (
            "(Pair (Square 2) (Square 7))",
            "both (Square 2) (Square 7) = (Pair (Square 2) (Square 7))",
            "Pair a b",
        ),
        ("(Square 2)", "grow (Square 1) = (Square 2)", "Square (n + 1)"),
    ];
    let mut told: Vec<(&str, &str, &str)> =
        told.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
    // Whether the unused part is made before it is passed on is the machine's business.
    told.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    assert_eq!(told, sorted, "{}", graph.listing());
    let made = |text: &str| graph.ids().find(|node| graph.show(Ref::Node(*node)) == text).unwrap();
    assert!(made("(Square 1)") < made("(Square 2)"));
    // The origin of what `side` got from the pair is `grow`, not `both`.
    let pair = graph
        .ids()
        .find(|node| {
            matches!(graph.node(*node).shape.what, What::Construct(_))
                && graph.show(Ref::Node(*node)).starts_with("(Pair")
        })
        .unwrap();
    let Ref::Node(first) = graph.node(pair).references[0] else { panic!("a number") };
    assert!(graph.equation(first).starts_with("grow"), "{}", graph.listing());
    assert!(
        graph
            .node(first)
            .outcomes
            .iter()
            .all(|outcome| !matches!(outcome, Outcome::Became(_, Position::NONE)))
    );
}
