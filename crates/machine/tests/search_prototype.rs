//! A small evaluator of normalised flat programs (S4 §2.4) on the machine's heap, search and stack. It proves that the
//! design of `search.rs` implements the meaning of functional-logic programs, before the fast path is built
//! around it.

use gadfly_machine::{Heap, Kind, Roots, Search, Seen, Stack, Word};

/// Expressions; variables are numbers of the environment.
#[derive(Clone, Debug)]
enum E {
    Var(usize),
    Int(i64),
    Con(u32),
    Add(Box<E>, Box<E>),
    /// Binds the next variable, lazily and shared.
    Let(Box<E>, Box<E>),
    /// The next variable is a free one.
    Free(Box<E>),
    Or(Box<E>, Box<E>),
    /// Alternatives by constructor; their fields are the next variables. Constants only, to keep it small.
    Case {
        flexible: bool,
        of: Box<E>,
        alternatives: Vec<(u32, E)>,
    },
    /// Both must be true; the second runs first if the first must wait.
    And(Box<E>, Box<E>),
    /// Counts how often it is evaluated.
    Tick(Box<E>),
    Fail,
}

const TRUE: u32 = 1;

type Env = Vec<Word>;

#[derive(Clone, Debug)]
enum Frame {
    Update(Word),
    AddRight(E, Env),
    AddTo(i64),
    Case(bool, Vec<(u32, E)>, Env),
    /// The second part of a conjunction, which runs after the first.
    AndRight(E, Env),
    /// The first part waits with these frames, for this variable.
    AndWaits(Vec<Frame>, Word),
}

enum Control {
    Eval(E, Env),
    Return(Word),
    Fail,
}

/// How to continue: with an expression, or with a variable bound to the next constructor of a flexible case.
enum Alternative {
    Eval(E, Env),
    Guess(Word, Vec<(u32, E)>, Env),
}

#[derive(Default)]
struct Machine {
    heap: Option<Heap<0>>,
    search: Search<Alternative>,
    stack: Stack<Frame>,
    thunks: Vec<(E, usize)>,
    ticks: usize,
}

impl Roots for Machine {
    fn each(&mut self, _young: bool, see: &mut dyn FnMut(&mut Word)) {
        fn frame(frame_: &mut Frame, see: &mut dyn FnMut(&mut Word)) {
            match frame_ {
                Frame::Update(word) => see(word),
                Frame::AddRight(_, env) | Frame::Case(_, _, env) | Frame::AndRight(_, env) => {
                    env.iter_mut().for_each(see)
                }
                Frame::AddTo(_) => {}
                Frame::AndWaits(frames, word) => {
                    see(word);
                    frames.iter_mut().for_each(|inner| frame(inner, see));
                }
            }
        }
        self.stack.each(&mut |one| frame(one, see));
        self.search.each_root(see, |alternative, see| match alternative {
            Alternative::Eval(_, env) => env.iter_mut().for_each(see),
            Alternative::Guess(word, _, env) => {
                see(word);
                env.iter_mut().for_each(see);
            }
        });
    }
}

impl Machine {
    fn heap(&mut self) -> &mut Heap<0> {
        self.heap.as_mut().unwrap()
    }

    /// All results, as texts; `collect` collects at every step.
    fn results(expression: &E, collect: bool) -> (Vec<String>, usize) {
        let mut machine = Machine { heap: Some(Heap::new(1 << 22)), ..Machine::default() };
        let mut control = Control::Eval(expression.clone(), vec![]);
        let mut results = Vec::new();
        loop {
            if collect {
                control = machine.collect(control);
            }
            match machine.step(control) {
                Ok(next) => control = next,
                Err(Some(value)) => {
                    results.push(value);
                    control = Control::Fail;
                }
                Err(None) => return (results, machine.ticks),
            }
        }
    }

