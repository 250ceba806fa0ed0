//! The names that a module defines at its top, each with its number.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{self, Decl, DeclId, Name, Pat, PatId};

use crate::checker::Checker;
use crate::interface::{
    Class, Constructor, Entity, Field, Method, TypeConId, TypeConstructor, TypeKind, Value, ValueId,
    ValueKind,
};
use crate::scope::TypeEntity;
use crate::types::{OUTERMOST, SchemeId, Types};

/// The scheme of an entity without a type yet: any type fits.
pub(crate) const ANY: SchemeId = SchemeId(0);

impl Checker<'_> {
    /// Numbers everything that the module defines.
    pub(crate) fn collect(&mut self) {
        let tree = self.tree;
        for &decl in tree.list(self.syntax.decls) {
            match tree.get(decl) {
                Decl::Synonym { name, .. } => {
                    let id = self.add_type(*name, TypeKind::Abstract);
                    self.type_decls.push((decl, TypeEntity::Type(id)));
                }
                Decl::Data(data) => self.collect_data(decl, data),
                Decl::Class(class) => self.collect_class(decl, class),
                Decl::Function { name, default_for: Some(of), .. } => self.collect_default(decl, *name, *of),
                Decl::Function { name, .. } => {
                    self.add_value(*name, ValueKind::Function { decl, default: None });
                }
                Decl::Pattern { pattern, .. } => {
                    let mut found = Vec::new();
                    self.pattern_variables(*pattern, &mut found);
                    for (name, variable) in found {
                        self.add_value(name, ValueKind::Pattern { decl, variable });
                    }
                }
                Decl::External(names) => {
                    for &name in tree.list(*names) {
                        self.only_in_library("external", name);
                        self.add_value(name, ValueKind::External);
                    }
                }
                Decl::Primitive { name, entity, .. } => {
                    self.only_in_library("a primitive", *name);
                    let entity = tree.list(*entity).iter().filter_map(|&code| char::from_u32(code));
                    self.add_value(*name, ValueKind::Primitive(entity.collect()));
                }
                _ => {}
            }
        }
    }

    /// Functions of the machine are named by the library only.
    fn only_in_library(&mut self, how: &str, name: Name) {
        if self.library {
            return;
        }
        let text = self.text(name.symbol);
        self.diagnostics.push(
            Diagnostic::error(format!("`{text}` is declared {how}, which is for the library only"))
                .at(self.span_of(name.place), "not defined in this language")
                .with_hint("Define it by equations, or import the library's module that has it."),
        );
    }

    /// The default rule of a Curry function belongs to the value that its other rules define.
    fn collect_default(&mut self, decl: DeclId, name: Name, of: Symbol) {
        match self.scope.own.values.get(&of) {
            Some(&Entity::Value(value)) => {
                if let ValueKind::Function { default, .. } = &mut self.world.program.values[value].kind {
                    *default = Some(decl);
                }
                let binding = self.new_binding(Entity::Value(value));
                self.notes.bindings.insert(decl, binding);
            }
            _ => {
                let text = self.text(of).to_owned();
                let span = self.span_of(name.place);
                self.diagnostics.push(
                    Diagnostic::error(format!("a default rule for `{text}`, which has no other rule"))
                        .at(span, "")
                        .with_hint(format!("Define `{text}` before its default rule.")),
                );
            }
        }
    }

    fn collect_data(&mut self, decl: DeclId, data: &tree::Data) {
        let of = self.add_type(data.name, TypeKind::Abstract);
        self.type_decls.push((decl, TypeEntity::Type(of)));
        let mut constructors = Vec::new();
        let mut selectors: Vec<(Symbol, ValueId)> = Vec::new();
        let tree = self.tree;
        for constructor in tree.list(data.constructors) {
            let id = self.world.program.constructors.next();
            let mut fields = Vec::new();
            for names in tree.list(constructor.labels) {
                for &name in tree.list(names.names) {
                    let selector = self.selector(&mut selectors, name, of);
                    self.add_position(selector, id, fields.len() as u32);
                    fields.push(new_field(Some((selector, name.symbol))));
                }
            }
            if constructor.labels.is_empty() {
                fields.extend(tree.list(constructor.fields).iter().map(|_| new_field(None)));
            }
            let span = self.span_of(constructor.name.place);
            let tag = constructors.len() as u32;
            constructors.push(self.world.program.constructors.push(Constructor {
                name: constructor.name.symbol,
                module: Some(self.module),
                span: Some(span),
                of,
                tag,
                fields,
                scheme: ANY,
                dictionaries: 0,
                exists: Vec::new(),
                refines: false,
                demands: Vec::new(),
            }));
            self.define(constructor.name, Entity::Constructor(id));
        }
        let meaning = match (data.newtype, constructors.len()) {
            (true, 1) => TypeKind::Newtype(constructors[0]),
            (_, 0) => TypeKind::Abstract,
            _ => TypeKind::Data(constructors),
        };
        self.world.program.type_constructors[of].meaning = meaning;
    }

    /// The selector of a field; constructors of one type may share it.
    fn selector(&mut self, selectors: &mut Vec<(Symbol, ValueId)>, name: Name, of: TypeConId) -> ValueId {
        match selectors.iter().find(|(symbol, _)| *symbol == name.symbol) {
            Some((_, selector)) => *selector,
            None => {
                let selector = self.add_value(name, ValueKind::Field { of, positions: Vec::new() });
                selectors.push((name.symbol, selector));
                selector
            }
        }
    }

    fn add_position(&mut self, selector: ValueId, constructor: crate::interface::ConstructorId, at: u32) {
        if let ValueKind::Field { positions, .. } = &mut self.world.program.values[selector].kind {
            positions.push((constructor, at));
        }
    }

    fn collect_class(&mut self, decl: DeclId, class: &tree::Class) {
        let id = self.world.program.classes.next();
        let span = self.span_of(class.name.place);
        let mut methods = Vec::new();
        let tree = self.tree;
        for &member in tree.list(class.decls) {
            let Decl::Signature { names, .. } = tree.get(member) else { continue };
            for &name in tree.list(*names) {
                let index = methods.len() as u32;
                let value = self.add_value(name, ValueKind::Method { class: id, index });
                methods.push(Method {
                    value,
                    default: None,
                    variables: Vec::new(),
                    context: Vec::new(),
                    body: Types::ERROR,
                });
            }
        }
        self.world.program.classes.push(Class {
            name: class.name.symbol,
            module: self.module,
            span,
            decl,
            parameters: Vec::new(),
            kinds: Vec::new(),
            superclasses: Vec::new(),
            dependencies: Vec::new(),
            methods,
        });
        self.define_type(class.name, TypeEntity::Class(id));
        self.type_decls.push((decl, TypeEntity::Class(id)));
    }

    fn add_type(&mut self, name: Name, meaning: TypeKind) -> TypeConId {
        let kind = self.types().meta(OUTERMOST);
        let span = Some(self.span_of(name.place));
        let id = self.world.program.type_constructors.push(TypeConstructor {
            name: name.symbol,
            module: Some(self.module),
            span,
            parameters: Vec::new(),
            kind,
            meaning,
        });
        self.define_type(name, TypeEntity::Type(id));
        id
    }

    fn add_value(&mut self, name: Name, kind: ValueKind) -> ValueId {
        let span = self.span_of(name.place);
        let value = self.world.program.values.push(Value {
            name: name.symbol,
            module: self.module,
            span,
            kind,
            scheme: ANY,
            declared: false,
        });
        self.own_values.push(value);
        self.define(name, Entity::Value(value));
        value
    }

    fn define(&mut self, name: Name, entity: Entity) {
        if let Some(&before) = self.scope.own.values.get(&name.symbol) {
            let before = self.entity_span(before);
            self.duplicate("defined", name, before);
            return;
        }
        self.scope.own.values.insert(name.symbol, entity);
    }

    fn define_type(&mut self, name: Name, entity: TypeEntity) {
        if let Some(&before) = self.scope.own.types.get(&name.symbol) {
            let before = self.type_span(before);
            self.duplicate("declared", name, before);
            return;
        }
        self.scope.own.types.insert(name.symbol, entity);
    }

    /// Says that a name is bound twice.
    pub(crate) fn duplicate(&mut self, how: &str, name: Name, before: Option<Span>) {
        let message = format!("`{}` is {how} twice", self.text(name.symbol));
        let mut diagnostic = Diagnostic::error(message).at(self.span_of(name.place), "here again");
        if let Some(before) = before {
            diagnostic = diagnostic.and(before, "here first");
        }
        let hint = match how {
            "defined" => "Rename one of them, or put the equations together.",
            "a parameter" => "Rename one of them.",
            _ => "Remove or rename one of them.",
        };
        self.diagnostics.push(diagnostic.with_hint(hint));
    }

    /// The variables of a pattern with the nodes that bind them, from left to right.
    pub(crate) fn pattern_variables(&self, pattern: PatId, found: &mut Vec<(Name, PatId)>) {
        let tree = self.tree;
        let mut stack = vec![pattern];
        while let Some(id) = stack.pop() {
            match *tree.get(id) {
                Pat::Var(symbol) => found.push((Name { symbol, place: tree.place(id) }, id)),
                Pat::As(name, _) => {
                    let used = tree.name(name);
                    found.push((Name { symbol: used.name.name, place: used.place }, id));
                }
                _ => {}
            }
            tree.push_parts(id, &mut stack);
        }
    }

    /// The row of one of the module's own values among them.
    pub(crate) fn own_index(&self, value: ValueId) -> Option<usize> {
        value.index().checked_sub(self.first_value.index()).filter(|&row| row < self.own_values.len())
    }
}

fn new_field(label: Option<(ValueId, Symbol)>) -> Field {
    Field {
        selector: label.map(|(selector, _)| selector),
        name: label.map(|(_, name)| name),
        declared: Types::ERROR,
        strict: false,
        dictionaries: 0,
    }
}
