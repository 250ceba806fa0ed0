//! What a recorded run is made of: rows, shapes, references, and the tables of the program that was run.
//!
//! A run is a sequence of *rows*. A row has a [`Shape`], one [`NodeId`] (its parent, or the node it tells something of)
//! and as many references as its shape says. Rows whose shape makes a node ([`What::is_node`]) are numbered from 1 in
//! the order of their creation: these are the nodes of the augmented redex trail (ART; S1 §3, S2 §3). The other rows
//! tell what became of a node.
//!
//! How the ART of the papers is laid out here:
//!
//! - An application of a function with all its arguments is one node, not one for each argument ([`What::Call`]). Its
//!   parent is the redex whose right-hand side made it.
//! - The reduction edge of a redex is not written if a shape says it: a node whose shape has [`Shape::tail`] is what its parent
//!   was reduced to. If none does, a row [`What::Became`] says it.
//! - A function symbol that stands alone is a node of its own ([`What::Partial`] without references), so that finite maps
//!   are those of a function node and not of a function (S2 §4.1).
//! - A reference for a dictionary is the function that makes it, or a call of that function with the dictionaries that it
//!   needs, which never becomes anything and has no parent; it is unknown where the dictionary is known only to the run.
//! - What trusted code makes is recorded only where recorded code can see it; its parent is the recorded redex on whose
//!   behalf the trusted code ran, and its position that of the trusted call in that redex. If the trusted code is a
//!   function value that has a node, its parent is the application of that ([`What::Apply`]), which is no redex itself:
//!   what such an application calls back is a child of the redex that made the application in the EDT, and of the one
//!   that made the function symbol in the FDT.

pub use super::types::{FieldTypes, Signature, Type};

/// A node of the ART, numbered from 1 in the order of creation; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u64);

impl NodeId {
    /// No node: the parent of what the world outside asks for.
    pub const NONE: NodeId = NodeId(0);
}

/// A shape, numbered from 0 in the order of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId(pub u32);

/// An expression of the program: where in the code something was made. 0 is none; others are found in
/// [`Tables::expressions`] if the code was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub u32);

impl Position {
    /// Nowhere in the recorded code.
    pub const NONE: Position = Position(0);
}

/// What all rows of a shape have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// What a row is.
    pub what: What,
    /// The expression that made it.
    pub position: Position,
    /// How many references a row has.
    pub count: u32,
    /// Of a node: its parent was reduced to it.
    pub tail: bool,
}

/// What a row is. Functions and constructors are indices into [`Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A function with all its arguments, which the references are: a redex once something became of it.
    Call(u32),
    /// An unknown function, the first reference, with arguments, the others. A redex if the function turns out to be a
    /// recorded one and these are all its arguments; itself a value (a partial application) if they are fewer.
    Apply,
    /// Something of recorded code that is evaluated when it is needed and is no redex (a `case`, a trusted call), or
    /// something that trusted code made and did not evaluate yet. No references: only what it became matters.
    Suspended,
    /// A constructor with its fields.
    Construct(u32),
    /// A function with fewer arguments than it has parameters, perhaps none.
    Partial(u32),
    /// A constant of the program (CAF): one node, shared by all who use it. The parent is the redex that used it first.
    Constant(u32),
    /// An integer that is not a small one: the references are its digits to the base 2⁶⁰, least first, as [`Ref::Int`], the
    /// first reference is `Int(-1)` or `Int(1)`, its sign.
    Integer,
    /// A floating-point number whose bits are two [`Ref::Int`]s of 32 bits, low first.
    Double,
    /// An immutable array's elements.
    Array,
    /// An action: a row [`What::Performed`] says what it did and gave.
    Action,
    /// Something of which nothing is shown but its kind, as in `<IORef>`; an index into [`Tables::names`].
    Opaque(u32),

    /// A node (the row's) became the reference: a value, or another node that goes on. The position is that of the
    /// variable or primitive operation that gave it.
    Became,
    /// The evaluation of a node ended in an exception, the reference; the position is where it waited or raised.
    Raised,
    /// The run ended while a node was being evaluated; the position is where it waited.
    Unfinished,
    /// An action, the row's node, was performed: the first reference is what it gave.
    Performed,
    /// An action, the row's node, ended in performing another, the reference.
    Continued,
    /// Something was written to standard output on behalf of the row's node: how many bytes were written before, how
    /// many now, and the bytes themselves, seven in each reference, the lowest first; all as [`Ref::Int`]s.
    Wrote,
    /// What the row's node says of the references is not in the trail: something was left out there (a limit).
    Omitted,
    /// While the row's node ran, something was changed: the first reference says what (an [`Ref::Int`]: the number of an
    /// argument from 0, or −1 less an index into [`Tables::names`] for a variable), the second what it was, the third what
    /// it was afterwards.
    Changed,
}

