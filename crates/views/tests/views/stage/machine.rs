//! Runs a program and records it.

use super::{Equation, Pattern, Program, Term};
use gadfly_trail::Trail;
use gadfly_trail::model::*;
use gadfly_trail::stream::Stream;
use gadfly_trail::text::pack;
use gadfly_trail::write::Memory;
use std::collections::{HashMap, HashSet};

impl Program {
    /// Evaluates `main` with at most so many reductions, and records it.
    pub(crate) fn run(&self, fuel: usize) -> Trail {
        let (stream, memory) = Memory::stream(self.tables.clone());
        let mut machine = Machine {
            program: self,
            stream,
            shapes: HashMap::new(),
            objects: vec![Object::Done(Ref::Unknown)],
            constants: HashMap::new(),
            fuel,
            made: vec![(NodeId::NONE, 0)],
            output: 0,
            trusted: None,
            depth: 0,
        };
        let main = machine.constant(self.functions["main"], NodeId::NONE, 0);
        let end = match machine.whole(main) {
            Ok(()) => RunEnd::Exit(0),
            Err(Stop::Raised(_)) => RunEnd::Uncaught("raised".into(), 1),
            Err(Stop::Fuel) => RunEnd::Interrupted,
        };
        machine.stream.end(&end);
        drop(machine);
        memory.trail()
    }
}

/// What a node of the trail is while the program runs.
#[derive(Clone, Debug)]
enum Object {
    /// A value, or what it became.
    Done(Ref),
    /// A function with some of its arguments.
    Closure(u32, Vec<Ref>),
    Data(u32, Vec<Ref>),
    /// A call of a function, on behalf of a redex (itself, if the function is recorded), from a place of its code.
    Call(u32, Vec<Ref>),
    Trusted(u32, Vec<Ref>, NodeId, u32),
    Apply(Ref, Vec<Ref>),
    Raised(Ref),
}

#[derive(Clone, Debug)]
enum Stop {
    Raised(Ref),
    Fuel,
}

struct Machine<'p> {
    program: &'p Program,
    stream: Stream,
    shapes: HashMap<Shape, ShapeId>,
    objects: Vec<Object>,
    constants: HashMap<u32, Ref>,
    fuel: usize,
    /// By whom and where every node was made.
    made: Vec<(NodeId, u32)>,
    output: i64,
    /// Where the trusted code was called whose nodes are being made.
    trusted: Option<u32>,
    /// How deep evaluation is.
    depth: usize,
}

