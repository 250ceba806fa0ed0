//! Where dictionaries go: every binding's parameters, every use's arguments.

use gadfly_syntax::names::Interner;
use gadfly_syntax::tree::{Decl, DeclId, ExprId, Node};

use super::{compare, run};
use crate::Program;
use crate::interface::{
    Derived, DictId, DictVars, Dictionary, Entity, MethodBody, Module, Note, Notes, PatNote, Shape,
};

/// The notes of the last module as lines.
fn passing(text: &str) -> String {
    let (_, interner, program) = run(&[("Main.hs", text)]);
    let (id, module) = program.modules.iter().last().expect("a module");
    let shown = Shown { program: &program, interner: &interner, module };
    let mut lines: Vec<(u32, String)> = Vec::new();
    let tree = &module.syntax.tree;
    for row in 0..tree.count::<DeclId>() {
        let decl = DeclId::from_index(row);
        if let (Decl::Function { name, .. }, Some(binding)) = (tree.get(decl), module.notes.binding(decl))
            && !binding.dictionaries.is_empty()
        {
            let parameters = shown.parameters(binding.dictionaries);
            lines
                .push((tree.place(decl).start, format!("{} takes {parameters}", interner.text(name.symbol))));
        }
    }
    for row in 0..tree.count::<ExprId>() {
        let expr = ExprId::from_index(row);
        let start = place(tree, expr);
        let abstraction = module.notes.abstraction(expr);
        if !abstraction.is_empty() {
            lines.push((start, format!("an argument takes {}", shown.parameters(abstraction))));
        }
        if let Some(line) = shown.note(module.notes.expr(expr)) {
            lines.push((start, line));
        }
    }
    for note in &module.notes.pats {
        if let PatNote::Literal { equality, number } = note {
            let equality = equality.map_or("none".to_owned(), |equality| shown.dictionary(equality));
            lines.push((u32::MAX, format!("pattern: {equality}, {}", shown.dictionary(number.dictionary))));
        }
    }
    lines.sort_by_key(|(start, _)| *start);
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    for (_, instance) in program.instances.iter().filter(|(_, instance)| instance.module == id) {
        lines.push(shown.instance(instance));
    }
    lines.join("\n")
}

fn place<N: Node>(tree: &gadfly_syntax::tree::Tree, node: N) -> u32 {
    tree.place(node).start
}

struct Shown<'a> {
    program: &'a Program,
    interner: &'a Interner,
    module: &'a Module,
}