impl What {
    /// Whether rows of this kind are nodes.
    pub fn is_node(self) -> bool {
        !matches!(
            self,
            What::Became
                | What::Raised
                | What::Unfinished
                | What::Performed
                | What::Continued
                | What::Wrote
                | What::Omitted
                | What::Changed
        )
    }
}

/// A reference of a row: a node, or a value by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ref {
    /// A node.
    Node(NodeId),
    /// A small integer: 61 bits.
    Int(i64),
    /// A character, by its code point.
    Char(u32),
    /// A constructor without fields.
    Constructor(u32),
    /// A function that no node was made for (a method of a dictionary).
    Function(u32),
    /// A floating-point number with a small exponent; others are nodes.
    Double(f64),
    /// The rest of a string literal, from a character on: an index into [`Tables::strings`].
    Text {
        /// The literal.
        string: u32,
        /// How many characters of it come before.
        from: u32,
    },
    /// Not recorded.
    Unknown,
}

const TAG_BITS: u32 = 3;
/// The bits of 2^-127.
const LEAST: u64 = 0x7 << 59;

/// A [`Ref`] in one word: the lowest three bits say what it is, the others are the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RawRef(pub u64);

impl RawRef {
    /// [`Ref::Unknown`].
    pub const UNKNOWN: RawRef = RawRef(7);

    /// A node.
    #[inline]
    pub fn node(node: NodeId) -> RawRef {
        RawRef(node.0 << TAG_BITS)
    }

    /// A small integer; its highest three bits are lost.
    #[inline]
    pub fn int(value: i64) -> RawRef {
        RawRef((value << TAG_BITS) as u64 | 1)
    }

    /// The word of a reference.
    pub fn of(reference: Ref) -> RawRef {
        RawRef(match reference {
            Ref::Node(node) => node.0 << TAG_BITS,
            Ref::Int(value) => (value << TAG_BITS) as u64 | 1,
            Ref::Char(code) => u64::from(code) << TAG_BITS | 2,
            Ref::Constructor(constructor) => u64::from(constructor) << TAG_BITS | 3,
            Ref::Function(function) => u64::from(function) << TAG_BITS | 4,
            Ref::Double(value) => {
                let bits = value.to_bits();
                let magnitude = bits & !(1 << 63);
                let rest = if magnitude == 0 { 0 } else { magnitude.wrapping_sub(LEAST) };
                (rest << 1 | bits >> 63) << TAG_BITS | 5
            }
            Ref::Text { string, from } => {
                (u64::from(string & ((1 << 29) - 1)) << 32 | u64::from(from)) << TAG_BITS | 6
            }
            Ref::Unknown => 7,
        })
    }

    /// What the word says.
    pub fn see(self) -> Ref {
        let body = self.0 >> TAG_BITS;
        match self.0 & 7 {
            0 => Ref::Node(NodeId(body)),
            1 => Ref::Int(self.0 as i64 >> TAG_BITS),
            2 => Ref::Char(body as u32),
            3 => Ref::Constructor(body as u32),
            4 => Ref::Function(body as u32),
            5 => {
                let rest = body >> 1;
                let magnitude = if rest == 0 { 0 } else { rest.wrapping_add(LEAST) };
                Ref::Double(f64::from_bits(magnitude & !(1 << 63) | (body & 1) << 63))
            }
            6 => Ref::Text { string: (body >> 32) as u32, from: body as u32 },
            _ => Ref::Unknown,
        }
    }
}

/// What is known of the program that was run. Everything that a view, a session or a slice needs is here, so that a trail
/// can be read where the program is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// The language, for people: `haskell`, `curry` or `python`. How the run is shown follows from what comes below.
    pub language: String,
    /// What was run, as it was typed, for people.
    pub command: String,
    /// When arguments are evaluated, and so what a row says of a value.
    pub evaluation: Evaluation,
    /// How applications are written.
    pub style: Style,
    /// The files of the recorded code, and others that may be shown.
    pub files: Vec<File>,
    /// The modules.
    pub modules: Vec<Module>,
    /// All functions, by the number the kernel gave them.
    pub functions: Vec<Function>,
    /// All constructors, by the number the kernel gave them.
    pub constructors: Vec<Constructor>,
    /// The expressions of the recorded functions, ordered by position.
    pub expressions: Vec<Expression>,
    /// String literals, by code points: surrogates may be among them.
    pub strings: Vec<Vec<u32>>,
    /// Names of variables, and kinds of opaque values.
    pub names: Vec<String>,
    /// Types, as far as the way values are written depends on them; those inside others come first.
    pub types: Vec<Type>,
    /// The types of recorded functions and of the functions that make dictionaries, ordered by function.
    pub signatures: Vec<Signature>,
    /// The types of the constructors' fields, without their dictionaries, ordered by constructor.
    pub fields: Vec<FieldTypes>,
}

