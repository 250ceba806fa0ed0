//! Declarations, exports and imports as S-expressions.

use super::{Dumper, Job, group};
use crate::Fixity;
use crate::tree::{
    Class, Constructor, Data, Decl, DeclId, Export, Import, ImportItem, Instance, List, Literal, Members,
    Name, Rule, Strategy,
};

impl Dumper<'_> {
    pub(super) fn decls(&self, word: &str, decls: List<DeclId>) -> Vec<Job> {
        group(word, self.tree.list(decls).iter().map(|&decl| Job::Decl(decl)))
    }

    pub(super) fn decl(&self, id: DeclId) -> Vec<Job> {
        let tree = self.tree;
        match tree.get(id) {
            Decl::Missing => vec![Job::Word("?".into())],
            Decl::Signature { names, declared } => {
                let mut jobs = vec![Job::Open("::".into())];
                jobs.extend(self.names(*names));
                jobs.extend([Job::Type(*declared), Job::Close]);
                jobs
            }
            Decl::Fixity { associativity, precedence, operators } => {
                let fixity = Fixity { associativity: *associativity, precedence: *precedence };
                let mut jobs = vec![Job::Open(fixity.to_string())];
                jobs.extend(self.names(*operators));
                jobs.push(Job::Close);
                jobs
            }
            Decl::Function { name, rules, default_for } => {
                let mut jobs = vec![Job::Open("fun".into()), self.word(name.symbol)];
                jobs.extend(
                    default_for
                        .map(|function| Job::Word(format!("default:{}", self.interner.text(function)))),
                );
                for rule in tree.list(*rules) {
                    jobs.extend(self.rule(*rule));
                }
                jobs.push(Job::Close);
                jobs
            }
            Decl::Pattern { pattern, rhs } => {
                let mut jobs = vec![Job::Open("pat".into()), Job::Pat(*pattern)];
                jobs.extend(self.rhs(*rhs));
                jobs.push(Job::Close);
                jobs
            }
            Decl::Free(names) => self.words("free", *names),
            Decl::External(names) => self.words("external", *names),
            Decl::Primitive { entity, name, declared } => vec![
                Job::Open("primitive".into()),
                self.literal(Literal::String(*entity)),
                self.word(name.symbol),
                Job::Type(*declared),
                Job::Close,
            ],
            Decl::Synonym { name, parameters, meaning } => {
                let mut jobs = vec![Job::Open("type".into()), self.word(name.symbol)];
                jobs.extend(self.type_vars(*parameters));
                jobs.extend([Job::Type(*meaning), Job::Close]);
                jobs
            }
            Decl::Data(data) => self.data(data),
            Decl::Class(class) => self.class(class),
            Decl::Instance(instance) => self.instance("instance".into(), instance),
            Decl::StandaloneDeriving(strategy, instance) => {
                self.instance(format!("deriving{}", strategy_word(*strategy)), instance)
            }
            Decl::Default(types) => group("default", tree.list(*types).iter().map(|&part| Job::Type(part))),
        }
    }

    fn words(&self, word: &str, names: List<Name>) -> Vec<Job> {
        group(word, self.tree.list(names).iter().map(|name| self.word(name.symbol)))
    }

    fn rule(&self, rule: Rule) -> Vec<Job> {
        let mut jobs = vec![Job::Open(String::new())];
        jobs.extend(self.patterns(rule.patterns));
        jobs.extend(self.rhs(rule.rhs));
        jobs.push(Job::Close);
        jobs
    }

    fn data(&self, data: &Data) -> Vec<Job> {
        let mut jobs = vec![Job::Open(if data.newtype { "newtype" } else { "data" }.into())];
        jobs.extend(data.external.then(|| Job::Word("external".into())));
        if !data.context.is_empty() {
            jobs.extend(self.types(data.context));
        }
        jobs.push(self.word(data.name.symbol));
        jobs.extend(self.type_vars(data.parameters));
        jobs.extend(data.kind.map(Job::Type));
        for constructor in self.tree.list(data.constructors) {
            jobs.extend(self.constructor(constructor));
        }
        if !data.derivings.is_empty() {
            jobs.push(Job::Open("deriving".into()));
            for deriving in self.tree.list(data.derivings) {
                let strategy = strategy_word(deriving.strategy);
                jobs.extend((!strategy.is_empty()).then(|| Job::Word(strategy.trim_start().into())));
                if let Strategy::Via(via) = deriving.strategy {
                    jobs.push(Job::Type(via));
                }
                jobs.push(Job::Type(deriving.class));
            }
            jobs.push(Job::Close);
        }
        jobs.push(Job::Close);
        jobs
    }

    fn constructor(&self, constructor: &Constructor) -> Vec<Job> {
        let mut jobs = vec![Job::Open(String::new()), self.word(constructor.name.symbol)];
        if !constructor.exists.is_empty() {
            jobs.push(Job::Word("forall".into()));
            jobs.extend(self.type_vars(constructor.exists));
        }
        if !constructor.context.is_empty() {
            jobs.extend(self.types(constructor.context));
        }
        if let Some(signature) = constructor.signature {
            jobs.extend([Job::Word("::".into()), Job::Type(signature)]);
        }
        if constructor.labels.is_empty() {
            jobs.extend(self.tree.list(constructor.fields).iter().map(|&field| Job::Type(field)));
        }
        for fields in self.tree.list(constructor.labels) {
            jobs.extend(self.names(fields.names));
            jobs.push(Job::Type(fields.declared));
        }
        jobs.push(Job::Close);
        jobs
    }

    fn class(&self, class: &Class) -> Vec<Job> {
        let mut jobs = vec![Job::Open("class".into())];
        if !class.context.is_empty() {
            jobs.extend(self.types(class.context));
        }
        jobs.push(self.word(class.name.symbol));
        jobs.extend(self.type_vars(class.parameters));
        for dependency in self.tree.list(class.dependencies) {
            jobs.push(Job::Open("->".into()));
            jobs.extend(self.names(dependency.from));
            jobs.extend(self.names(dependency.to));
            jobs.push(Job::Close);
        }
        jobs.extend(self.tree.list(class.decls).iter().map(|&decl| Job::Decl(decl)));
        jobs.push(Job::Close);
        jobs
    }

    fn instance(&self, word: String, instance: &Instance) -> Vec<Job> {
        let mut jobs = vec![Job::Open(word)];
        let overlap = instance.overlap;
        let words = [
            (overlap.overlapping, "overlapping"),
            (overlap.overlappable, "overlappable"),
            (overlap.incoherent, "incoherent"),
        ];
        jobs.extend(words.into_iter().filter(|(said, _)| *said).map(|(_, word)| Job::Word(word.into())));
        if !instance.context.is_empty() {
            jobs.extend(self.types(instance.context));
        }
        jobs.push(self.name(instance.class));
        jobs.extend(self.tree.list(instance.types).iter().map(|&part| Job::Type(part)));
        jobs.extend(self.tree.list(instance.decls).iter().map(|&decl| Job::Decl(decl)));
        jobs.push(Job::Close);
        jobs
    }

    fn members(&self, members: Members) -> Vec<Job> {
        match members {
            Members::None => Vec::new(),
            Members::All => vec![Job::Word("..".into())],
            Members::Some(names) => self.names(names),
        }
    }

    pub(super) fn export(&self, export: Export) -> Vec<Job> {
        match export {
            Export::Value(name) => vec![self.name(name)],
            Export::Type(name, members) => {
                let mut jobs = vec![Job::Open("type".into()), self.name(name)];
                jobs.extend(self.members(members));
                jobs.push(Job::Close);
                jobs
            }
            Export::Module(name) => group("module", [self.word(name.symbol)]),
        }
    }

    pub(super) fn import(&self, import: &Import) -> Vec<Job> {
        let word = if import.qualified { "import qualified" } else { "import" };
        let mut jobs = vec![Job::Open(word.into()), self.word(import.module.symbol)];
        if let Some(alias) = import.alias {
            jobs.extend([Job::Word("as".into()), self.word(alias.symbol)]);
        }
        jobs.extend(import.hiding.then(|| Job::Word("hiding".into())));
        if let Some(items) = import.items {
            jobs.push(Job::OpenList);
            for item in self.tree.list(items) {
                match *item {
                    ImportItem::Value(name) => jobs.push(self.word(name.symbol)),
                    ImportItem::Type(name, members) => {
                        jobs.extend([Job::Open("type".into()), self.word(name.symbol)]);
                        jobs.extend(self.members(members));
                        jobs.push(Job::Close);
                    }
                }
            }
            jobs.push(Job::CloseList);
        }
        jobs.push(Job::Close);
        jobs
    }
}

fn strategy_word(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Default => "",
        Strategy::Stock => " stock",
        Strategy::Newtype => " newtype",
        Strategy::AnyClass => " anyclass",
        Strategy::Via(_) => " via",
    }
}
