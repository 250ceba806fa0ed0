//! All rows of a trail in memory, and what they say together: which function a redex is of, what a node became in the end,
//! how a value reads, where something stands in the source.
//!
//! Everything here is taken from the file. Nothing is shared with the views, so that these tests would notice if the two
//! understood the rows differently.

use gadfly_trail::model::{
    Expression, Function, NodeId, Origin, Position, RawRef, Ref, Role, Shape, Tables, What,
};
use gadfly_trail::{RowOutcome, Trail, Wanted};
use std::collections::HashMap;

/// The nodes of a trail, with all that was told of them.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) trail: Trail,
    nodes: Vec<Node>,
    children: HashMap<NodeId, Vec<NodeId>>,
    ends: Vec<End>,
}

/// A row that is a node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) shape: Shape,
    pub(crate) parent: NodeId,
    pub(crate) references: Vec<Ref>,
    /// What was told of it, in the order of the run.
    pub(crate) outcomes: Vec<Outcome>,
}

/// What was told of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It was reduced to a node that says so itself.
    Tail(NodeId),
    /// It became a value or another node.
    Became(Ref, Position),
    Raised(Ref, Position),
    Unfinished(Position),
}

/// The end of a chain of reductions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// A value: a node that is one, or a reference that needs none.
    Value(Ref),
    Raised(Ref),
    Unfinished,
    /// It was never evaluated.
    Unevaluated(NodeId),
}

impl Graph {
    pub(crate) fn new(trail: Trail) -> Graph {
        let mut nodes: Vec<Node> = Vec::new();
        let mut children: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        trail.for_each_node(|node, shape, parent, references| {
            let references = references.iter().map(|word| trail.see(*word)).collect();
            let shape = trail.shapes()[shape.0 as usize];
            nodes.push(Node { shape, parent, references, outcomes: Vec::new() });
            children.entry(parent).or_default().push(node);
        });
        for_each_outcome(&trail, |node, outcome| {
            if let Some(node) = (node.0 as usize).checked_sub(1).and_then(|index| nodes.get_mut(index)) {
                node.outcomes.push(outcome);
            }
        });
        let mut graph = Graph { trail, nodes, children, ends: Vec::new() };
        graph.ends = graph.find_ends();
        graph
    }

    pub(crate) fn tables(&self) -> &Tables {
        self.trail.tables()
    }

