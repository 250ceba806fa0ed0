//! How things are written: for every term, and for every part of an equation, what stands before, between and after
//! its children. Measuring and writing both read it here, so they cannot disagree.

use super::Style;
use super::change::{Changes, Side, Tale};
use super::text::{Escape, Text, columns, is_symbolic};
use crate::{Equation, Outcome, Path, Root, Shape, TermId, Terms};

/// Something that has a form: a term, or a part of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Term(TermId),
    /// The whole equation.
    Equation,
    /// The function with its arguments.
    Call,
    /// An argument with its name.
    Argument(usize),
    /// `⊥ (…)`.
    Bottom(TermId),
    /// What an exception says, without quotes.
    Message(TermId),
    /// What happened to the variables.
    Changes,
    /// What happened to one of them.
    Change(usize),
    Word(&'static str),
}

/// Where a child stands, which decides whether it needs parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Between brackets or commas.
    Free,
    /// Beside an operator.
    Operand,
    /// After a function and a blank.
    Argument,
}

/// The form of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    Leaf(Text<'a>),
    Branch(Branch<'a>),
}

/// A node with children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch<'a> {
    pub(super) name: Text<'a>,
    pub(super) open: &'static str,
    pub(super) children: Children<'a>,
    pub(super) join: Join<'a>,
    pub(super) close: &'static str,
    /// Where the children stand.
    pub(super) place: Place,
    /// Whether the children are of one kind, so that some of them stand for all.
    pub(super) alike: bool,
}

/// The children of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Children<'a> {
    Terms(&'a [TermId]),
    Arguments(usize),
    NamedArguments(usize),
    Changes(usize),
    Few([Node; 3], usize),
}

/// What stands between the children.
#[derive(Clone, Copy, Debug)]
pub(super) enum Join<'a> {
    /// `,`
    Comma,
    /// `, `
    CommaSpace,
    /// A blank, before the first child too.
    Space,
    Infix(Text<'a>),
    /// Blanks between the arguments of an entry, `↦` before its result.
    Maplet,
    /// `:`, of a key and its value.
    Colon,
    /// `→`
    Arrow,
    /// What stands around the blank before the outcome; the changes are two blanks off.
    Equation(&'static str, &'static str),
}

/// What stands before a child: a word, a place to break with its blanks, another word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap<'a> {
    pub(super) before: &'static str,
    pub(super) space: usize,
    pub(super) name: Option<Text<'a>>,
    pub(super) after: &'static str,
}

const fn gap(before: &'static str, space: usize, after: &'static str) -> Gap<'static> {
    Gap { before, space, name: None, after }
}

impl Gap<'_> {
    pub(super) fn width(&self, cap: usize) -> usize {
        let name = self.name.map_or(0, |name| name.width(cap));
        columns(self.before) + self.space + name + columns(self.after)
    }
}

impl<'a> Branch<'a> {
    pub(super) fn count(&self) -> usize {
        match self.children {
            Children::Terms(ids) => ids.len(),
            Children::Arguments(n) | Children::NamedArguments(n) | Children::Changes(n) => n,
            Children::Few(_, n) => n,
        }
    }