    fn collect(&mut self, mut control: Control) -> Control {
        struct With<'a>(&'a mut Machine, &'a mut Control);
        impl Roots for With<'_> {
            fn each(&mut self, young: bool, see: &mut dyn FnMut(&mut Word)) {
                self.0.each(young, see);
                match self.1 {
                    Control::Eval(_, env) => env.iter_mut().for_each(see),
                    Control::Return(word) => see(word),
                    Control::Fail => {}
                }
            }
        }
        let mut heap = self.heap.take().unwrap();
        heap.collect(&mut With(self, &mut control)).unwrap();
        self.heap = Some(heap);
        control
    }

    fn delay(&mut self, expression: E, env: &Env) -> Word {
        self.thunks.push((expression, env.len()));
        let code = self.thunks.len() as u32 - 1;
        let thunk = self.heap().allocate(Kind::Thunk, code, env.len(), []);
        for (field, word) in env.iter().enumerate() {
            self.heap().init(thunk, field, *word);
        }
        if env.is_empty() {
            self.heap().init(thunk, 0, Word::int(0).unwrap());
        }
        Word::object(thunk)
    }

    /// A step; `Err` is the end of a branch with a value, or of everything.
    fn step(&mut self, control: Control) -> Result<Control, Option<String>> {
        match control {
            Control::Eval(expression, env) => Ok(self.eval(expression, env)),
            Control::Return(word) => self.give(word),
            Control::Fail => {
                let Some(alternative) = self.search.back(self.heap.as_mut().unwrap()) else {
                    return Err(None);
                };
                self.stack.back();
                Ok(match alternative {
                    Alternative::Eval(expression, env) => Control::Eval(expression, env),
                    Alternative::Guess(variable, alternatives, env) => {
                        self.guess(variable, alternatives, env)
                    }
                })
            }
        }
    }

    fn eval(&mut self, expression: E, mut env: Env) -> Control {
        match expression {
            E::Var(number) => self.enter(env[number]),
            E::Int(value) => Control::Return(Word::int(value).unwrap()),
            E::Con(constructor) => Control::Return(Word::constant(constructor, constructor)),
            E::Add(left, right) => {
                self.stack.push(Frame::AddRight(*right, env.clone()));
                Control::Eval(*left, env)
            }
            E::Let(value, body) => {
                let thunk = self.delay(*value, &env);
                env.push(thunk);
                Control::Eval(*body, env)
            }
            E::Free(body) => {
                let variable = self.heap().allocate(Kind::Free, 0, 1, []);
                self.heap().init(variable, 0, Word::int(0).unwrap());
                env.push(Word::object(variable));
                Control::Eval(*body, env)
            }
            E::Or(left, right) => {
                self.stack.guard();
                self.search.choose(self.heap.as_ref().unwrap(), Alternative::Eval(*right, env.clone()));
                Control::Eval(*left, env)
            }
            E::Case { flexible, of, alternatives } => {
                self.stack.push(Frame::Case(flexible, alternatives, env.clone()));
                Control::Eval(*of, env)
            }
            E::And(left, right) => {
                self.stack.push(Frame::AndRight(*right, env.clone()));
                Control::Eval(*left, env)
            }
            E::Tick(inner) => {
                self.ticks += 1;
                Control::Eval(*inner, env)
            }
            E::Fail => Control::Fail,
        }
    }

    fn enter(&mut self, word: Word) -> Control {
        let Some(object) = word.index() else { return Control::Return(word) };
        match self.heap().kind(object) {
            Kind::Thunk => {
                let code = self.heap().info(object) as usize;
                let (expression, size) = self.thunks[code].clone();
                let env = (0..size).map(|field| self.heap().get(object, field)).collect();
                self.search.enter(self.heap.as_mut().unwrap(), object);
                self.stack.push(Frame::Update(word));
                Control::Eval(expression, env)
            }
            Kind::Indirection | Kind::Bound => {
                let value = self.heap().get(object, 0);
                self.enter(value)
            }
            Kind::Free => Control::Return(word),
            kind => panic!("entered {kind:?}"),
        }
    }

    fn give(&mut self, value: Word) -> Result<Control, Option<String>> {
        let Some(frame) = self.stack.pop() else {
            return Err(Some(match value.see() {
                Seen::Int(value) => value.to_string(),
                Seen::Constant(constructor, _) => format!("C{constructor}"),
                _ => "_".into(),
            }));
        };
        Ok(match frame {
            Frame::Update(thunk) => {
                let object = thunk.index().unwrap();
                self.search.update(self.heap.as_mut().unwrap(), object, value);
                Control::Return(value)
            }
            Frame::AddRight(right, env) => {
                let Seen::Int(left) = value.see() else { panic!("added {value:?}") };
                self.stack.push(Frame::AddTo(left));
                Control::Eval(right, env)
            }
            Frame::AddTo(left) => {
                let Seen::Int(right) = value.see() else { panic!("added {value:?}") };
                Control::Return(Word::int(left + right).unwrap())
            }
            Frame::Case(flexible, alternatives, env) => match value.see() {
                Seen::Object(_) if flexible => self.guess(value, alternatives, env),
                Seen::Object(_) => self.wait(Frame::Case(false, alternatives, env), value),
                Seen::Constant(constructor, _) => {
                    match alternatives.into_iter().find(|(pattern, _)| *pattern == constructor) {
                        Some((_, body)) => Control::Eval(body, env),
                        None => Control::Fail,
                    }
                }
                _ => Control::Fail,
            },
            Frame::AndRight(right, env) if value.see() == Seen::Constant(TRUE, TRUE) => {
                Control::Eval(right, env)
            }
            Frame::AndRight(..) => Control::Fail,
            Frame::AndWaits(frames, variable) if value.see() == Seen::Constant(TRUE, TRUE) => {
                // The other part is done: what waited looks again.
                for frame in frames {
                    self.stack.push(frame);
                }
                self.enter(variable)
            }
            Frame::AndWaits(..) => Control::Fail,
        })
    }

    /// Binds a variable to each constructor in turn.
    fn guess(&mut self, variable: Word, mut alternatives: Vec<(u32, E)>, env: Env) -> Control {
        if alternatives.is_empty() {
            return Control::Fail;
        }
        let (constructor, body) = alternatives.remove(0);
        if !alternatives.is_empty() {
            self.stack.guard();
            let rest = Alternative::Guess(variable, alternatives, env.clone());
            self.search.choose(self.heap.as_ref().unwrap(), rest);
        }
        let object = variable.index().unwrap();
        self.search.update(self.heap.as_mut().unwrap(), object, Word::constant(constructor, constructor));
        Control::Eval(body, env)
    }

    /// Takes the frames up to the nearest conjunction off and does its other part first.
    fn wait(&mut self, case: Frame, variable: Word) -> Control {
        let mut waiting = vec![case];
        loop {
            match self.stack.pop() {
                None => panic!("it flounders"),
                Some(Frame::AndRight(right, env)) => {
                    waiting.reverse();
                    self.stack.push(Frame::AndWaits(waiting, variable));
                    return Control::Eval(right, env);
                }
                Some(frame) => waiting.push(frame),
            }
        }
    }
}

