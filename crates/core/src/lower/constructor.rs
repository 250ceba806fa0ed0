//! Constructors and their types.
//!
//! The kernel has no constructors of newtypes: such a value is the value inside.

use gadfly_source::{FileId, Span};
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{Associativity, Decl};
use gadfly_typing::builtin;
use gadfly_typing::interface::{ConstructorId, ModuleId, TypeConId};
use rustc_hash::FxHashMap;

use super::Lowering;
use crate::kernel::{ConId, Constructor, DataType, Expr, Fixity, FunId, Name, Origin, TypeId, VarId};

impl Lowering<'_> {
    /// A variable for each argument of a constructor.
    pub(super) fn field_variables(&mut self, constructor: ConstructorId) -> Vec<VarId> {
        let info = &self.typed.constructors[constructor];
        let mut variables: Vec<_> = (0..info.dictionaries).map(|_| self.dictionary_variable()).collect();
        variables.extend(info.fields.iter().map(|_| self.fresh()));
        variables
    }

    /// Whether a constructor is that of a newtype, which the kernel does not have.
    pub(super) fn is_newtype(&self, constructor: ConstructorId) -> bool {
        let info = &self.typed.constructors[constructor];
        self.typed.type_constructors[info.of].is_newtype() && info.dictionaries == 0 && info.fields.len() == 1
    }

    fn kernel_type(&mut self, constructor: TypeConId) -> TypeId {
        if let Some(id) = self.types[constructor.index()] {
            return id;
        }
        let info = &self.typed.type_constructors[constructor];
        let name = self.symbol_name(info.name);
        let id = self.out.add_type(DataType { name, constructors: Vec::new(), hidden: false });
        self.types[constructor.index()] = Some(id);
        let mut constructors = Vec::new();
        for &constructor in info.constructors() {
            let con = self.add_kernel_constructor(constructor, id);
            self.constructors[constructor.index()] = Some(con);
            constructors.push(con);
        }
        self.out.data_type_mut(id).constructors = constructors;
        id
    }

    /// The kernel's constructor.
    pub(super) fn kernel_constructor(&mut self, constructor: ConstructorId) -> ConId {
        if let Some(con) = self.constructors[constructor.index()] {
            return con;
        }
        let of = self.kernel_type(self.typed.constructors[constructor].of);
        match self.constructors[constructor.index()] {
            Some(con) => con,
            // A constructor that its type does not list: only in a program with errors.
            None => {
                let con = self.add_kernel_constructor(constructor, of);
                self.constructors[constructor.index()] = Some(con);
                con
            }
        }
    }

    fn add_kernel_constructor(&mut self, constructor: ConstructorId, of: TypeId) -> ConId {
        let info = &self.typed.constructors[constructor];
        let name = self.symbol_name(info.name);
        let fields = info.fields.iter().filter_map(|field| field.name);
        let fields = fields.map(|field| self.symbol_name(field)).collect();
        let strict = info.fields.iter().zip(info.dictionaries..);
        let strict = strict.filter(|(field, _)| field.strict).map(|(_, position)| position).collect();
        let infix = self.constructor_infix(constructor);
        self.out.add_constructor(Constructor {
            name,
            of,
            tag: info.tag,
            arity: info.arity() as u32 + info.dictionaries,
            dictionaries: info.dictionaries,
            strict,
            fields,
            infix,
        })
    }

    /// How a constructor stands between its arguments, if it was declared so: `a :+: b`, but not `(:+:) a b`.
    pub(super) fn constructor_infix(&mut self, constructor: ConstructorId) -> Option<Fixity> {
        if constructor == builtin::CONS {
            return Some(Fixity { precedence: 5, associativity: Associativity::Right });
        }
        let info = &self.typed.constructors[constructor];
        let module = info.module?;
        if !self.infixes.contains_key(&module) {
            let found = self.find_infixes(module);
            self.infixes.insert(module, found);
        }
        self.infixes[&module].get(&info.name).copied()
    }

    /// The constructors that a module declares between their arguments.
    fn find_infixes(&self, module: ModuleId) -> FxHashMap<Symbol, Fixity> {
        let syntax = &self.typed.modules[module].syntax;
        let tree = &syntax.tree;
        let mut infixes = FxHashMap::default();
        for &decl in tree.list(syntax.decls) {
            let Decl::Data(data) = tree.get(decl) else { continue };
            for one in tree.list(data.constructors) {
                if let [left, _] = tree.list(one.fields)
                    && tree.place(*left).end <= one.name.place.start
                {
                    let default = Fixity { precedence: 9, associativity: Associativity::Left };
                    infixes.insert(one.name.symbol, default);
                }
            }
        }
        for &decl in tree.list(syntax.decls) {
            let Decl::Fixity { associativity, precedence, operators } = tree.get(decl) else { continue };
            for operator in tree.list(*operators) {
                if let Some(fixity) = infixes.get_mut(&operator.symbol) {
                    *fixity = Fixity { precedence: *precedence, associativity: *associativity };
                }
            }
        }
        infixes
    }

    /// A constructor used as a function.
    pub(super) fn constructor_function(&mut self, constructor: ConstructorId) -> FunId {
        if let Some(&function) = self.constructor_functions.get(&constructor) {
            return function;
        }
        let info = &self.typed.constructors[constructor];
        let name = self.symbol_name(info.name);
        let span = info.span.unwrap_or(Span::new(FileId(0), 0, 0));
        let newtype = self.is_newtype(constructor);
        let origin = match newtype {
            true => Origin::Newtype,
            false => Origin::Constructor(self.kernel_constructor(constructor)),
        };
        let names: Vec<Option<Name>> =
            info.fields.iter().map(|field| field.name.map(|name| self.symbol_name(name))).collect();
        let module = info.module.unwrap_or(ModuleId::from_index(0));
        let dictionaries = info.dictionaries as usize;
        let function =
            self.in_module(module, |lowering| lowering.declare(name, origin, span, dictionaries, &names));
        self.constructor_functions.insert(constructor, function);
        let arguments = self.parameters_as_arguments(function);
        let expr = match (newtype, arguments.as_slice()) {
            (true, [argument]) => self.made(Expr::Atom(argument.atom), span),
            _ => self.construct_atoms(constructor, &arguments, span),
        };
        let body = self.out.function(function).body;
        self.fill(body, expr);
        function
    }

    /// The hidden constructor of a group of `size` variables.
    pub(super) fn group_constructor(&mut self, size: usize) -> ConId {
        if let Some(&con) = self.groups.get(&size) {
            return con;
        }
        let con = self.hidden_constructor(&format!("Group{size}"), size as u32, 0);
        self.groups.insert(size, con);
        con
    }

    /// The only constructor of a new hidden type.
    pub(super) fn hidden_constructor(&mut self, name: &str, arity: u32, dictionaries: u32) -> ConId {
        let name = self.out.name(name);
        let of = self.out.add_type(DataType { name, constructors: Vec::new(), hidden: true });
        let con = self.out.add_constructor(Constructor {
            name,
            of,
            tag: 0,
            arity,
            dictionaries,
            strict: Vec::new(),
            fields: Vec::new(),
            infix: None,
        });
        self.out.data_type_mut(of).constructors.push(con);
        con
    }
}
