//! Normal forms as text.

use super::{Cell, Interpreter, Ref, State, Value};

impl Interpreter<'_> {
    /// A normal form as a program would write it.
    pub(super) fn show(&self, state: &State, root: Ref) -> String {
        enum Item {
            Text(&'static str),
            Term(Ref, bool),
        }
        let mut text = String::new();
        let mut items = vec![Item::Term(root, false)];
        while let Some(item) = items.pop() {
            let (reference, inside) = match item {
                Item::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Item::Term(reference, inside) => (state.resolve(reference), inside),
            };
            let Cell::Value(value) = &state.heap[reference] else {
                text.push('_');
                continue;
            };
            match value {
                Value::Int(value) => text.push_str(&value.to_string()),
                Value::Word(value) => text.push_str(&value.to_string()),
                Value::Integer(value) => text.push_str(&value.to_string()),
                Value::Char(code) => text.push_str(&format!("{:?}", char::from_u32(*code).unwrap_or('?'))),
                Value::Double(value) => text.push_str(&format!("{value:?}")),
                Value::String(codes, from) => text.push_str(&format!("{:?}", code_text(&codes[*from..]))),
                Value::Function(..) => text.push_str("<function>"),
                Value::Action(name, _) => text.push_str(&format!("<{name}>")),
                Value::Free(_) => text.push('_'),
                Value::Reference(_) => text.push_str("<reference>"),
                Value::Construct(constructor, parts) => {
                    let info = self.program.constructor(*constructor);
                    let name = self.program.text(info.name);
                    let parts = &parts[info.dictionaries as usize..];
                    if name == ":" || name == "[]" {
                        match self.elements(state, reference) {
                            Ok(codes) => text.push_str(&format!("{:?}", code_text(&codes))),
                            Err(elements) => {
                                text.push('[');
                                items.push(Item::Text("]"));
                                for (at, element) in elements.into_iter().enumerate().rev() {
                                    items.push(Item::Term(element, false));
                                    if at > 0 {
                                        items.push(Item::Text(","));
                                    }
                                }
                            }
                        }
                        continue;
                    }
                    let tuple = name.starts_with("(,");
                    if parts.is_empty() {
                        text.push_str(name);
                        continue;
                    }
                    if inside || tuple {
                        text.push('(');
                        items.push(Item::Text(")"));
                    }
                    for (at, &part) in parts.iter().enumerate().rev() {
                        items.push(Item::Term(part, !tuple));
                        match (tuple, at) {
                            (true, 0) => {}
                            (true, _) => items.push(Item::Text(",")),
                            (false, _) => items.push(Item::Text(" ")),
                        }
                    }
                    if !tuple {
                        text.push_str(name);
                    }
                }
            }
        }
        text
    }

    /// The elements of a list: as characters if they all are.
    fn elements(&self, state: &State, list: Ref) -> Result<Vec<u32>, Vec<Ref>> {
        let mut elements = Vec::new();
        let mut codes = Vec::new();
        let mut all = true;
        let mut at = state.resolve(list);
        loop {
            match &state.heap[at] {
                Cell::Value(Value::Construct(_, parts)) if parts.len() == 2 => {
                    let element = state.resolve(parts[0]);
                    match &state.heap[element] {
                        Cell::Value(Value::Char(code)) => codes.push(*code),
                        _ => all = false,
                    }
                    elements.push(element);
                    at = state.resolve(parts[1]);
                }
                Cell::Value(Value::String(rest, from)) => {
                    codes.extend(&rest[*from..]);
                    break;
                }
                _ => break,
            }
        }
        if all && !codes.is_empty() { Ok(codes) } else { Err(elements) }
    }
}

fn code_text(codes: &[u32]) -> String {
    codes.iter().map(|&code| char::from_u32(code).unwrap_or('?')).collect()
}
