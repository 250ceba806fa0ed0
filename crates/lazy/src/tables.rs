//! What is known of a program, for the trail: everything that a view, a session or a slice needs, so that a recorded run
//! can be looked at where the program is not.
//!
//! Functions and constructors have the kernel's numbers; an expression has its own, plus one, for 0 is none.
//!
//! - `places`: files and pieces of them
//! - `functions`: functions with their parameters, rules and fixities; constructors
//! - `forms`: how values of the library's types are written
//! - `constants`: which constants a function's text uses
//! - `expressions`: the expressions of recorded code with their S4 positions, and the order of calls in the source

mod constants;
mod expressions;
mod fixities;
mod forms;
pub(crate) mod functions;
mod places;
mod types;

use crate::Checked;
use crate::reference::good::Good;
use crate::start::EXPRESSION;
use gadfly_core::Lowered;
use gadfly_core::kernel::Literal;
use gadfly_syntax::Dialect;
use gadfly_trail::model::{Evaluation, Module, Position, Style, Tables};
use places::Places;
use std::collections::HashMap;

/// The number of an expression in a trail.
pub(crate) fn position(expr: gadfly_core::kernel::ExprId) -> Position {
    Position(expr.index() as u32 + 1)
}

/// What a program is made of. `recorded` says which functions are, by their numbers, `command` what was typed.
pub(crate) fn tables(checked: &Checked, lowered: &Lowered, recorded: &[bool], command: &str) -> Tables {
    let program = &lowered.program;
    let mut places = Places::new(checked, program, recorded);
    let mut names = Names::default();
    // What the machine cannot look into has the first name.
    names.number("object");
    let constants = constants::constants(program, recorded);
    let mut functions = functions::functions(checked, lowered, recorded, &mut places, &mut names);
    for (function, constants) in functions.iter_mut().zip(constants) {
        function.constants = constants;
    }
    let modules = program.modules().map(|(id, module)| {
        let typed = &checked.program.modules[gadfly_typing::interface::ModuleId::from_index(id.index())];
        let file = places.file(typed.syntax.tree.file());
        // An expression from the command line is in no module that the user knows.
        let name = Some(program.text(module.name)).filter(|name| *name != EXPRESSION).unwrap_or_default();
        Module { name: name.to_owned(), library: module.library, file }
    });
    let modules = modules.collect();
    let expressions = expressions::expressions(program, recorded, &mut places);
    let types::Typed { types, signatures, fields } = types::types(&Good::new(checked, lowered), recorded);
    Tables {
        language: match checked.dialect() {
            Dialect::Haskell => "haskell".to_owned(),
            Dialect::Curry => "curry".to_owned(),
        },
        command: command.to_owned(),
        evaluation: Evaluation::Lazy,
        style: Style::Juxtaposed,
        modules,
        functions,
        constructors: functions::constructors(checked, lowered),
        expressions,
        strings: strings(program),
        names: names.all,
        types,
        signatures,
        fields,
        files: places.into_files(),
    }
}

/// String literals by the numbers of literals; what is no string is empty.
fn strings(program: &gadfly_core::kernel::Program) -> Vec<Vec<u32>> {
    let texts = program.literals().map(|(_, literal)| match literal {
        Literal::String(codes) => codes.to_vec(),
        _ => Vec::new(),
    });
    texts.collect()
}

/// Names, each once.
#[derive(Debug, Default)]
struct Names {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}