/// When arguments are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evaluation {
    /// When they are needed: values are parts of one graph, and a row may become one later.
    #[default]
    Lazy,
    /// Before the call: values are what they were at one moment, every call is made to be evaluated, and rows
    /// [`What::Changed`] say what it changed.
    Strict,
}

/// How applications are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// `f (Just 3) [1,2]`.
    #[default]
    Juxtaposed,
    /// `f(Just(3), [1, 2])`.
    Called,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path, as it was typed or found.
    pub path: String,
    /// Its text when it was run.
    pub text: String,
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Whether it belongs to the library.
    pub library: bool,
    /// Its file, an index into [`Tables::files`].
    pub file: Option<u32>,
}

/// A piece of a file: bytes from a place to before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// An index into [`Tables::files`].
    pub file: u32,
    /// Where it begins, in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// What the user calls it. An expression that is debugged has its text here.
    pub name: String,
    /// An index into [`Tables::modules`].
    pub module: u32,
    /// The function it is local to, an index into [`Tables::functions`].
    pub parent: Option<u32>,
    /// Its whole definition, if its file is in [`Tables::files`].
    pub piece: Option<Piece>,
    /// Its parameters: name (an index into [`Tables::names`]) and role.
    pub parameters: Vec<(Option<u32>, Role)>,
    /// What it comes from.
    pub origin: Origin,
    /// Its equations, in order.
    pub rules: Vec<Rule>,
    /// Whether its redexes are nodes of the tree: not trusted, and not made up by desugaring.
    pub recorded: bool,
    /// How it is written between two arguments, if its name is an operator or was declared `infix`: precedence and
    /// associativity (0 none, 1 left, 2 right).
    pub infix: Option<(u8, u8)>,
    /// The recorded constants (CAFs) that its text uses, also in what is made up by desugaring inside it.
    pub constants: Vec<u32>,
}

/// What a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Never shown.
    Dictionary,
    /// A variable of an enclosing function.
    Captured,
    /// What the user wrote.
    Ordinary,
}

/// What a function comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A definition at the top of a module.
    TopLevel,
    /// A definition in `let` or `where`.
    Local,
    /// A lambda expression.
    Lambda,
    /// An operator section.
    Section,
    /// A method of an instance: class and type, as written.
    Method(String, String),
    /// A class's default of a method: the class.
    Default(String),
    /// A method of a derived instance: class and type.
    Derived(String, String),
    /// Used as a function: a field, a primitive.
    Other,
    /// Made by desugaring: never shown.
    Hidden,
    /// A loop inside of the function that is its parent. Here and below, parameters are variables, rules are the pieces that are
    /// not statements inside, the one before those first, and what became of a node is how the code was left.
    Loop,
    /// A round of a loop.
    Round,
    /// A statement.
    Statement,
    /// What stands before a function's first statement; it has no nodes.
    Header,
    /// A constructor that is used as a function.
    Constructor,
    /// The code of a module outside of its functions.
    Module,
}

impl Origin {
    /// Whether it is code inside of a function.
    pub fn is_inside(&self) -> bool {
        matches!(self, Origin::Loop | Origin::Round | Origin::Statement | Origin::Header)
    }
}

/// An equation of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The whole equation.
    pub piece: Piece,
    /// Its guarded alternatives.
    pub alternatives: Vec<Piece>,
}

/// A constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// Its name. Lists, tuples and unit have the names `:`, `[]`, `(,)`, `()`.
    pub name: String,
    /// Its type with the module that defines it, as in `Data.Map.Internal.Map`; empty if that is not known.
    pub of: String,
    /// How many fields it has, dictionaries counted.
    pub arity: u32,
    /// How many of them, the first ones, are never shown.
    pub dictionaries: u32,
    /// The names of the other fields, if it is a record.
    pub fields: Vec<String>,
    /// As for a function.
    pub infix: Option<(u8, u8)>,
    /// How its values are written.
    pub form: Form,
}