impl Machine<'_> {
    fn shape(&mut self, what: What, position: u32, count: usize, tail: bool) -> ShapeId {
        let shape = Shape { what, position: Position(position), count: count as u32, tail };
        match self.shapes.get(&shape) {
            Some(id) => *id,
            None => {
                let id = self.stream.define(shape);
                self.shapes.insert(shape, id);
                id
            }
        }
    }

    fn make(
        &mut self,
        what: What,
        object: Object,
        parent: NodeId,
        at: u32,
        tail: bool,
        parts: &[Ref],
    ) -> Ref {
        let at = self.trusted.unwrap_or(at);
        let shape = self.shape(what, at, parts.len(), tail);
        let words: Vec<RawRef> = parts.iter().map(|part| RawRef::of(*part)).collect();
        let node = self.stream.node(shape, parent, &words);
        assert_eq!(node.0 as usize, self.objects.len());
        self.objects.push(object);
        self.made.push((parent, at));
        Ref::Node(node)
    }

    fn tell(&mut self, what: What, node: NodeId, at: u32, parts: &[Ref]) {
        let shape = self.shape(what, at, parts.len(), false);
        let words: Vec<RawRef> = parts.iter().map(|part| RawRef::of(*part)).collect();
        self.stream.tell(shape, node, &words);
    }

    fn constant(&mut self, function: u32, parent: NodeId, at: u32) -> Ref {
        if let Some(known) = self.constants.get(&function) {
            return *known;
        }
        let object = Object::Call(function, Vec::new());
        let made = self.make(What::Constant(function), object, parent, at, false, &[]);
        self.constants.insert(function, made);
        made
    }

    /// Evaluates everything.
    fn whole(&mut self, start: Ref) -> Result<(), Stop> {
        let mut left = vec![start];
        let mut seen = HashSet::new();
        while let Some(at) = left.pop() {
            let value = self.evaluate(at)?;
            if let Ref::Node(node) = value
                && let Object::Data(_, parts) = &self.objects[node.0 as usize]
                && seen.insert(node)
            {
                left.extend(parts.iter().rev());
            }
        }
        Ok(())
    }

    /// Evaluates to a value: something without a node, data, or a function.
    fn evaluate(&mut self, start: Ref) -> Result<Ref, Stop> {
        let Ref::Node(node) = start else { return Ok(start) };
        // What needs itself never ends.
        if self.depth > 1000 {
            return Err(Stop::Fuel);
        }
        self.depth += 1;
        let value = self.evaluate_node(node);
        self.depth -= 1;
        value
    }

    fn evaluate_node(&mut self, node: NodeId) -> Result<Ref, Stop> {
        let start = Ref::Node(node);
        let object = self.objects[node.0 as usize].clone();
        match object {
            Object::Done(Ref::Unknown) => panic!("it needs itself"),
            Object::Done(value) => self.evaluate(value),
            Object::Closure(..) | Object::Data(..) => Ok(start),
            Object::Raised(exception) => Err(Stop::Raised(exception)),
            Object::Call(function, arguments) => self.reduce(node, function, &arguments),
            Object::Trusted(function, arguments, redex, at) => {
                let result = self.builtin(function, &arguments, redex, at);
                self.end(node, at, result)
            }
            Object::Apply(applied, arguments) => self.apply(node, applied, &arguments),
        }
    }

    fn apply(&mut self, node: NodeId, applied: Ref, arguments: &[Ref]) -> Result<Ref, Stop> {
        let value = match self.evaluate(applied) {
            Ok(value) => value,
            Err(stop) => return self.end(node, 0, Err(stop)),
        };
        let (function, mut all) = match value {
            Ref::Node(value) => match &self.objects[value.0 as usize] {
                Object::Closure(function, given) => (*function, given.clone()),
                _ => return self.stuck(node),
            },
            Ref::Function(function) => (function, Vec::new()),
            _ => return self.stuck(node),
        };
        let needed = self.program.tables.functions[function as usize].parameters.len() - all.len();
        if arguments.len() < needed {
            all.extend(arguments);
            self.objects[node.0 as usize] = Object::Closure(function, all);
            return Ok(Ref::Node(node));
        }
        if arguments.len() > needed {
            let (now, later) = arguments.split_at(needed);
            let parts: Vec<Ref> = [&[applied], now].concat();
            let object = Object::Apply(applied, now.to_vec());
            let (parent, at) = self.made[node.0 as usize];
            let first = self.make(What::Apply, object, parent, at, false, &parts);
            let parts: Vec<Ref> = [&[first], later].concat();
            let object = Object::Apply(first, later.to_vec());
            let second = self.make(What::Apply, object, parent, at, false, &parts);
            let value = self.evaluate(second);
            return self.end(node, 0, value.map(|_| second));
        }
        all.extend(arguments);
        self.reduce(node, function, &all)
    }

    /// A redex ends: a row says what it became, if the function is recorded or it is more than a value.
    fn end(&mut self, node: NodeId, at: u32, result: Result<Ref, Stop>) -> Result<Ref, Stop> {
        match result {
            Ok(value) => {
                self.tell(What::Became, node, at, &[value]);
                self.objects[node.0 as usize] = Object::Done(value);
                self.evaluate(value)
            }
            Err(Stop::Raised(exception)) => {
                self.tell(What::Raised, node, at, &[exception]);
                self.objects[node.0 as usize] = Object::Raised(exception);
                Err(Stop::Raised(exception))
            }
            Err(Stop::Fuel) => {
                self.tell(What::Unfinished, node, at, &[]);
                Err(Stop::Fuel)
            }
        }
    }

    fn stuck(&mut self, node: NodeId) -> Result<Ref, Stop> {
        self.end(node, 0, Err(Stop::Raised(Ref::Int(-1))))
    }

    /// Reduces a redex to a value.
    fn reduce(&mut self, node: NodeId, function: u32, arguments: &[Ref]) -> Result<Ref, Stop> {
        let known = &self.program.tables.functions[function as usize];
        if known.recorded && known.module == 1 {
            let result = self.builtin(function, arguments, node, 0);
            return self.end(node, 0, result);
        }
        if !known.recorded {
            let (redex, at) = self.made[node.0 as usize];
            let result = self.builtin(function, arguments, redex, at);
            return self.end(node, at, result);
        }
        if self.fuel == 0 {
            return self.end(node, 0, Err(Stop::Fuel));
        }
        self.fuel -= 1;
        let program = self.program;
        for equation in &program.equations[function as usize] {
            let mut bound = HashMap::new();
            let mut fits = true;
            for (pattern, argument) in equation.patterns.iter().zip(arguments) {
                match self.fits(pattern, *argument, &mut bound) {
                    Ok(yes) => fits = yes,
                    Err(stop) => return self.end(node, equation.position, Err(stop)),
                }
                if !fits {
                    break;
                }
            }
            if fits {
                return self.right(node, equation, &bound);
            }
        }
        self.stuck(node)
    }

    fn fits(
        &mut self,
        pattern: &Pattern,
        value: Ref,
        bound: &mut HashMap<String, Ref>,
    ) -> Result<bool, Stop> {
        match pattern {
            Pattern::Variable(name) => {
                bound.insert(name.clone(), value);
                Ok(true)
            }
            Pattern::Number(number) => Ok(self.evaluate(value)? == Ref::Int(*number)),
            Pattern::Constructor(constructor, patterns) => {
                let value = self.evaluate(value)?;
                if value == Ref::Constructor(*constructor) {
                    return Ok(patterns.is_empty());
                }
                let Ref::Node(node) = value else { return Ok(false) };
                let Object::Data(found, parts) = self.objects[node.0 as usize].clone() else {
                    return Ok(false);
                };
                if found != *constructor || parts.len() != patterns.len() {
                    return Ok(false);
                }
                for (pattern, part) in patterns.iter().zip(parts) {
                    if !self.fits(pattern, part, bound)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The right-hand side: what the redex is reduced to.
    fn right(
        &mut self,
        node: NodeId,
        equation: &Equation,
        bound: &HashMap<String, Ref>,
    ) -> Result<Ref, Stop> {
        let at = equation.position;
        if let Term::Apply(head, arguments, at) = &equation.body
            && let Term::Function(function) = **head
            && !self.program.tables.functions[function as usize].recorded
            && self.program.tables.functions[function as usize].parameters.len() == arguments.len()
        {
            let arguments: Vec<Ref> =
                arguments.iter().map(|part| self.build(part, bound, node, false)).collect();
            let result = self.builtin(function, &arguments, node, *at);
            return self.end(node, *at, result);
        }
        match &equation.body {
            Term::Apply(..) | Term::Lambda(..) => {
                let made = self.build(&equation.body, bound, node, true);
                // Small values have no node that could tell.
                self.objects[node.0 as usize] = Object::Done(made);
                self.evaluate(made)
            }
            other => {
                let made = self.build(other, bound, node, false);
                let value = self.evaluate(made);
                self.end(node, at, value.map(|_| made))
            }
        }
    }

    /// Makes the nodes of a term.
    fn build(&mut self, term: &Term, bound: &HashMap<String, Ref>, parent: NodeId, tail: bool) -> Ref {
        let (head, arguments, at) = match term {
            Term::Variable(name) => return bound[name],
            Term::Number(number) => return Ref::Int(*number),
            Term::Text(string) => return Ref::Text { string: *string, from: 0 },
            Term::Lambda(function, captured, at) => {
                let parts: Vec<Ref> = captured.iter().map(|name| bound[name]).collect();
                let object = Object::Closure(*function, parts.clone());
                return self.make(What::Partial(*function), object, parent, *at, tail, &parts);
            }
            Term::Function(_) | Term::Constructor(_) => (term, &[][..], 0),
            Term::Apply(head, arguments, at) => (&**head, &arguments[..], *at),
        };
        let parts: Vec<Ref> =
            arguments.iter().map(|part| self.build_within(part, bound, parent, at)).collect();
        match head {
            Term::Constructor(constructor) if parts.is_empty() => Ref::Constructor(*constructor),
            Term::Constructor(constructor) => {
                let object = Object::Data(*constructor, parts.clone());
                self.make(What::Construct(*constructor), object, parent, at, tail, &parts)
            }
            Term::Function(function) => {
                let known = &self.program.tables.functions[*function as usize];
                let needed = known.parameters.len();
                if needed == 0 && parts.is_empty() {
                    return self.constant(*function, parent, at);
                }
                if parts.len() < needed {
                    let object = Object::Closure(*function, parts.clone());
                    return self.make(What::Partial(*function), object, parent, at, tail, &parts);
                }
                if known.recorded && parts.len() == needed {
                    let object = Object::Call(*function, parts.clone());
                    return self.make(What::Call(*function), object, parent, at, tail, &parts);
                }
                if parts.len() == needed {
                    let object = Object::Trusted(*function, parts, parent, at);
                    return self.make(What::Suspended, object, parent, at, tail, &[]);
                }
                let applied = match needed {
                    0 => self.constant(*function, parent, at),
                    _ => {
                        let object = Object::Closure(*function, Vec::new());
                        self.make(What::Partial(*function), object, parent, at, false, &[])
                    }
                };
                let all: Vec<Ref> = [&[applied], &parts[..]].concat();
                self.make(What::Apply, Object::Apply(applied, parts), parent, at, tail, &all)
            }
            other => {
                let applied = self.build(other, bound, parent, false);
                let all: Vec<Ref> = [&[applied], &parts[..]].concat();
                self.make(What::Apply, Object::Apply(applied, parts), parent, at, tail, &all)
            }
        }
    }

    /// As [`Machine::build`], for a part: a function that stands alone has the position of what it is a part of.
    fn build_within(&mut self, term: &Term, bound: &HashMap<String, Ref>, parent: NodeId, at: u32) -> Ref {
        match term {
            Term::Function(function)
                if !self.program.tables.functions[*function as usize].parameters.is_empty() =>
            {
                let object = Object::Closure(*function, Vec::new());
                self.make(What::Partial(*function), object, parent, at, false, &[])
            }
            _ => self.build(term, bound, parent, false),
        }
    }

    fn int(&mut self, value: Ref) -> Result<i64, Stop> {
        match self.evaluate(value)? {
            Ref::Int(value) => Ok(value),
            _ => Err(Stop::Raised(Ref::Int(-2))),
        }
    }

    fn boolean(&self, value: bool) -> Ref {
        let name = if value { "True" } else { "False" };
        self.program.constructors.get(name).map_or(Ref::Int(value.into()), |number| Ref::Constructor(*number))
    }

    /// A trusted function, on behalf of a redex, from a place of its code.
    fn builtin(&mut self, function: u32, arguments: &[Ref], redex: NodeId, at: u32) -> Result<Ref, Stop> {
        let program = self.program;
        let name = program.tables.functions[function as usize].name.as_str();
        if program.tables.functions[function as usize].module == 0 {
            // A trusted function of the program: its equations, on behalf of the redex.
            if self.fuel == 0 {
                return Err(Stop::Fuel);
            }
            self.fuel -= 1;
            let equation = &program.equations[function as usize][0];
            let mut bound = HashMap::new();
            for (pattern, argument) in equation.patterns.iter().zip(arguments) {
                if !self.fits(pattern, *argument, &mut bound)? {
                    return Err(Stop::Raised(Ref::Int(-3)));
                }
            }
            self.trusted = Some(at);
            let made = self.build(&equation.body, &bound, redex, false);
            self.trusted = None;
            return self.evaluate(made);
        }
        let numbers = |machine: &mut Self| Ok((machine.int(arguments[0])?, machine.int(arguments[1])?));
        Ok(match name {
            "+" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_add(b) << 8 >> 8)
            }
            "-" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_sub(b) << 8 >> 8)
            }
            "*" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_mul(b) << 8 >> 8)
            }
            "mod" | "div" => {
                let (a, b) = numbers(self)?;
                let result = if name == "mod" { a.checked_rem_euclid(b) } else { a.checked_div_euclid(b) };
                Ref::Int(result.ok_or(Stop::Raised(Ref::Int(-4)))?)
            }
            "==" => {
                let (a, b) = (self.evaluate(arguments[0])?, self.evaluate(arguments[1])?);
                self.boolean(a == b)
            }
            "&&" => {
                let first = self.evaluate(arguments[0])?;
                if first == self.boolean(true) {
                    self.evaluate(arguments[1])?;
                    arguments[1]
                } else {
                    first
                }
            }
            "seq" => {
                self.evaluate(arguments[0])?;
                arguments[1]
            }
            "map" => self.map(arguments[0], arguments[1], redex, at)?,
            "error" => return Err(Stop::Raised(arguments[0])),
            "wait" => return Err(Stop::Fuel),
            "print" => {
                let number = self.int(arguments[0])?;
                let text = format!("{number}\n");
                let action = self.make(What::Action, Object::Done(Ref::Int(0)), redex, 0, false, &[]);
                let Ref::Node(node) = action else { unreachable!() };
                self.objects[node.0 as usize] = Object::Closure(function, Vec::new());
                let mut parts = vec![Ref::Int(self.output), Ref::Int(text.len() as i64)];
                parts.extend(pack(text.as_bytes()).map(RawRef::see));
                self.output += text.len() as i64;
                self.tell(What::Wrote, redex, at, &parts);
                self.tell(What::Performed, node, at, &[Ref::Int(number)]);
                action
            }
            "then" => {
                self.evaluate(arguments[0])?;
                let second = self.evaluate(arguments[1])?;
                let action =
                    self.make(What::Action, Object::Closure(function, Vec::new()), redex, 0, false, &[]);
                let Ref::Node(node) = action else { unreachable!() };
                self.tell(What::Continued, node, at, &[second]);
                action
            }
            other => panic!("what is {other}"),
        })
    }

    /// Calls back for every element, when the list is asked for.
    fn map(&mut self, function: Ref, list: Ref, redex: NodeId, at: u32) -> Result<Ref, Stop> {
        let (cons, nil) = (self.program.constructors[":"], Ref::Constructor(self.program.constructors["[]"]));
        let mut elements = Vec::new();
        let mut rest = self.evaluate(list)?;
        while let Ref::Node(node) = rest
            && let Object::Data(found, parts) = self.objects[node.0 as usize].clone()
            && found == cons
        {
            elements.push(parts[0]);
            rest = self.evaluate(parts[1])?;
        }
        let mut made = nil;
        let applied: Vec<Ref> = elements
            .iter()
            .map(|element| {
                let object = Object::Apply(function, vec![*element]);
                self.make(What::Apply, object, redex, at, false, &[function, *element])
            })
            .collect();
        for element in applied.into_iter().rev() {
            let parts = [element, made];
            made =
                self.make(What::Construct(cons), Object::Data(cons, parts.to_vec()), redex, 0, false, &parts);
        }
        Ok(made)
    }
}
