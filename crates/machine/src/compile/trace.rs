//! What the compiler knows about the trail: which code is recorded, and the shapes of its rows.

use super::{Compiler, InstanceId};
use gadfly_core::kernel::{ExprId, FunId, Program};
use gadfly_trail::model::{Position, Shape, What};
use rustc_hash::FxHashMap;

/// How a function's code is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Not at all: it only passes its context on.
    Trusted,
    /// It is a part of a recorded function that desugaring made: the nodes it makes belong to the redex that
    /// made *it*, which it gets as an extra first argument.
    Inside,
    /// Its redexes are nodes.
    Recorded,
}

/// What is needed to write a trail.
#[derive(Debug)]
pub(crate) struct Trace {
    classes: Vec<Class>,
    /// The shapes of rows, by number.
    pub(crate) shapes: Vec<Shape>,
    ids: FxHashMap<Shape, u32>,
    /// The numbers looked up last, by a few bits of the shape: nearly every lookup during a run hits one of
    /// them.
    recent: Vec<Option<(Shape, u32)>>,
}

/// A power of two.
const RECENT: usize = 512;

impl Trace {
    /// `recorded` says which functions are.
    pub(crate) fn new(program: &Program, recorded: impl Fn(FunId) -> bool) -> Trace {
        let class = |(id, function): (FunId, &gadfly_core::kernel::Function)| {
            if recorded(id) {
                return Class::Recorded;
            }
            let mut at = (id, function);
            while at.1.origin.is_hidden()
                && let Some(parent) = at.1.parent
            {
                at = (parent, program.function(parent));
            }
            match at.0 != id && recorded(at.0) {
                true => Class::Inside,
                false => Class::Trusted,
            }
        };
        Trace {
            classes: program.functions().map(class).collect(),
            shapes: Vec::new(),
            ids: FxHashMap::default(),
            recent: vec![None; RECENT],
        }
    }

    /// The number of a shape.
    #[inline]
    pub(crate) fn shape(&mut self, shape: Shape) -> u32 {
        let what = match shape.what {
            What::Call(number) | What::Construct(number) | What::Partial(number) => number,
            What::Apply => 1,
            What::Suspended => 2,
            _ => 3,
        };
        let row =
            (what.wrapping_mul(5) ^ shape.position.0.wrapping_mul(3) ^ shape.count << 6) as usize % RECENT;
        match self.recent[row] {
            Some((recent, id)) if recent == shape => id,
            _ => {
                let id = self.find_shape(shape);
                self.recent[row] = Some((shape, id));
                id
            }
        }
    }

    fn find_shape(&mut self, shape: Shape) -> u32 {
        let next = self.shapes.len() as u32;
        let id = *self.ids.entry(shape).or_insert(next);
        if id == next {
            self.shapes.push(shape);
        }
        id
    }
}

/// The position of an expression.
pub(crate) fn position(expr: ExprId) -> Position {
    Position(expr.index() as u32 + 1)
}

/// No shape: the code is not recorded.
pub(crate) const NO_SHAPE: u32 = u32::MAX;

impl<const TAG: usize> Compiler<'_, TAG> {
    /// How a function is recorded.
    pub(crate) fn function_class(&self, function: FunId) -> Class {
        self.trace.as_ref().map_or(Class::Trusted, |trace| trace.classes[function.index()])
    }

    /// How an instance is recorded.
    pub(crate) fn class(&self, instance: InstanceId) -> Class {
        self.function_class(self.instances[instance.index()].function)
    }

    /// The number of a shape.
    pub(crate) fn shape(&mut self, what: What, at: Option<ExprId>, count: usize, tail: bool) -> u32 {
        let position = at.map_or(Position::NONE, position);
        match &mut self.trace {
            Some(trace) => trace.shape(Shape { what, position, count: count as u32, tail }),
            None => NO_SHAPE,
        }
    }

    /// The shape of a constant's node; none if it is not recorded.
    pub(super) fn constant_shape(&mut self, instance: InstanceId) -> u32 {
        if self.class(instance) != Class::Recorded {
            return NO_SHAPE;
        }
        let function = self.instances[instance.index()].function.index() as u32;
        self.shape(What::Constant(function), None, 0, false)
    }

    /// Whether a constant's context is remembered: it is the user's.
    pub(super) fn is_users(&self, instance: InstanceId) -> bool {
        let function = self.instances[instance.index()].function;
        self.class(instance) == Class::Recorded
            || !self.program.module(self.program.function(function).module).library
    }
}