impl Shown<'_> {
    fn notes(&self) -> &Notes {
        &self.module.notes
    }

    fn parameters(&self, variables: DictVars) -> String {
        let shown: Vec<String> = variables
            .iter()
            .map(|variable| {
                let constraint = self.notes().dictionary_variables[variable].constraint;
                let class = self.interner.text(self.program.classes[constraint.class].name);
                let arguments: Vec<String> = self
                    .program
                    .types
                    .list(constraint.arguments)
                    .iter()
                    .map(|&ty| self.program.show_type(ty, self.interner))
                    .collect();
                format!("d{}: {class} {}", variable.index(), arguments.join(" "))
            })
            .collect();
        shown.join(", ")
    }

    fn dictionary(&self, dictionary: DictId) -> String {
        match self.notes().dictionaries[dictionary] {
            Dictionary::Missing => "?".to_owned(),
            Dictionary::Variable(variable) => format!("d{}", variable.index()),
            Dictionary::Superclass(of, number) => format!("{}.{number}", self.dictionary(of)),
            Dictionary::Same(other) => self.dictionary(other),
            Dictionary::Instance(instance, arguments) => {
                let info = &self.program.instances[instance];
                let class = self.interner.text(self.program.classes[info.class].name);
                let heads: Vec<String> = self
                    .program
                    .types
                    .list(info.arguments)
                    .iter()
                    .map(|&ty| match self.program.types.head(ty).0 {
                        crate::types::Ty::Con(constructor) => {
                            self.interner.text(self.program.type_constructors[constructor].name).to_owned()
                        }
                        _ => self.program.show_type(ty, self.interner),
                    })
                    .collect();
                let arguments: Vec<String> =
                    self.notes().dicts(arguments).iter().map(|&argument| self.dictionary(argument)).collect();
                let name = format!("{class}/{}", heads.join("/"));
                if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(", ")) }
            }
        }
    }

    fn note(&self, note: Note) -> Option<String> {
        match note {
            Note::Use(used) if !used.dictionaries.is_empty() => {
                let name = match used.entity {
                    Entity::Local(local) => self.notes().locals[local].name,
                    Entity::Value(value) => self.program.values[value].name,
                    Entity::Constructor(constructor) => self.program.constructors[constructor].name,
                    Entity::Unknown => return None,
                };
                let dictionaries: Vec<String> =
                    self.notes().dicts(used.dictionaries).iter().map(|&dict| self.dictionary(dict)).collect();
                Some(format!("  {} {}", self.interner.text(name), dictionaries.join(" ")))
            }
            Note::Overloaded(overloading) => {
                let at = overloading
                    .constructor
                    .map(|constructor| self.interner.text(self.program.type_constructors[constructor].name));
                let dictionary = self.dictionary(overloading.dictionary);
                Some(format!("  literal {dictionary}{}", at.map_or(String::new(), |at| format!(" at {at}"))))
            }
            Note::Do { monad: Some(monad), fail } => {
                let fail = fail.map_or(String::new(), |fail| format!(", fail {}", self.dictionary(fail)));
                Some(format!("  do {}{fail}", self.dictionary(monad)))
            }
            Note::Typed { parameters, arguments } if !parameters.is_empty() => {
                let arguments: Vec<String> =
                    self.notes().dicts(arguments).iter().map(|&argument| self.dictionary(argument)).collect();
                Some(format!("  typed takes {}, gets {}", self.parameters(parameters), arguments.join(" ")))
            }
            _ => None,
        }
    }

    fn instance(&self, instance: &crate::interface::Instance) -> String {
        let class = self.interner.text(self.program.classes[instance.class].name);
        let types: Vec<String> = self
            .program
            .types
            .list(instance.arguments)
            .iter()
            .map(|&ty| self.program.show_type(ty, self.interner))
            .collect();
        let superclasses: Vec<String> =
            instance.superclasses.iter().map(|&dictionary| self.dictionary(dictionary)).collect();
        let methods: String = instance
            .methods
            .iter()
            .map(|method| match method {
                MethodBody::Defined(_) => 'm',
                MethodBody::Default => 'd',
                MethodBody::Missing => '-',
            })
            .collect();
        let list = |dicts: &Vec<DictId>| {
            let shown: Vec<String> = dicts.iter().map(|&dict| self.dictionary(dict)).collect();
            format!("[{}]", shown.join(", "))
        };
        let derived = match &instance.derived {
            None => String::new(),
            Some(Derived::Stock { fields, .. }) => {
                format!(" derived {}", fields.iter().map(list).collect::<Vec<_>>().join(" "))
            }
            Some(Derived::Newtype { inside, .. }) => format!(" like {}", self.dictionary(*inside)),
            Some(Derived::Defaults { .. }) => " by defaults".to_owned(),
            Some(Derived::Mapping { fields, .. }) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|fields| fields.iter().map(|field| self.shape(field)).collect::<Vec<_>>().join(", "))
                    .collect();
                format!(" maps [{}]", fields.join("] ["))
            }
        };
        format!(
            "instance {class} {} takes {{{}}} super {{{}}} {methods}{derived}",
            types.join(" "),
            self.parameters(instance.dictionaries),
            superclasses.join(", "),
        )
    }

    fn shape(&self, shape: &Shape) -> String {
        match shape {
            Shape::Constant => "-".to_owned(),
            Shape::Parameter => "a".to_owned(),
            Shape::Function(from, to) => format!("{} -> {}", self.shape(from), self.shape(to)),
            Shape::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.shape(part)).collect();
                format!("({})", parts.join(", "))
            }
            Shape::Inside(dictionary, inside) => {
                format!("{} of {}", self.dictionary(*dictionary), self.shape(inside))
            }
        }
    }
}

#[track_caller]
fn check_passing(text: &str, expected: &str) {
    compare(&passing(text), text, expected);
}

#[test]
fn parameters_and_superclasses() {
    check_passing(
        r#"
f x y = if x == y then [x] else if x < y then [y] else f y x
g = f [1 :: Int] [2]
"#,
        r#"
f takes d0: Ord a
  == d0.0
  < d0
  f d0
  f Ord/[](Ord/Int)
  literal Num/Int at Int
  literal Num/Int at Int
"#,
    );
}

#[test]
fn recursion_passes_its_own_dictionaries() {
    check_passing(
        r#"
ev n = if n == 0 then True else od (n - 1)
od n = if n == 0 then False else ev (n - 1)
"#,
        r#"
ev takes d0: Eq a, d1: Num a
  == d0
  literal d1
  od d0 d1
  - d1
  literal d1
od takes d0: Eq a, d1: Num a
  == d0
  literal d1
  ev d0 d1
  - d1
  literal d1
"#,
    );
}

#[test]
fn polymorphic_recursion_builds_dictionaries() {
    check_passing(
        r#"
data Nest a = Nil | Cons a (Nest (a, a))
total :: Show a => Nest a -> String
total Nil = ""
total (Cons a rest) = show a ++ total rest
"#,
        r#"
total takes d0: Show a
  show d0
  total Show/(,)(d0, d0)
"#,
    );
}