/// How the values of a constructor are written. Fields are counted from 0, without the dictionaries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// As the constructor with its fields, or as a record if these have names.
    #[default]
    Plain,
    /// Not at all: desugaring made it up.
    Hidden,
    /// As a list: the fields are its first element and its rest.
    Cons,
    /// As an empty list.
    Nil,
    /// As a tuple of the fields.
    Tuple,
    /// As a fraction, `1 % 2`.
    Ratio,
    /// As an array; the fields are its bounds, its size and its elements, a [`What::Array`].
    Array,
    /// As the elements of a tree, `fromList [1,2]`.
    Tree(Branches),
    /// As a tree without elements.
    EmptyTree,
    /// As its last field: an exception of any kind.
    Wrapper,
    /// Plain; but reported as an exception, it is its last field.
    Carrier,
    /// Plain; but reported as an exception, or as the kind of one, it is this text.
    Message(String),
    /// Plain; but reported as an exception, it is this text and its only field, a string.
    MessageBefore(String),
    /// Plain; but reported as an exception, it is an error of the system. The fields are a handle, the kind, the operation, why, and
    /// the file (its field is the name).
    SystemError,
    /// The constant that stands for no value: `None`.
    Nothing,
    /// In place of the value of a variable that has none.
    Missing,
    /// In place of what was left out; the reference is how many values, if that is known.
    Omitted,
    /// As a string. The references are its length in characters, how many bytes of UTF-8 are here, and these, as in
    /// [`crate::text`].
    Text,
    /// As bytes, with the same references.
    Bytes,
    /// As a list of the references.
    List,
    /// As a set of the references, under the constructor's name. Their order says nothing.
    Set,
    /// As a map: the references are a key, its value, the next key, and so on.
    Map,
    /// As a function, by its name: the reference is a [`Form::Text`].
    Function,
    /// As the text that the reference, a [`Form::Text`], is: the program's own way to write the value.
    Written,
    /// As the kind of value that the reference, a [`Form::Text`], is: `<socket>`.
    Opaque,
    /// As an object: its attributes are the fields.
    Object,
    /// As an object; an exception with which a person interrupts a run.
    Interruption,
}

/// Where in a node of a tree its element and its subtrees are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Branches {
    /// The element's fields, from one to before another: one field, or a key and its value.
    pub element: (u32, u32),
    /// The subtree before the element.
    pub left: u32,
    /// The subtree behind it.
    pub right: u32,
}

/// An expression of a recorded function: enough to say where it stands and what it does (S4 §5.3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Its number.
    pub position: Position,
    /// Its function.
    pub function: u32,
    /// The expression it is a part of; none for a function's body.
    pub within: Option<Position>,
    /// Which part of that it is: the numbers that S4's position has for it.
    pub place: Vec<u32>,
    /// Where it stands in the source.
    pub piece: Option<Piece>,
    /// What it is.
    pub kind: ExpressionKind,
    /// The equation and guarded alternative it belongs to, from 1; 0 if none.
    pub rule: (u32, u32),
    /// Its number among the calls of its function in the order of the source, outermost first: how children of a redex
    /// are ordered. `a (b c)`: `a` comes before `b`.
    pub rank: u32,
}

/// What an expression is. Variables are numbers within a function: its parameters come first, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A variable.
    Variable(u32),
    /// A literal, a constructor without fields, a function.
    Constant,
    /// A function with all its arguments; these are listed.
    Call(u32, Vec<Operand>),
    /// An unknown function with arguments.
    Apply(Operand, Vec<Operand>),
    /// A function with fewer arguments than parameters.
    Partial(u32, Vec<Operand>),
    /// A constructor with its fields.
    Construct(u32, Vec<Operand>),
    /// A primitive operation.
    Primitive(String, Vec<Operand>),
    /// Variables and what they are bound to (these are parts), then a body.
    Let(Vec<u32>),
    /// What is examined is the first part; the name of its value; then the alternatives.
    Case(u32, Vec<Alternative>),
    /// Anything else that only has parts.
    Other,
}

/// What a value must be for an alternative of a case to be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// A constructor; the variables that its fields are bound to.
    Constructor(u32, Vec<u32>),
    /// A number in decimal digits, or a character's code point.
    Literal(String),
    /// None of the others.
    Otherwise,
}

/// An argument in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A variable.
    Variable(u32),
    /// A function as a value.
    Function(u32),
    /// A constructor without fields.
    Constructor(u32),
    /// A literal.
    Literal,
}

/// How a recorded run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With this exit status.
    Exit(i32),
    /// With an exception that nothing caught: what was said of it, and the status.
    Uncaught(String, i32),
    /// It was stopped from outside.
    Interrupted,
    /// It was cut off by a limit of time, steps, heap or stack: which.
    Limit(String),
    /// The trail became too large: what the program did from then on is not recorded.
    Unrecorded,
}