    pub(crate) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize - 1]
    }

    /// All nodes in the order of their creation.
    pub(crate) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (1..=self.nodes.len() as u64).map(NodeId)
    }

    /// What a redex made, in the order of creation.
    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        self.children.get(&node).map_or(&[], Vec::as_slice)
    }

    /// The redex of recorded code that made a node, or on whose behalf trusted code did: what trusted code made has the
    /// node that became it for its parent, and that is not always a redex.
    pub(crate) fn maker(&self, node: NodeId) -> NodeId {
        let mut at = self.node(node).parent;
        while at != NodeId::NONE
            && !self.function_of(at).is_some_and(|function| self.function(function).recorded)
        {
            at = self.node(at).parent;
        }
        at
    }

    /// What a redex made at a place of its code.
    pub(crate) fn made_at(&self, parent: NodeId, position: Position) -> Vec<NodeId> {
        let children = self.children(parent).iter().copied();
        children.filter(|child| self.node(*child).shape.position == position).collect()
    }

    /// What a node was reduced to in one step: what it says itself counts more than what it became later.
    pub(crate) fn reduct(&self, node: NodeId) -> Option<(Ref, Position)> {
        let outcomes = &self.node(node).outcomes;
        let tail = outcomes.iter().find_map(|outcome| match outcome {
            Outcome::Tail(tail) => Some((Ref::Node(*tail), self.node(*tail).shape.position)),
            _ => None,
        });
        tail.or_else(|| {
            outcomes.iter().find_map(|outcome| match outcome {
                Outcome::Became(reference, position) => Some((*reference, *position)),
                _ => None,
            })
        })
    }

    /// What a reference is in the end.
    pub(crate) fn end(&self, start: Ref) -> End {
        match start {
            Ref::Node(id) => self.ends[id.0 as usize - 1],
            value => End::Value(value),
        }
    }

    /// The ends of all chains, each node looked at once.
    fn find_ends(&self) -> Vec<End> {
        let mut ends: Vec<Option<End>> = vec![None; self.nodes.len()];
        let mut chain = Vec::new();
        for start in self.ids() {
            let mut at = start;
            let end = loop {
                if let Some(end) = ends[at.0 as usize - 1] {
                    break end;
                }
                chain.push(at);
                assert!(chain.len() <= self.nodes.len(), "the reductions of {start:?} go in a circle");
                match self.step(at) {
                    Ok(next) => at = next,
                    Err(end) => break end,
                }
            };
            for node in chain.drain(..) {
                ends[node.0 as usize - 1] = Some(end);
            }
        }
        ends.into_iter().flatten().collect()
    }

    /// The node that goes on, or the end of a chain.
    fn step(&self, id: NodeId) -> Result<NodeId, End> {
        let node = self.node(id);
        if !matches!(node.shape.what, What::Call(_) | What::Apply | What::Suspended | What::Constant(_)) {
            return Err(End::Value(Ref::Node(id)));
        }
        match (self.reduct(id), node.outcomes.last()) {
            (Some((Ref::Node(next), _)), _) => Ok(next),
            (Some((value, _)), _) => Err(End::Value(value)),
            (None, Some(Outcome::Raised(exception, _))) => Err(End::Raised(*exception)),
            (None, Some(_)) => Err(End::Unfinished),
            (None, None) => Err(End::Unevaluated(id)),
        }
    }

    /// The function of a redex; none if the node is no redex, or not yet known to be one.
    pub(crate) fn function_of(&self, node: NodeId) -> Option<u32> {
        match self.node(node).shape.what {
            What::Call(function) | What::Constant(function) => Some(function),
            What::Apply => {
                let (function, arguments) = self.applied(node)?;
                (arguments.len() == self.function(function).parameters.len()).then_some(function)
            }
            _ => None,
        }
    }

    /// The function that an application applies, and all arguments, also those that the function had before.
    pub(crate) fn applied(&self, node: NodeId) -> Option<(u32, Vec<Ref>)> {
        let mut last_first: Vec<&[Ref]> = Vec::new();
        let mut at = node;
        loop {
            let (head, arguments) = self.node(at).references.split_first()?;
            last_first.push(arguments);
            let (function, given): (u32, &[Ref]) = match self.end(*head) {
                End::Value(Ref::Function(function)) => (function, &[]),
                End::Value(Ref::Node(id)) => match self.node(id).shape.what {
                    What::Partial(function) => (function, &self.node(id).references),
                    _ => return None,
                },
                End::Unevaluated(id) if self.node(id).shape.what == What::Apply => {
                    at = id;
                    continue;
                }
                _ => return None,
            };
            last_first.push(given);
            return Some((function, last_first.into_iter().rev().flatten().copied().collect()));
        }
    }

    /// All arguments of a redex.
    pub(crate) fn arguments(&self, node: NodeId) -> Vec<Ref> {
        match self.node(node).shape.what {
            What::Apply => self.applied(node).map(|(_, arguments)| arguments).unwrap_or_default(),
            _ => self.node(node).references.clone(),
        }
    }

    /// Whether a node was reduced, or began to be.
    pub(crate) fn is_redex(&self, node: NodeId) -> bool {
        !self.node(node).outcomes.is_empty() && self.function_of(node).is_some()
    }

    pub(crate) fn function(&self, function: u32) -> &Function {
        &self.tables().functions[function as usize]
    }

    /// The function that the user wrote a piece of code in: what desugaring made belongs to the function it was made for.
    pub(crate) fn owner(&self, mut function: u32) -> u32 {
        while self.function(function).origin == Origin::Hidden
            && let Some(parent) = self.function(function).parent
        {
            function = parent;
        }
        function
    }

    pub(crate) fn expression(&self, position: Position) -> &Expression {
        self.trail.expression(position).unwrap_or_else(|| panic!("nothing is known of {position:?}"))
    }

    /// The source text of an expression, on one line.
    pub(crate) fn source(&self, position: Position) -> String {
        let Some(piece) = self.trail.expression(position).and_then(|expression| expression.piece) else {
            return String::new();
        };
        let text = &self.tables().files[piece.file as usize].text;
        text[piece.start as usize..piece.end as usize].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A redex as an equation, with its most evaluated form on both sides.
    pub(crate) fn equation(&self, node: NodeId) -> String {
        let Some(function) = self.function_of(node) else { return "?".to_owned() };
        let info = self.function(function);
        let shown = info.parameters.iter().zip(self.arguments(node));
        let shown = shown.filter(|((_, role), _)| *role == Role::Ordinary);
        let arguments: Vec<String> = shown.map(|(_, argument)| self.show(argument)).collect();
        let left = match (&arguments[..], info.infix.is_some() && !info.name.starts_with(char::is_alphabetic))
        {
            ([a, b], true) => format!("{a} {} {b}", info.name),
            _ => std::iter::once(info.name.clone()).chain(arguments).collect::<Vec<_>>().join(" "),
        };
        format!("{left} = {}", self.show(Ref::Node(node)))
    }

    /// The most evaluated form of a value, `_` for what was not evaluated, and a few elements of what is long.
    pub(crate) fn show(&self, reference: Ref) -> String {
        self.show_to(reference, 12)
    }

    fn show_to(&self, reference: Ref, depth: usize) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let value = match self.end(reference) {
            End::Value(value) => value,
            End::Raised(_) => return "⊥".to_owned(),
            End::Unfinished => return "?".to_owned(),
            End::Unevaluated(id) => {
                let applied = (self.node(id).shape.what == What::Apply).then(|| self.applied(id)).flatten();
                return match applied {
                    Some((function, arguments)) => {
                        self.show_parts(&self.function(function).name, &arguments, depth)
                    }
                    None => "_".to_owned(),
                };
            }
        };
        match value {
            Ref::Node(id) => self.show_node(id, depth),
            Ref::Int(value) => value.to_string(),
            Ref::Char(code) => format!("{:?}", char::from_u32(code).unwrap_or('\u{fffd}')),
            Ref::Constructor(constructor) => self.tables().constructors[constructor as usize].name.clone(),
            Ref::Function(function) => self.function(function).name.clone(),
            Ref::Double(value) => value.to_string(),
            Ref::Text { string, from } => {
                let codes = &self.tables().strings[string as usize][from as usize..];
                let text: String = codes.iter().filter_map(|code| char::from_u32(*code)).collect();
                format!("{text:?}")
            }
            Ref::Unknown => "?".to_owned(),
        }
    }

    fn show_node(&self, id: NodeId, depth: usize) -> String {
        let node = self.node(id);
        match node.shape.what {
            What::Construct(constructor) => {
                let constructor = &self.tables().constructors[constructor as usize];
                let fields = &node.references[constructor.dictionaries as usize..];
                match (constructor.name.as_str(), fields) {
                    (":", [head, tail]) => self.show_list(*head, *tail, depth),
                    (name, fields) if name.starts_with("(,") => {
                        let fields: Vec<String> =
                            fields.iter().map(|field| self.show_to(*field, depth - 1)).collect();
                        format!("({})", fields.join(","))
                    }
                    (name, fields) => self.show_parts(name, fields, depth),
                }
            }
            What::Partial(function) => {
                self.show_parts(&self.function(function).name, &node.references, depth)
            }
            What::Integer => {
                let mut value = 0i128;
                for digit in node.references.iter().skip(1).rev().take(2) {
                    let Ref::Int(digit) = digit else { return "?".to_owned() };
                    value = value << 60 | i128::from(*digit);
                }
                let sign = if node.references.first() == Some(&Ref::Int(-1)) { -1 } else { 1 };
                if node.references.len() > 3 { "<integer>".to_owned() } else { (sign * value).to_string() }
            }
            What::Double => "<double>".to_owned(),
            What::Array => "<array>".to_owned(),
            What::Action => "<action>".to_owned(),
            _ => "<object>".to_owned(),
        }
    }

    /// Up to eight elements.
    fn show_list(&self, head: Ref, tail: Ref, depth: usize) -> String {
        let mut elements = vec![self.show_to(head, depth - 1)];
        let mut rest = tail;
        let end = loop {
            if elements.len() == 8 {
                break ":…".to_owned();
            }
            match self.end(rest) {
                End::Value(Ref::Node(id))
                    if let What::Construct(_) = self.node(id).shape.what
                        && let [head, tail] = self.node(id).references[..] =>
                {
                    elements.push(self.show_to(head, depth - 1));
                    rest = tail;
                }
                End::Value(Ref::Constructor(_)) => break String::new(),
                _ => break format!(":{}", self.show_to(rest, depth - 1)),
            }
        };
        match end.is_empty() {
            true => format!("[{}]", elements.join(",")),
            false => format!("({}{end})", elements.join(":")),
        }
    }

    fn show_parts(&self, name: &str, parts: &[Ref], depth: usize) -> String {
        if parts.is_empty() {
            return name.to_owned();
        }
        let parts: Vec<String> = parts.iter().map(|part| self.show_to(*part, depth - 1)).collect();
        format!("({name} {})", parts.join(" "))
    }

    /// Everything, for a message of a test that fails.
    pub(crate) fn listing(&self) -> String {
        let mut text = String::new();
        for id in self.ids().take(400) {
            let node = self.node(id);
            let name = match node.shape.what {
                What::Call(function) | What::Constant(function) | What::Partial(function) => {
                    format!("{:?} {}", node.shape.what, self.function(function).name)
                }
                what => format!("{what:?}"),
            };
            text.push_str(&format!(
                "#{} of #{} {name} {:?} at {} `{}`{}: {:?}\n",
                id.0,
                node.parent.0,
                node.references,
                node.shape.position.0,
                self.source(node.shape.position),
                if node.shape.tail { " tail" } else { "" },
                node.outcomes,
            ));
        }
        text
    }
}

