//! Types, as far as the way values are written depends on them: `""` is an empty list like any other, and a `Float` is held as
//! the double of the same value.

use super::functions::type_name;
use crate::reference::good::{Good, Slot};
use crate::reference::types::{Scope, Type as Open, Types, View, Wanted};
use gadfly_core::kernel::{ConId, FunId};
use gadfly_trail::model::{FieldTypes, Signature, Type};
use gadfly_typing::interface::{ConstructorId, InstanceId, TypeKind};
use gadfly_typing::{KnownType, builtin};
use std::collections::HashMap;

/// Types nest no deeper than this here; what is deeper is any type. A newtype may be without end.
const DEPTH: u32 = 12;

/// The types of a trail.
#[derive(Debug, Default)]
pub(super) struct Typed {
    pub(super) types: Vec<Type>,
    pub(super) signatures: Vec<Signature>,
    pub(super) fields: Vec<FieldTypes>,
}

/// The types of the recorded functions, of the dictionaries, and of the constructors' fields.
pub(super) fn types(good: &Good<'_>, recorded: &[bool]) -> Typed {
    let mut writer = Writer { good, numbers: HashMap::new(), out: Typed::default() };
    let instances = good.lowered.instances.iter().enumerate();
    let instances: HashMap<FunId, InstanceId> =
        instances.filter_map(|(row, function)| Some(((*function)?, InstanceId::from_index(row)))).collect();
    for (id, _) in good.lowered.program.functions() {
        if let Some(&instance) = instances.get(&id) {
            writer.instance(id, instance);
        } else if recorded[id.index()] {
            writer.function(id);
        }
    }
    let mut constructors: Vec<(ConId, ConstructorId)> =
        good.lowered.constructors.iter().map(|(&known, &con)| (con, known)).collect();
    constructors.sort_unstable_by_key(|(con, _)| con.index());
    for (con, known) in constructors {
        writer.constructor(con, known);
    }
    writer.out
}

struct Writer<'g> {
    good: &'g Good<'g>,
    numbers: HashMap<Type, u32>,
    out: Typed,
}

impl Writer<'_> {
    fn function(&mut self, id: FunId) {
        let mut types = Types::new(&self.good.checked.program);
        let signature = self.good.signature(&mut types, id, &mut Scope::default());
        let mut variables = Vec::new();
        let parameters = signature.slots.iter().map(|slot| match slot {
            Slot::Dictionary(wanted) => match wanted.as_ref().map(|wanted| &wanted.at[..]) {
                Some(&[at]) => self.number(&mut types, at, &mut variables, 0),
                _ => self.intern(Type::Any),
            },
            Slot::Captured(_, of) | Slot::Ordinary(of) => self.number(&mut types, *of, &mut variables, 0),
        });
        let parameters = parameters.collect();
        let result = self.number(&mut types, signature.result, &mut variables, 0);
        self.out.signatures.push(Signature { function: id.index() as u32, parameters, result });
    }

    /// What makes a dictionary is a function from what its context is about to what the instance is about.
    fn instance(&mut self, id: FunId, instance: InstanceId) {
        let typed = &self.good.checked.program;
        let mut types = Types::new(typed);
        let (mut scope, mut variables) = (Scope::default(), Vec::new());
        let info = &typed.instances[instance];
        let heads: Vec<Open> =
            typed.types.list(info.arguments).iter().map(|&head| types.take(head, &mut scope)).collect();
        let context: Vec<Wanted> =
            info.context.iter().map(|constraint| types.take_constraint(constraint, &mut scope)).collect();
        let mut one = |of: &[Open], types: &mut Types<'_>| match of {
            &[at] => self.number(types, at, &mut variables, 0),
            _ => self.intern(Type::Any),
        };
        let parameters = context.iter().map(|wanted| one(&wanted.at, &mut types)).collect();
        let result = one(&heads, &mut types);
        self.out.signatures.push(Signature { function: id.index() as u32, parameters, result });
    }

    fn constructor(&mut self, con: ConId, known: ConstructorId) {
        let typed = &self.good.checked.program;
        let mut types = Types::new(typed);
        let of = typed.constructors[known].of;
        let mut whole = types.constructor(of);
        let mut variables = Vec::new();
        for _ in 0..typed.type_constructors[of].parameters.len() {
            let open = types.open();
            variables.push(open);
            whole = types.apply(whole, open);
        }
        let Some(fields) = types.fields(known, whole) else { return };
        let count = variables.len();
        let fields = fields.types.into_iter().map(|of| {
            let number = self.number(&mut types, of, &mut variables, 0);
            // What exists only inside of the value has no number outside.
            let inside = variables.len() > count;
            variables.truncate(count);
            if inside { self.intern(Type::Any) } else { number }
        });
        let fields = fields.collect();
        self.out.fields.push(FieldTypes { constructor: con.index() as u32, types: fields });
    }

    fn intern(&mut self, of: Type) -> u32 {
        if let Some(&number) = self.numbers.get(&of) {
            return number;
        }
        let number = self.out.types.len() as u32;
        self.out.types.push(of.clone());
        self.numbers.insert(of, number);
        number
    }

    /// The number of a type. It nests no deeper than [`DEPTH`].
    fn number(&mut self, types: &mut Types<'_>, of: Open, variables: &mut Vec<Open>, depth: u32) -> u32 {
        if depth > DEPTH {
            return self.intern(Type::Any);
        }
        let typed = &self.good.checked.program;
        let of = types.strip(of);
        let found = match types.view(of) {
            View::Open(_) => {
                let same = |known: &Open| types.is_same(*known, of);
                let row = variables.iter().position(same).unwrap_or_else(|| {
                    variables.push(of);
                    variables.len() - 1
                });
                Type::Variable(row as u32)
            }
            View::Function(parameter, result) => {
                let parameter = self.number(types, parameter, variables, depth + 1);
                Type::Function(parameter, self.number(types, result, variables, depth + 1))
            }
            View::Data(constructor, arguments) => {
                let mut parts = Vec::with_capacity(arguments.len());
                for &argument in &arguments {
                    parts.push(self.number(types, argument, variables, depth + 1));
                }
                match (typed.known.which(constructor), &parts[..]) {
                    (Some(KnownType::Char), _) => Type::Character,
                    (Some(KnownType::Float), _) => Type::Single,
                    (Some(KnownType::Double), _) => Type::Double,
                    (Some(KnownType::Io), &[result]) => Type::Action(result),
                    _ if constructor == builtin::LIST && parts.len() == 1 => Type::List(parts[0]),
                    _ if builtin::tuple_arity(constructor) == Some(parts.len()) => Type::Tuple(parts),
                    _ => match &typed.type_constructors[constructor].meaning {
                        TypeKind::Data(all) => match all.first() {
                            Some(&first) => Type::Data(type_name(self.good.checked, first), parts),
                            None => Type::Any,
                        },
                        _ => Type::Any,
                    },
                }
            }
            View::Other => Type::Any,
        };
        self.intern(found)
    }
}