#[test]
fn literals_at_known_types() {
    check_passing(
        r#"
a = 1 + (2 :: Int)
b x = x * 2.5
c 0 = [1 .. 3 :: Double]
"#,
        r#"
literal Num/Int at Int
  + Num/Int
  literal Num/Int at Int
b takes d0: Fractional a
  * d0.0
  literal d0
c takes d1: Eq a, d2: Num a
  literal Enum/Double at Double
  literal Num/Double at Double
  literal Num/Double at Double
pattern: d1, d2
"#,
    );
}

#[test]
fn local_bindings_use_outer_dictionaries() {
    check_passing(
        r#"
f :: (Show a, Ord a) => a -> [a] -> String
f x ys = g ys ++ h 1 where
  g [] = show x
  g (y : zs) = if x < y then show (y, x) else g zs
  h n = show x ++ show n
"#,
        r#"
f takes d0: Show a, d1: Ord a
  h Show/Integer
  literal Num/Integer at Integer
  show d0
  < d1
  show Show/(,)(d0, d0)
h takes d2: Show a
  show d0
  show d2
"#,
    );
}

#[test]
fn instances_and_methods() {
    check_passing(
        r#"
class Eq a => Box a where
  name :: Show b => b -> a -> String
  name b a = if a == a then show b else ""
  size :: a -> Int
data B a = B a
instance Eq a => Eq (B a) where B a == B b = a == b
instance (Box a, Show a) => Box (B a) where
  size (B a) = size a
  name b (B a) = show a ++ name b a
"#,
        r#"
name takes d0: Box a, d1: Show b
  == d0.0
  show d1
  == d2
  size d3
name takes d5: Show b
  show d4
  name d3 d5
instance Eq B a takes {d2: Eq a} super {} md
instance Box B a takes {d3: Box a, d4: Show a} super {Eq/B(d3.0)} mm
"#,
    );
}

#[test]
fn derived_instances() {
    check_passing(
        r#"
data T a = L | N { left :: T a, item :: (a, Int) } deriving (Eq, Ord)
newtype W f a = W (f [a]) deriving Functor
data F a = F (Int -> a) (a, Bool) Int deriving Functor
newtype Age = Age Int deriving (Eq, Num)
"#,
        r#"
instance Eq T a takes {d0: Eq a} super {}  derived [] [Eq/T(d0), Eq/(,)(d0, Eq/Int)]
instance Ord T a takes {d1: Ord a} super {Eq/T(d1.0)}  derived [] [Ord/T(d1), Ord/(,)(d1, Ord/Int)]
instance Functor W f takes {d2: Functor f} super {}  maps [d2 of Functor/[] of a]
instance Functor F takes {} super {}  maps [- -> a, (a, -), -]
instance Eq Age takes {} super {}  derived [Eq/Int]
instance Num Age takes {} super {}  like Num/Int
"#,
    );
}

#[test]
fn existential_and_higher_rank_dictionaries() {
    check_passing(
        r#"
{-# LANGUAGE RankNTypes, ExistentialQuantification #-}
data S = forall a. Show a => S a
f (S x) = show [x]
g = [S 'c', S (1 :: Int)]
h :: (forall a. Show a => a -> String) -> String
h k = k 'c' ++ k "s"
i = h (\x -> show [x])
j = h show
"#,
        r#"
show Show/[](d0)
  S Show/Char
  S Show/Int
  literal Num/Int at Int
  k Show/Char
  k Show/[](Show/Char)
an argument takes d1: Show a
  show Show/[](d1)
an argument takes d2: Show a
  show d2
"#,
    );
}

#[test]
fn blocks_and_annotations() {
    check_passing(
        r#"
a m = do { Just x <- m; return x }
b = do { x <- [1 :: Int]; (y : _) <- [[x]]; return y }
c = ((\x -> x + 1) :: Num n => n -> n) (2 :: Int)
"#,
        r#"
a takes d0: MonadFail a
  do d0.0, fail d0
  return d0.0
  do Monad/[], fail MonadFail/[]
  literal Num/Int at Int
  return Monad/[]
  typed takes d1: Num n, gets Num/Int
  + d1
  literal d1
  literal Num/Int at Int
"#,
    );
}

#[test]
fn restricted_bindings_are_solved_at_the_end() {
    check_passing(
        r#"
plus = (+)
x = plus 1 (2 :: Int)
"#,
        r#"
+ Num/Int
  literal Num/Int at Int
  literal Num/Int at Int
"#,
    );
}

#[test]
fn a_recursive_dictionary() {
    check_passing(
        r#"
{-# LANGUAGE StandaloneDeriving, FlexibleContexts, UndecidableInstances #-}
newtype Fix f = In (f (Fix f))
deriving instance Eq (f (Fix f)) => Eq (Fix f)
"#,
        r#"
instance Eq Fix f takes {d0: Eq f (Fix f)} super {}  derived [d0]
"#,
    );
}
