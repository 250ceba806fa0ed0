//! The extended redex trail of S4 (Fig. 5.9), rebuilt from a trail file.
//!
//! The rules of the figure are run over the expressions of the file. What the rules would have to compute is looked up: which
//! alternative of a case is taken is seen from the value that was recorded for what is examined, and that value must be the one
//! that the rules arrive at. So the rebuilt trail exists only if the file has all positions, also those of variables.

use crate::graph::{End, Graph};
use gadfly_trail::model::{Alternative, ExpressionKind, NodeId, Operand, Position, Ref, What};
use std::collections::HashMap;

/// A node of the extended redex trail.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The expression's source, or `f` for a call without a place.
    label: String,
    /// Its program positions: its own, then those of the variables that led to it.
    positions: Vec<(String, String)>,
    successor: Option<usize>,
}

/// An address in the heap of the rules.
type Address = usize;

#[derive(Clone, Debug)]
struct Closure {
    code: Code,
    /// What its variables are.
    variables: HashMap<u32, Address>,
    /// The redex whose code it is.
    redex: NodeId,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Code {
    /// An expression of the program.
    At(Position),
    /// A constructor without fields that stands as an argument.
    Constant(u32),
}

enum Frame {
    Update(Address),
    /// A case, and its row.
    Select(Closure, usize),
}

struct Rules<'g> {
    graph: &'g Graph,
    heap: Vec<Closure>,
    rows: Vec<Row>,
    /// The node that a variable was first looked up for.
    pointers: HashMap<Address, usize>,
    parts: HashMap<Position, Vec<Position>>,
    bodies: HashMap<u32, Position>,
}

/// Rebuilds the extended redex trail of a constant.
pub(crate) fn extended(graph: &Graph, constant: &str) -> Vec<Row> {
    let mut parts: HashMap<Position, Vec<Position>> = HashMap::new();
    let mut bodies = HashMap::new();
    for expression in &graph.tables().expressions {
        match expression.within {
            Some(within) => parts.entry(within).or_default().push(expression.position),
            None => drop(bodies.insert(expression.function, expression.position)),
        }
    }
    for list in parts.values_mut() {
        list.sort_by_key(|part| graph.expression(*part).place.clone());
    }
    let is_start = |node: &NodeId| {
        graph.function_of(*node).is_some_and(|function| graph.function(function).name == constant)
    };
    let start = graph.ids().find(is_start).unwrap();
    let row = Row { label: constant.to_owned(), positions: Vec::new(), successor: Some(1) };
    let mut rules =
        Rules { graph, heap: Vec::new(), rows: vec![row], pointers: HashMap::new(), parts, bodies };
    rules.run(start);
    rules.rows
}