    /// What stands before child `index`.
    pub(super) fn gap(&self, index: usize) -> Option<Gap<'a>> {
        match self.join {
            Join::Space => Some(gap("", 1, "")),
            Join::Comma | Join::CommaSpace if index == 0 => self.hangs().then_some(gap("", 0, "")),
            _ if index == 0 => None,
            Join::Comma => Some(gap(",", 0, "")),
            Join::CommaSpace => Some(gap(",", 1, "")),
            Join::Infix(name) => Some(Gap { name: Some(name), ..gap("", 1, " ") }),
            Join::Maplet if index + 1 == self.count() => Some(gap("", 1, "↦ ")),
            Join::Maplet => Some(gap("", 1, "")),
            Join::Colon => Some(gap(":", 1, "")),
            Join::Arrow => Some(gap("", 1, "→ ")),
            Join::Equation(before, after) if index == 1 => Some(gap(before, 1, after)),
            Join::Equation(..) => Some(gap("", 2, "")),
        }
    }

    /// Where child `index` stands; nothing follows the result of an entry that it could be taken for a part of.
    pub(super) fn place(&self, index: usize) -> Place {
        let result = matches!(self.join, Join::Maplet) && index + 1 == self.count();
        if result { Place::Free } else { self.place }
    }

    /// The columns of everything but the children, which are `shown` of all.
    pub(super) fn frame(&self, shown: usize, cap: usize) -> usize {
        let own = self.name.width(cap) + columns(self.open) + columns(self.close);
        let first = self.gap(0).map_or(0, |gap| gap.width(cap));
        let irregular = matches!(self.join, Join::Maplet | Join::Equation(..));
        let gaps = match self.count() {
            0 => 0,
            count if irregular && count <= 64 => {
                (1..count).filter_map(|i| self.gap(i)).map(|g| g.width(cap)).sum()
            }
            count => {
                // Maplets differ only in the last gap, by the arrow.
                let each = self.gap(1).map_or(0, |gap| gap.width(cap));
                let last = self.gap(count - 1).map_or(0, |gap| gap.width(cap));
                each.saturating_mul(shown.saturating_sub(1)) + last.saturating_sub(each)
            }
        };
        own.saturating_add(first).saturating_add(gaps)
    }

    /// Whether a broken form puts the first child on a line of its own, two columns in.
    pub(super) fn hangs(&self) -> bool {
        !self.open.is_empty() && self.name.width(3) > 3
    }
}

/// What there is to show: an arena, a style, and perhaps an equation.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) terms: &'a Terms,
    pub(super) style: Style,
    pub(super) equation: Option<&'a Equation>,
    pub(super) changes: Changes<'a>,
    /// Whether the function's name is what is marked.
    pub(super) function_marked: bool,
}

