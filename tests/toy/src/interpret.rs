//! Runs programs. Whoever wants to know what happens is an [`Observer`]: who prints, who records, who compares.
//!
//! Functions know nothing but their arguments, so that any call can be made again at any time: the oracle and the inside
//! of calls rely on that.

use crate::parse::LARGEST;
use crate::syntax::{Action, Code, Expression, Statement};
use gadfly_source::Span;
use std::io;
use std::time::Instant;

/// How many calls, blocks and expressions may be inside of each other while a program runs: the stack has room for more.
const DEEPEST: usize = 2_000;

/// The values of a function's variables; those that have none yet are none.
pub(crate) type Variables = Vec<Option<i64>>;

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    // What the program did wrong: `record::FAULTS` lists these.
    DivisionByZero,
    Overflow,
    TooDeep,
    NoValue,
    // What somebody else wants.
    Interrupted,
    TimeLimit,
    ClosedPipe,
}

/// How a statement was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Return(i64),
}

/// How much a run may take.
pub(crate) struct Limits<'l> {
    pub(crate) until: Option<Instant>,
    /// Whether somebody wants it to stop.
    pub(crate) stop: &'l dyn Fn() -> bool,
}

/// Who hears what happens.
pub(crate) trait Observer {
    /// A function is called.
    fn call(&mut self, _function: usize, _arguments: &[i64]) {}

    /// The call that began last, of those that have not ended, has ended.
    fn called(&mut self, _result: Result<i64, Fault>) {}

    /// A piece of the function that was called last begins.
    fn begin(&mut self, _piece: usize, _variables: &Variables) {}

    /// The piece that began last, of those that have not ended, has ended.
    fn end(&mut self, _variables: &Variables, _how: Result<Flow, Fault>) {}

    /// The program prints a line.
    fn print(&mut self, line: &str) -> io::Result<()>;
}

/// What runs a program.
pub(crate) struct Interpreter<'c, 'o> {
    code: &'c Code,
    observer: &'o mut dyn Observer,
    limits: Limits<'o>,
    depth: usize,
    /// The piece of code that began last: where a fault is.
    pub(crate) at: Span,
}

impl<'c, 'o> Interpreter<'c, 'o> {
    pub(crate) fn new(code: &'c Code, observer: &'o mut dyn Observer, limits: Limits<'o>) -> Self {
        let at = code.functions[code.main].span;
        Interpreter { code, observer, limits, depth: 0, at }
    }

    /// Calls a function. The caller has made sure that there are as many arguments as parameters.
    pub(crate) fn call(&mut self, function: usize, arguments: &[i64]) -> Result<i64, Fault> {
        self.observer.call(function, arguments);
        let called = &self.code.functions[function];
        let mut variables: Variables = arguments.iter().copied().map(Some).collect();
        variables.resize(called.variables.len(), None);
        // A function that comes to its end gives 0.
        let result = self.block(function, &called.body, &mut variables);
        let result = result.map(|flow| if let Flow::Return(value) = flow { value } else { 0 });
        self.observer.called(result);
        result
    }

    /// Runs one piece of a function by itself.
    pub(crate) fn piece(
        &mut self,
        function: usize,
        piece: usize,
        variables: &mut Variables,
    ) -> Result<Flow, Fault> {
        let mut waiting: Vec<&'c Statement> = self.code.functions[function].body.iter().collect();
        while let Some(statement) = waiting.pop() {
            match &statement.action {
                _ if statement.piece == piece => return self.statement(function, statement, variables),
                Action::While(_, round, body) if *round == piece => {
                    return self.block(function, body, variables);
                }
                Action::If(_, first, second) => waiting.extend(first.iter().chain(second)),
                Action::While(_, _, body) => waiting.extend(body),
                _ => {}
            }
        }
        Ok(Flow::On)
    }

    fn block(
        &mut self,
        function: usize,
        block: &'c [Statement],
        variables: &mut Variables,
    ) -> Result<Flow, Fault> {
        self.deeper()?;
        let mut flow = Ok(Flow::On);
        for statement in block {
            self.observer.begin(statement.piece, variables);
            flow = self.statement(function, statement, variables);
            self.observer.end(variables, flow);
            if flow != Ok(Flow::On) {
                break;
            }
        }
        self.depth -= 1;
        flow
    }

    fn statement(
        &mut self,
        function: usize,
        statement: &'c Statement,
        variables: &mut Variables,
    ) -> Result<Flow, Fault> {
        self.at = self.code.functions[function].pieces[statement.piece].own;
        self.go_on()?;
        match &statement.action {
            Action::Assign(variable, value) => variables[*variable] = Some(self.value(value, variables)?),
            Action::Return(value) => return Ok(Flow::Return(self.value(value, variables)?)),
            Action::Print(value) => {
                let line = format!("{}\n", self.value(value, variables)?);
                self.observer.print(&line).map_err(|_| Fault::ClosedPipe)?;
            }
            Action::Do(call) => drop(self.value(call, variables)?),
            Action::If(condition, yes, no) => {
                let block = if self.value(condition, variables)? != 0 { yes } else { no };
                return self.block(function, block, variables);
            }
            Action::While(condition, round, body) => {
                while self.value(condition, variables)? != 0 {
                    self.go_on()?;
                    self.observer.begin(*round, variables);
                    let flow = self.block(function, body, variables);
                    self.observer.end(variables, flow);
                    if flow != Ok(Flow::On) {
                        return flow;
                    }
                }
            }
        }
        Ok(Flow::On)
    }

    fn value(&mut self, expression: &'c Expression, variables: &Variables) -> Result<i64, Fault> {
        self.deeper()?;
        let value = match expression {
            Expression::Number(value) => *value,
            Expression::Variable(variable) => variables[*variable].ok_or(Fault::NoValue)?,
            Expression::Call(function, arguments) => {
                let at = self.at;
                let arguments: Result<Vec<i64>, Fault> =
                    arguments.iter().map(|argument| self.value(argument, variables)).collect();
                let value = self.call(*function, &arguments?)?;
                self.at = at;
                value
            }
            Expression::Binary(operator, both) => {
                let (left, right) = (self.value(&both.0, variables)?, self.value(&both.1, variables)?);
                apply(operator, left, right)?
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn deeper(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(Fault::TooDeep) } else { Ok(()) }
    }

    /// Whether the run may go on.
    fn go_on(&self) -> Result<(), Fault> {
        match () {
            () if (self.limits.stop)() => Err(Fault::Interrupted),
            () if self.limits.until.is_some_and(|until| Instant::now() >= until) => Err(Fault::TimeLimit),
            () => Ok(()),
        }
    }
}

fn apply(operator: &str, left: i64, right: i64) -> Result<i64, Fault> {
    let value = match operator {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" | "%" if right == 0 => return Err(Fault::DivisionByZero),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "==" => Some((left == right).into()),
        "!=" => Some((left != right).into()),
        "<" => Some((left < right).into()),
        "<=" => Some((left <= right).into()),
        ">" => Some((left > right).into()),
        _ => Some((left >= right).into()),
    };
    value.filter(|value| (-LARGEST..=LARGEST).contains(value)).ok_or(Fault::Overflow)
}