impl Rules<'_> {
    /// Evaluates a redex without arguments.
    fn run(&mut self, redex: NodeId) {
        let mut control = self.unfold(redex, HashMap::new());
        let mut stack: Vec<Frame> = Vec::new();
        let mut positions = vec![control.code];
        loop {
            let kind = match control.code {
                Code::At(position) => self.graph.expression(position).kind.clone(),
                Code::Constant(_) => ExpressionKind::Construct(0, Vec::new()),
            };
            match kind {
                ExpressionKind::Variable(variable) => {
                    let address = control.variables[&variable];
                    control = self.heap[address].clone();
                    positions.insert(0, control.code);
                    if !self.is_value(control.code) {
                        stack.push(Frame::Update(address));
                    }
                    self.point(address, &positions);
                }
                ExpressionKind::Let(variables) => {
                    let here = self.place(&control);
                    let mut inside = control.variables.clone();
                    for variable in &variables {
                        inside.insert(*variable, self.heap.len());
                        self.heap.push(control.clone());
                    }
                    let parts = self.parts[&here].clone();
                    for (variable, part) in variables.iter().zip(&parts) {
                        self.heap[inside[variable]] = Closure {
                            code: Code::At(*part),
                            variables: inside.clone(),
                            redex: control.redex,
                        };
                    }
                    self.add(&control, positions, true);
                    control =
                        Closure { code: Code::At(*parts.last().unwrap()), variables: inside, ..control };
                    positions = vec![control.code];
                }
                ExpressionKind::Case(..) => {
                    let row = self.rows.len();
                    self.add(&control, positions, false);
                    stack.push(Frame::Select(control.clone(), row));
                    control.code = Code::At(self.parts[&self.place(&control)][0]);
                    positions = vec![control.code];
                }
                ExpressionKind::Call(function, operands) => {
                    let redex = self.redex(&control, function);
                    let arguments =
                        operands.iter().map(|operand| self.address(*operand, &control)).collect::<Vec<_>>();
                    self.add(&control, positions, true);
                    control = self.unfold(redex, (0u32..).zip(arguments).collect());
                    positions = vec![control.code];
                }
                ExpressionKind::Construct(..) | ExpressionKind::Constant => match stack.pop() {
                    Some(Frame::Update(address)) => self.heap[address] = control.clone(),
                    Some(Frame::Select(case, row)) => {
                        self.add(&control, positions, false);
                        self.rows[row].successor = Some(self.rows.len());
                        control = self.select(case, &control);
                        positions = vec![control.code];
                    }
                    None => return self.add(&control, positions, false),
                },
                // What desugaring says of rules is no expression of the paper.
                ExpressionKind::Other => {
                    let part = self.parts[&self.place(&control)][0];
                    let last = positions.iter().position(|code| *code == control.code).unwrap();
                    positions[last] = Code::At(part);
                    control.code = Code::At(part);
                }
                kind => panic!("{kind:?} is not in the programs of the paper"),
            }
        }
    }

    fn is_value(&self, code: Code) -> bool {
        match code {
            Code::Constant(_) => true,
            Code::At(position) => {
                matches!(
                    self.graph.expression(position).kind,
                    ExpressionKind::Construct(..) | ExpressionKind::Constant
                )
            }
        }
    }

    fn place(&self, closure: &Closure) -> Position {
        match closure.code {
            Code::At(position) => position,
            Code::Constant(_) => Position::NONE,
        }
    }

    /// The body of a redex.
    fn unfold(&self, redex: NodeId, variables: HashMap<u32, Address>) -> Closure {
        let function = self.graph.function_of(redex).unwrap();
        Closure { code: Code::At(self.bodies[&function]), variables, redex }
    }

    /// The redex that was recorded for a call.
    fn redex(&self, call: &Closure, function: u32) -> NodeId {
        let made = self.graph.made_at(call.redex, self.place(call));
        let [redex] = made[..] else {
            panic!("{} redexes for one call\n{}", made.len(), self.graph.listing())
        };
        assert_eq!(self.graph.function_of(redex), Some(function));
        redex
    }

    fn address(&mut self, operand: Operand, closure: &Closure) -> Address {
        match operand {
            Operand::Variable(variable) => closure.variables[&variable],
            Operand::Constructor(constructor) => {
                self.heap.push(Closure { code: Code::Constant(constructor), ..closure.clone() });
                self.heap.len() - 1
            }
            operand => panic!("{operand:?} is not in the programs of the paper"),
        }
    }

    /// The alternative of a case that was taken, by the constructor that the rules arrived at.
    fn select(&mut self, case: Closure, value: &Closure) -> Closure {
        let here = self.place(&case);
        let ExpressionKind::Case(name, alternatives) = &self.graph.expression(here).kind else {
            panic!("no case")
        };
        let (constructor, fields) = match value.code {
            Code::Constant(constructor) => (constructor, Vec::new()),
            Code::At(position) => match &self.graph.expression(position).kind {
                ExpressionKind::Construct(constructor, fields) => (*constructor, fields.clone()),
                kind => panic!("{kind:?} is not in the programs of the paper"),
            },
        };
        let mut variables = case.variables.clone();
        variables.insert(*name, self.heap.len());
        self.heap.push(value.clone());
        let taken = alternatives.iter().position(|one| match one {
            Alternative::Constructor(other, _) => *other == constructor,
            Alternative::Literal(_) | Alternative::Otherwise => false,
        });
        let taken = taken.unwrap();
        let Alternative::Constructor(_, bound) = &alternatives[taken] else { panic!("no constructor") };
        for (variable, field) in bound.iter().zip(fields) {
            let address = self.address(field, value);
            variables.insert(*variable, address);
        }
        let part = self.parts[&here][1 + taken];
        self.check_taken(&case, part);
        Closure { code: Code::At(part), variables, ..case }
    }

    /// The recorded redex must have ended in the alternative that the rules take.
    fn check_taken(&self, case: &Closure, part: Position) {
        let Some((_, mut at)) = self.graph.reduct(case.redex) else { return };
        while at != part {
            at = self.graph.expression(at).within.unwrap_or_else(|| panic!("another alternative was taken"));
        }
    }

    /// A variable has led to the next row, or is known to lead to an older one, which gets its positions.
    fn point(&mut self, address: Address, positions: &[Code]) {
        let next = self.rows.len();
        let row = *self.pointers.entry(address).or_insert(next);
        if row < next {
            let more: Vec<(String, String)> = positions.iter().map(|code| self.position(*code)).collect();
            let known = &mut self.rows[row].positions;
            more.into_iter().for_each(|one| {
                if !known.contains(&one) {
                    known.push(one)
                }
            });
        }
    }

    fn add(&mut self, control: &Closure, positions: Vec<Code>, goes_on: bool) {
        let label = match control.code {
            Code::At(position) => self.graph.source(position),
            Code::Constant(constructor) => {
                self.graph.tables().constructors[constructor as usize].name.clone()
            }
        };
        let positions = positions.iter().map(|code| self.position(*code)).collect();
        let successor = goes_on.then_some(self.rows.len() + 1);
        self.rows.push(Row { label, positions, successor });
    }

    /// A function and a sequence of numbers: where an expression stands in its body.
    fn position(&self, code: Code) -> (String, String) {
        let Code::At(position) = code else { return (String::new(), String::new()) };
        let function = self.graph.expression(position).function;
        let mut places: Vec<Vec<u32>> = Vec::new();
        let mut at = Some(position);
        while let Some(position) = at {
            let expression = self.graph.expression(position);
            let inside_rule = expression
                .within
                .is_some_and(|within| self.graph.expression(within).kind == ExpressionKind::Other);
            if !inside_rule {
                places.push(expression.place.clone());
            }
            at = expression.within;
        }
        let numbers: Vec<String> =
            places.into_iter().rev().flatten().map(|number| number.to_string()).collect();
        let place = if numbers.is_empty() { "Λ".to_owned() } else { numbers.join(".") };
        (self.graph.function(function).name.clone(), place)
    }
}

/// One row on a line: `4: g x [(main,2.1), (f,Λ)] -> 5`.
pub(crate) fn listing(rows: &[Row]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let positions: Vec<String> =
            row.positions.iter().map(|(function, place)| format!("({function},{place})")).collect();
        let successor = row.successor.map(|next| format!(" -> {next}")).unwrap_or_default();
        text.push_str(&format!("{number}: {} [{}]{successor}\n", row.label, positions.join(", ")));
    }
    text
}

/// The value that a constant has in the file.
pub(crate) fn value(graph: &Graph, constant: &str) -> String {
    let node = graph.ids().find(|node| {
        matches!(graph.node(*node).shape.what, What::Constant(function) if graph.function(function).name == constant)
    });
    let node = node.unwrap();
    assert!(matches!(graph.end(Ref::Node(node)), End::Value(_)));
    graph.show(Ref::Node(node))
}