impl<'a> Scene<'a> {
    pub(super) fn form(&self, node: Node) -> Form<'a> {
        match node {
            Node::Term(id) => self.term(id),
            Node::Word(word) => Form::Leaf(Text::plain(word)),
            Node::Message(id) => match self.terms.shape(id) {
                Shape::Str(text, more) => Form::Leaf(Text { more, ..Text::plain(text) }),
                _ => self.term(id),
            },
            Node::Bottom(id) => Form::Branch(Branch {
                close: ")",
                ..few("⊥ (", &[Node::Message(id)], Join::Arrow, Place::Free)
            }),
            Node::Change(index) => self.change(index),
            Node::Changes => self.changes(),
            // Only a scene with an equation has the nodes below.
            Node::Equation | Node::Call | Node::Argument(_) => match self.equation {
                None => Form::Leaf(Text::plain("")),
                Some(equation) => match node {
                    Node::Call => self.call(equation),
                    Node::Argument(index) => self.argument(equation, index),
                    _ => self.equation(equation),
                },
            },
        }
    }

    /// Child `index` of a branch.
    pub(super) fn child(&self, branch: &Branch<'a>, index: usize) -> Node {
        match branch.children {
            Children::Terms(ids) => Node::Term(ids[index]),
            Children::NamedArguments(_) => Node::Argument(index),
            Children::Changes(_) => Node::Change(index),
            Children::Few(nodes, _) => nodes[index],
            Children::Arguments(_) => {
                let argument = self.equation.and_then(|equation| equation.arguments.get(index));
                argument.map_or(Node::Word("…"), |argument| Node::Term(argument.value))
            }
        }
    }

    /// Whether a node in this place needs parentheses.
    pub(super) fn parenthesised(&self, node: Node, place: Place) -> bool {
        let Node::Term(id) = node else { return false };
        if place == Place::Free {
            return false;
        }
        let argument = place == Place::Argument;
        let juxtaposed = self.style == Style::Juxtaposed;
        match self.terms.shape(id) {
            Shape::Con(name, parts) if juxtaposed && is_infix(name, parts.len()) => true,
            Shape::Con(_, parts) | Shape::Function(_, parts) => argument && juxtaposed && !parts.is_empty(),
            Shape::Record(name, _) | Shape::Object(name, _) => argument && juxtaposed && !name.is_empty(),
            Shape::Number(text) => text.starts_with(['-', '+']) || begins(text).contains(' '),
            Shape::Opaque(text) => {
                argument && begins(text).contains(' ') && !text.starts_with(['<', '(', '[', '{', '"', '\''])
            }
            Shape::Omitted(count) => argument && count > 0,
            Shape::Field(..) | Shape::Entry(..) => true,
            _ => false,
        }
    }

    /// The way to a marked part, as numbers of children from the whole equation down; `None` where there is none.
    pub(super) fn way(&self, path: &Path) -> Option<Vec<usize>> {
        let equation = self.equation?;
        let mut way = Vec::new();
        let start = match &path.root {
            Root::Function => return None,
            Root::Result => {
                way.push(1);
                match equation.outcome {
                    Outcome::Value(id) => id,
                    Outcome::Exception(id) => {
                        way.extend(matches!(self.parts(equation).0[1], Node::Bottom(_)).then_some(0));
                        id
                    }
                    Outcome::Nothing | Outcome::Unfinished => return None,
                }
            }
            Root::Argument(number) => {
                let index = (*number as usize).checked_sub(1)?;
                let argument = equation.arguments.get(index)?;
                way.extend([0, index]);
                let named = argument.name.is_some() && self.style == Style::Called;
                way.extend(named.then_some(0));
                argument.value
            }
            Root::Before(name) | Root::After(name) => {
                let side = if matches!(path.root, Root::Before(_)) { Side::Before } else { Side::After };
                let (index, child, value) = self.changes.find(name, side)?;
                way.extend([self.parts(equation).1 - 1, index, child]);
                value
            }
        };
        super::change::extend_way(self.terms, start, &path.parts, &mut way)?;
        Some(way)
    }

    fn term(&self, id: TermId) -> Form<'a> {
        let juxtaposed = self.style == Style::Juxtaposed;
        match self.terms.shape(id) {
            Shape::Con(name, parts) => self.application(name, Children::Terms(parts), true),
            Shape::Function(name, parts) => self.application(name, Children::Terms(parts), false),
            Shape::Tuple(parts) if parts.len() == 1 => self.bracketed("(", parts, ",)"),
            Shape::Tuple(parts) => self.bracketed("(", parts, ")"),
            Shape::List(parts) => self.bracketed("[", parts, "]"),
            Shape::FiniteMap(parts) => match self.bracketed("{", parts, "}") {
                Form::Branch(branch) => Form::Branch(Branch { join: Join::CommaSpace, ..branch }),
                leaf => leaf,
            },
            Shape::Record(name, fields) | Shape::Object(name, fields) => {
                let (open, close) = match (juxtaposed, name.is_empty()) {
                    (true, true) => ("{", "}"),
                    (true, false) => (" {", "}"),
                    (false, _) => ("(", ")"),
                };
                Form::Branch(Branch {
                    name: Text::plain(name),
                    open,
                    children: Children::Terms(fields),
                    join: Join::CommaSpace,
                    close,
                    place: Place::Free,
                    alike: false,
                })
            }
            // What an object is beside its fields: the elements of a class that inherits from a list.
            Shape::Field("", value) => self.term(value),
            Shape::Field(name, value) => {
                let open = if juxtaposed { " = " } else { "=" };
                Form::Branch(Branch {
                    name: Text::plain(name),
                    ..few(open, &[Node::Term(value)], Join::Arrow, Place::Free)
                })
            }
            // A dictionary, or a function of one argument, which may as well be one.
            Shape::Entry([_], _) if !juxtaposed => Form::Branch(Branch {
                children: Children::Terms(self.terms.children(id)),
                ..few("", &[], Join::Colon, Place::Free)
            }),
            Shape::Entry(arguments, _) => Form::Branch(Branch {
                children: Children::Terms(self.terms.children(id)),
                ..few("", &[], Join::Maplet, if arguments.len() > 1 { Place::Argument } else { Place::Free })
            }),
            _ => Form::Leaf(self.leaf(id)),
        }
    }

    fn leaf(&self, id: TermId) -> Text<'a> {
        let juxtaposed = self.style == Style::Juxtaposed;
        match self.terms.shape(id) {
            Shape::Str(text, more) if juxtaposed => Text::quoted(text, Escape::Haskell('"'), more),
            Shape::Str(text, more) => {
                // As Python does it: double quotes where that saves escapes.
                let text_begins = begins(text);
                let quote = if text_begins.contains('\'') && !text_begins.contains('"') { '"' } else { '\'' };
                Text::quoted(text, Escape::Python(quote), more)
            }
            Shape::Char(text) if juxtaposed => Text::quoted(text, Escape::Haskell('\''), 0),
            Shape::Char(text) => Text::quoted(text, Escape::Python('\''), 0),
            Shape::Number("") | Shape::Opaque("") => Text::plain("?"),
            Shape::Number(text) => Text::number(text),
            Shape::Opaque(text) => Text::plain(text),
            Shape::Omitted(count) => Text::omitted(count),
            _ => Text::plain("_"),
        }
    }

    fn bracketed(&self, open: &'static str, parts: &'a [TermId], close: &'static str) -> Form<'a> {
        let join = if self.style == Style::Juxtaposed { Join::Comma } else { Join::CommaSpace };
        Form::Branch(Branch {
            name: Text::plain(""),
            open,
            children: Children::Terms(parts),
            join,
            close,
            place: Place::Free,
            alike: open != "(",
        })
    }

    /// A name before what it is applied to; `infix` where an operator may stand between.
    fn application(&self, name: &'a str, children: Children<'a>, infix: bool) -> Form<'a> {
        let juxtaposed = self.style == Style::Juxtaposed;
        let symbolic = juxtaposed && is_symbolic(name);
        let plain = Text::plain(if name.is_empty() { "?" } else { name });
        let text = match ticked(name) {
            Some(word) => Text::plain(word),
            None if symbolic => Text { open: "(", close: ")", ..plain },
            None => plain,
        };
        let branch = Branch { children, ..few("", &[], Join::Space, Place::Argument) };
        match branch.count() {
            0 => Form::Leaf(text),
            count if juxtaposed && infix && is_infix(name, count) => {
                let alike = count > 2;
                Form::Branch(Branch { join: Join::Infix(plain), place: Place::Operand, alike, ..branch })
            }
            _ if juxtaposed => Form::Branch(Branch { name: text, ..branch }),
            _ => Form::Branch(Branch {
                name: text,
                open: "(",
                join: Join::CommaSpace,
                close: ")",
                place: Place::Free,
                ..branch
            }),
        }
    }

    /// The parts of an equation: the call, then the outcome or the changes or both.
    fn parts(&self, equation: &Equation) -> ([Node; 3], usize) {
        let outcome = match equation.outcome {
            Outcome::Value(id) => Node::Term(id),
            Outcome::Exception(id) if self.style == Style::Juxtaposed => match self.terms.shape(id) {
                Shape::Str("", 0) | Shape::Opaque("") => Node::Word("⊥"),
                _ => Node::Bottom(id),
            },
            Outcome::Exception(id) => Node::Term(id),
            Outcome::Nothing if self.changes.is_empty() => Node::Word("nothing changed"),
            Outcome::Nothing => Node::Changes,
            Outcome::Unfinished if self.style == Style::Juxtaposed => Node::Word("⊥ (never ended)"),
            Outcome::Unfinished => Node::Word("never ended"),
        };
        let both = equation.outcome != Outcome::Nothing && !self.changes.is_empty();
        ([Node::Call, outcome, Node::Changes], if both { 3 } else { 2 })
    }

    fn equation(&self, equation: &'a Equation) -> Form<'a> {
        let (parts, count) = self.parts(equation);
        let join = match (equation.outcome, self.style) {
            (Outcome::Nothing, _) => Join::Equation(":", ""),
            (Outcome::Value(_), Style::Called) if equation.inside => Join::Equation(":", ""),
            (Outcome::Exception(_), Style::Called) => Join::Equation("", "raises "),
            (Outcome::Unfinished, Style::Called) => Join::Equation("", ""),
            _ => Join::Equation("", "= "),
        };
        Form::Branch(few("", &parts[..count], join, Place::Free))
    }

    fn call(&self, equation: &'a Equation) -> Form<'a> {
        let count = equation.arguments.len();
        let (name, called) = (&*equation.function, self.style == Style::Called);
        let children = if called { Children::NamedArguments(count) } else { Children::Arguments(count) };
        let mut form = self.application(name, children, true);
        // `main()` is called; a loop or a block is not.
        let routine = !equation.inside && equation.outcome != Outcome::Nothing && !begins(name).contains(' ');
        if let (true, true, Form::Branch(branch)) = (called, equation.inside, &mut form) {
            (branch.open, branch.close) = (", with ", "");
        }
        if let (true, true, Form::Leaf(name)) = (called, routine, form) {
            form = Form::Branch(Branch { name, close: ")", ..few("(", &[], Join::CommaSpace, Place::Free) });
        }
        if self.function_marked {
            let name = match &mut form {
                Form::Leaf(name) => name,
                Form::Branch(Branch { join: Join::Infix(name), .. }) => name,
                Form::Branch(branch) => &mut branch.name,
            };
            (name.open, name.close) = if name.open.is_empty() { ("«", "»") } else { ("«(", ")»") };
        }
        form
    }

    fn argument(&self, equation: &'a Equation, index: usize) -> Form<'a> {
        let Some(argument) = equation.arguments.get(index) else { return Form::Leaf(Text::plain("…")) };
        match &argument.name {
            Some(name) if self.style == Style::Called => Form::Branch(Branch {
                name: Text::plain(name),
                ..few("=", &[Node::Term(argument.value)], Join::Arrow, Place::Free)
            }),
            _ => self.term(argument.value),
        }
    }

    fn changes(&self) -> Form<'a> {
        let bare = self.equation.is_none_or(|equation| equation.outcome == Outcome::Nothing);
        let (open, close) = match (self.changes.tale, bare) {
            (Tale::Changed, true) => ("", ""),
            (Tale::Changed, false) => ("{", "}"),
            (Tale::Unchanged, true) => ("unchanged: ", ""),
            (Tale::Unchanged, false) => ("{unchanged: ", "}"),
            (Tale::Before, true) => ("before: ", ""),
            // Where nothing changes, what is known before is what the names in the code mean.
            (Tale::Before, false) if self.style == Style::Juxtaposed => ("where ", ""),
            (Tale::Before, false) => ("{before: ", "}"),
            (Tale::After, true) => ("after: ", ""),
            (Tale::After, false) => ("{after: ", "}"),
        };
        let children = Children::Changes(self.changes.list.len());
        Form::Branch(Branch { children, close, ..few(open, &[], Join::CommaSpace, Place::Free) })
    }

    fn change(&self, index: usize) -> Form<'a> {
        let Some(change) = self.changes.list.get(index) else { return Form::Leaf(Text::plain("…")) };
        let none = if self.style == Style::Juxtaposed && change.before.is_none() { "new" } else { "unset" };
        let value = |side: Option<TermId>| side.map_or(Node::Word(none), Node::Term);
        let name = Text::plain(change.name);
        match self.changes.tale {
            Tale::Changed if !change.same => Form::Branch(Branch {
                name,
                ..few(": ", &[value(change.before), value(change.after)], Join::Arrow, Place::Free)
            }),
            _ => Form::Branch(Branch {
                name,
                ..few(" = ", &[value(change.before.or(change.after))], Join::Arrow, Place::Free)
            }),
        }
    }
}

/// A branch of a few given children, without a name.
fn few<'a>(open: &'static str, nodes: &[Node], join: Join<'a>, place: Place) -> Branch<'a> {
    let mut array = [Node::Word(""); 3];
    for (slot, node) in array.iter_mut().zip(nodes) {
        *slot = *node;
    }
    let children = Children::Few(array, nodes.len().min(3));
    Branch { name: Text::plain(""), open, children, join, close: "", place, alike: false }
}

/// Whether a constructor or function stands between its parts: an operator with two, or the beginning of a list.
fn is_infix(name: &str, parts: usize) -> bool {
    parts == 2 && (is_symbolic(name) || ticked(name).is_some()) || parts > 2 && name == ":"
}

/// A word that stands between two parts as an operator does: `` `div` ``. Elsewhere it is written without the ticks.
fn ticked(name: &str) -> Option<&str> {
    name.strip_prefix('`')?.strip_suffix('`').filter(|word| !word.is_empty())
}

/// The first characters of a text, which decide how the whole is written.
fn begins(text: &str) -> &str {
    let mut end = text.len().min(1024);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