fn check(expression: &E, expected: &[&str]) -> usize {
    let (results, ticks) = Machine::results(expression, false);
    assert_eq!(results, expected);
    let (collected, _) = Machine::results(expression, true);
    assert_eq!(collected, expected, "with a collection at every step");
    ticks
}

fn var(number: usize) -> Box<E> {
    Box::new(E::Var(number))
}

fn int(value: i64) -> Box<E> {
    Box::new(E::Int(value))
}

fn or(left: E, right: E) -> Box<E> {
    Box::new(E::Or(Box::new(left), Box::new(right)))
}

fn boolean(constructor: u32) -> E {
    E::Con(constructor)
}

#[test]
fn a_choice_gives_each_alternative() {
    // (1 ? 2) + (10 ? 20)
    let sum = E::Add(or(E::Int(1), E::Int(2)), or(E::Int(10), E::Int(20)));
    check(&sum, &["11", "21", "12", "22"]);
}

#[test]
fn a_shared_choice_is_made_once() {
    // let x = 0 ? 1 in x + x
    let sum = E::Let(or(E::Int(0), E::Int(1)), Box::new(E::Add(var(0), var(0))));
    check(&sum, &["0", "2"]);
}

#[test]
fn updates_are_taken_back_with_the_choice() {
    // let x = 0 ? 1 in let y = x + 10 in y + (y ? y): y is evaluated before the second choice, x before both.
    let body = E::Add(var(1), or(E::Var(1), E::Var(1)));
    let program =
        E::Let(or(E::Int(0), E::Int(1)), Box::new(E::Let(Box::new(E::Add(var(0), int(10))), Box::new(body))));
    check(&program, &["20", "20", "22", "22"]);
}

#[test]
fn what_does_not_depend_on_a_choice_is_evaluated_once() {
    // let x = tick 5 in x + (1 ? 2): x is evaluated before the choice, and stays so.
    let program = E::Let(Box::new(E::Tick(int(5))), Box::new(E::Add(var(0), or(E::Int(1), E::Int(2)))));
    assert_eq!(check(&program, &["6", "7"]), 1);
    // let x = tick 5 in (1 ? 2) + x: x is evaluated after the choice, so once in each branch.
    let program = E::Let(Box::new(E::Tick(int(5))), Box::new(E::Add(or(E::Int(1), E::Int(2)), var(0))));
    assert_eq!(check(&program, &["6", "7"]), 2);
}

#[test]
fn a_flexible_case_binds_a_free_variable() {
    // let x free in (fcase x of { C0 -> 1; C1 -> 2 }) + (case x of { C0 -> 10; C1 -> 20 })
    let case = |flexible, low, high| {
        Box::new(E::Case { flexible, of: var(0), alternatives: vec![(0, E::Int(low)), (1, E::Int(high))] })
    };
    let program = E::Free(Box::new(E::Add(case(true, 1, 2), case(false, 10, 20))));
    check(&program, &["11", "22"]);
}

#[test]
fn a_rigid_case_waits_for_the_other_part_of_a_conjunction() {
    // let x free in (case x of { C0 -> fail; C1 -> True }) & (fcase x of { C0 -> True; C1 -> True })
    let rigid = E::Case { flexible: false, of: var(0), alternatives: vec![(0, E::Fail), (1, boolean(TRUE))] };
    let flexible =
        E::Case { flexible: true, of: var(0), alternatives: vec![(0, boolean(TRUE)), (1, boolean(TRUE))] };
    let program = E::Free(Box::new(E::And(Box::new(rigid), Box::new(flexible))));
    check(&program, &["C1"]);
}

#[test]
fn failure_in_one_branch_leaves_the_other_alone() {
    // let x = 1 ? fail ? 3 in x + x
    let choice = or(E::Int(1), *or(E::Fail, E::Int(3)));
    check(&E::Let(choice, Box::new(E::Add(var(0), var(0)))), &["2", "6"]);
}
