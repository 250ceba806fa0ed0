//! Defaulting (Haskell 2010 §4.3.4): chooses types that are still open at the end of a module.

use gadfly_syntax::tree::Decl;

use crate::checker::Checker;
use crate::interface::ClassId;
use crate::known::{KnownClass, KnownType};
use crate::types::{MetaId, Ty, TyId};

impl Checker<'_> {
    /// The `default` declaration of the module.
    pub(crate) fn declare_defaults(&mut self) {
        for &decl in self.tree.list(self.syntax.decls) {
            if let Decl::Default(types) = *self.tree.get(decl) {
                let types = self.tree.list(types).iter().map(|&written| self.convert_type(written)).collect();
                self.default_types = Some(types);
            }
        }
    }

    /// Decides open types by default, then reports what is still open.
    pub(crate) fn default_open_types(&mut self) {
        self.solve(0);
        loop {
            let mut decided = false;
            for (meta, classes) in self.open_metas() {
                decided |= self.default_meta(meta, &classes);
            }
            if !decided {
                break;
            }
            self.solve(0);
        }
        self.report_unsolved();
    }

    /// Metas that class constraints mention, in the order of those constraints.
    fn open_metas(&mut self) -> Vec<(MetaId, Vec<ClassId>)> {
        let types = &self.world.program.types;
        let mut found: Vec<(MetaId, Vec<ClassId>)> = Vec::new();
        let mut places = rustc_hash::FxHashMap::default();
        for wanted in &self.wanted {
            if let &[argument] = types.list(wanted.constraint.arguments)
                && let Ty::Meta(meta) = types.view(argument)
            {
                let place = *places.entry(meta).or_insert(found.len());
                if place == found.len() {
                    found.push((meta, Vec::new()));
                }
                found[place].1.push(wanted.constraint.class);
            }
        }
        found
    }

    fn default_meta(&mut self, meta: MetaId, classes: &[ClassId]) -> bool {
        let text = self.world.program.known.class(KnownClass::IsString);
        if text.is_some_and(|text| classes.contains(&text)) {
            return self.default_to_string(meta, classes);
        }
        let candidates = match classes.iter().any(|&class| self.is_numeric(class)) {
            true => self.number_types(),
            // In Curry, a free variable of any type will do.
            false if self.options.curry && classes.iter().all(|&class| self.is_plain(class)) => {
                vec![self.types().con(crate::builtin::UNIT)]
            }
            false => return false,
        };
        for candidate in candidates {
            let Ty::Con(constructor) = self.types().view(candidate) else { continue };
            if classes.iter().all(|&class| self.world.facts.by_head.contains_key(&(class, constructor))) {
                self.types().link(meta, candidate);
                return true;
            }
        }
        false
    }

    /// An overloaded string literal whose type nothing determines is a `String`.
    fn default_to_string(&mut self, meta: MetaId, classes: &[ClassId]) -> bool {
        let Some(char) = self.world.program.known.type_constructor(KnownType::Char) else { return false };
        let fits = classes
            .iter()
            .all(|&class| self.world.facts.by_head.contains_key(&(class, crate::builtin::LIST)));
        if fits {
            let char = self.types().con(char);
            let string = self.list_of(char);
            self.types().link(meta, string);
        }
        fits
    }

    fn number_types(&mut self) -> Vec<TyId> {
        if let Some(types) = &self.default_types {
            return types.clone();
        }
        let known = match self.options.curry {
            true => [KnownType::Int, KnownType::Float],
            false => [KnownType::Integer, KnownType::Double],
        };
        let found: Vec<_> =
            known.into_iter().filter_map(|known| self.world.program.known.type_constructor(known)).collect();
        found.into_iter().map(|constructor| self.types().con(constructor)).collect()
    }

    /// Whether a class is `Num` or has it among its superclasses.
    fn is_numeric(&self, class: ClassId) -> bool {
        let Some(number) = self.world.program.known.class(KnownClass::Num) else { return false };
        let mut stack = vec![class];
        let mut seen = Vec::new();
        while let Some(class) = stack.pop() {
            if class == number {
                return true;
            }
            if !seen.contains(&class) {
                seen.push(class);
                let superclasses = &self.world.program.classes[class].superclasses;
                stack.extend(superclasses.iter().map(|superclass| superclass.class));
            }
        }
        false
    }

    fn is_plain(&self, class: ClassId) -> bool {
        let known = &self.world.program.known;
        [KnownClass::Data, KnownClass::Eq, KnownClass::Ord, KnownClass::Show]
            .into_iter()
            .any(|plain| known.class(plain) == Some(class))
            && known.class(KnownClass::Data).is_some()
    }
}