/// What was told of nodes: what stands beside them first, then what was told later.
fn for_each_outcome(trail: &Trail, mut see: impl FnMut(NodeId, Outcome)) {
    let of = |of: NodeId, fate: RowOutcome, reference: RawRef| match (fate, trail.see(reference)) {
        (RowOutcome::Nothing, _) => None,
        (RowOutcome::Tail, Ref::Node(node)) => Some(Outcome::Tail(node)),
        (RowOutcome::Tail, _) => None,
        // A tail node of an earlier block's node is told as a value.
        (RowOutcome::Value(_), Ref::Node(node)) if trail.shape(node).tail && trail.parent(node) == of => {
            Some(Outcome::Tail(node))
        }
        (RowOutcome::Value(position), reference) => Some(Outcome::Became(reference, position)),
        (RowOutcome::Raised(position), reference) => Some(Outcome::Raised(reference, position)),
        (RowOutcome::Unfinished(position), _) => Some(Outcome::Unfinished(position)),
    };
    for block in 0..trail.block_count() {
        let meanings = trail.meanings(block);
        let wanted = vec![Wanted { first: false, outcome: true }; meanings.len()];
        trail.for_each_row(block, &wanted, |row| {
            if let Some(outcome) = of(row.node, meanings[row.code].told, row.outcome) {
                see(row.node, outcome);
            }
        });
        trail.for_each_late(block, |node, fate, reference| {
            if let Some(outcome) = of(node, fate, reference) {
                see(node, outcome);
            }
        });
    }
}
