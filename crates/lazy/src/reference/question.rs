//! One question: an equation of the other program, judged by the good one.
//!
//! `f a₁ … aₙ = r` is right if the reference's `f`, applied to the same arguments, gives at least `r` (S2 Def. 1):
//! everything that the original evaluated is evaluated here too, and is the same; what it never evaluated (`_`) is not
//! looked at in the result, and must not be needed of the arguments.
//!
//! - An exception is right where the reference raises one too, with the same message as far as both are known; places
//!   of the source in it do not count, for the two programs differ there.
//! - What was cut off is wrong if the reference comes to an end, and right if that loops as well.
//! - An action is executed, with its output caught; it gives and prints the same, or it is wrong.

use super::build::{NOT_TOLD, Stage, UNEVALUATED, Unbuilt};
use super::good::{Good, Signature, Slot};
use super::infer::{Doubt, Typing, bottom_text};
use super::meet::Met;
use super::outside::Outside;
use super::types::{Plan, Scope, Type, Types, Wanted};
use super::whole::{self, come_to_an_end, short_of, without_place};
use gadfly_core::kernel::FunId;
use gadfly_machine::{Asking, End, Found, Machine, Recorder, Word};
use gadfly_term::{Equation, Outcome, Shape, TermId};
use gadfly_trail::model::RunEnd;
use gadfly_tree::Rule;

/// What is asked.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) rule: Rule,
    pub(super) rule_text: Option<String>,
    pub(super) equation: Equation,
    /// How many redexes it took as far as it came.
    pub(super) size: u64,
    /// How the run ended, if the equation is about the run as a whole.
    pub(super) ended: Option<RunEnd>,
}

/// What the reference says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Correct,
    /// `early` if that may be because something was evaluated earlier than the lazy order has it.
    Wrong {
        early: bool,
    },
    /// Nothing, and why.
    Unknown(String),
}

impl From<Doubt> for Judged {
    fn from(Doubt(reason): Doubt) -> Judged {
        Judged::Unknown(reason)
    }
}

/// The machine and what is around it.
pub(super) struct Room<'r, 'p, R> {
    pub(super) machine: &'r mut Machine<'p, R, 0>,
    pub(super) asking: &'r mut Asking,
    pub(super) outside: &'r Outside,
}

/// A function of the reference, and how the equation is a call of it.
#[derive(Clone)]
struct Reading<'g> {
    function: FunId,
    typing: Typing<'g>,
    signature: Signature,
    /// Its dictionaries, as far as they are given.
    plans: Vec<Option<Plan>>,
    /// Whether the program is not seen to use the function so.
    guessed: bool,
    /// Whether an instance was chosen of which the equation says nothing: what is wrong then may be right with another.
    open: bool,
    /// What goes to each parameter: nothing to dictionaries, and to variables that the equation does not tell.
    given: Vec<Option<TermId>>,
    /// Arguments that the result is applied to, with their types.
    more: Vec<(TermId, Type)>,
    result: Type,
}

/// Judges an equation. A function may be used at several types, and then the entries of its map do not go together; but each
/// of them must be right.
pub(super) fn judge<'g, R: Recorder<0>>(
    good: &'g Good<'g>,
    room: &mut Room<'_, '_, R>,
    question: &Question,
) -> Judged {
    let judged = judge_once(good, room, question);
    let (Judged::Unknown(_), Outcome::Value(value)) = (&judged, &question.equation.outcome) else {
        return judged;
    };
    let Shape::FiniteMap(entries) = question.equation.terms.shape(*value) else { return judged };
    if !(2..=ENTRIES).contains(&entries.len()) {
        return judged;
    }
    let (entries, mut part) = (entries.to_vec(), question.clone());
    for entry in entries {
        let alone = part.equation.terms.finite_map(&[entry]);
        part.equation.outcome = Outcome::Value(alone);
        match judge_once(good, room, &part) {
            Judged::Correct => {}
            other => return other,
        }
    }
    Judged::Correct
}

/// The entries of no longer maps are looked at one by one.
const ENTRIES: usize = 1 << 10;

fn judge_once<'g, R: Recorder<0>>(
    good: &'g Good<'g>,
    room: &mut Room<'_, '_, R>,
    question: &Question,
) -> Judged {
    let candidates = good.candidates(&question.rule, question.rule_text.as_deref());
    let mut readings = Vec::new();
    let mut doubt = Doubt(format!("the reference program has no `{}`", question.rule.function));
    let alone = candidates.len() == 1;
    for function in candidates {
        match ways(good, question, function, alone) {
            Ok(ways) => readings.push((function, ways)),
            Err(because) => doubt = because,
        }
    }
    // Functions of one name: the one at the same place is meant, if only one is.
    if readings.len() > 1 {
        let at = |(function, _): &(FunId, Vec<Reading<'_>>)| good.stands_at(*function, &question.rule);
        if readings.iter().filter(|reading| at(reading)).count() != 1 {
            return Judged::Unknown(format!(
                "the reference program has more than one `{}`",
                question.rule.function
            ));
        }
        readings.retain(at);
    }
    let Some((_, ways)) = readings.pop() else { return doubt.into() };
    // What is right in one way is right; a way in which nothing can be said is none; and one that is only guessed does not
    // count against one that the program is seen to use.
    let mut judged = None;
    let all_guessed = ways.iter().all(|reading| reading.guessed);
    let is_open = ways.len() >= WAYS || ways.iter().any(|reading| reading.open);
    for reading in ways {
        if reading.guessed && matches!(judged, Some(Judged::Wrong { .. })) && !all_guessed {
            break;
        }
        match (Trial { good, question, reading }.judge(room), &judged) {
            (Judged::Correct, _) => return Judged::Correct,
            (wrong @ Judged::Wrong { .. }, _) => judged = Some(wrong),
            (unknown, None) => judged = Some(unknown),
            (Judged::Unknown(_), Some(_)) => {}
        }
    }
    match judged {
        Some(Judged::Wrong { .. }) if is_open => {
            Judged::Unknown("the equation does not tell at which types it was called".to_owned())
        }
        Some(judged) => judged,
        None => doubt.into(),
    }
}

/// A call that was cut off after fewer redexes than this may have been on a good way.
pub(super) const FEW: u64 = 64;

/// No more instances are tried.
const INSTANCES: usize = 64;
/// No more ways to read an equation are tried.
const WAYS: usize = 6;

/// The ways to read an equation as a call of a function: which instances are meant. Those that the program itself uses the
/// function at come first, as far as they make sense of the equation.
///
/// Values of a newtype do not tell that they are of it. So where a type constructor is open (`m` of `Monad m`), it may be any
/// that has an instance.
fn ways<'g>(
    good: &'g Good<'g>,
    question: &Question,
    function: FunId,
    alone: bool,
) -> Result<Vec<Reading<'g>>, Doubt> {
    let mut found = Vec::new();
    let told = good.told(&question.equation);
    if !told.is_empty() && told.iter().all(Option::is_some) {
        let mut reading = read(good, question, function, alone, &told)?;
        reading.guessed = false;
        let ways = alternatives(&reading);
        return Ok(if ways.is_empty() { vec![reading] } else { ways });
    }
    for given in good.uses.get(&function).into_iter().flatten() {
        if let Ok(reading) = read(good, question, function, alone, given) {
            found.extend(alternatives(&reading));
        }
    }
    found.truncate(WAYS);
    found.iter_mut().for_each(|reading: &mut Reading<'_>| reading.guessed = false);
    let plain = read(good, question, function, alone, &[]);
    found.extend(plain.as_ref().map_or_else(|_| Vec::new(), |reading| alternatives(reading)));
    if !found.is_empty() {
        return Ok(found);
    }
    let mut types = Types::new(&good.checked.program);
    let signature = good.signature(&mut types, function, &mut Scope::default());
    let wanted = signature.slots.iter().filter_map(|slot| match slot {
        Slot::Dictionary(wanted) => Some(wanted.as_ref().map(|wanted| wanted.class)),
        _ => None,
    });
    for (row, class) in wanted.enumerate() {
        let instances = good.checked.program.instances.iter().zip(&good.lowered.instances);
        let instances =
            instances.filter(|((_, instance), has)| Some(instance.class) == class && has.is_some());
        for ((instance, _), _) in instances.take(INSTANCES) {
            // What the instance itself needs is found by the types.
            let mut given = vec![None; row];
            given.push(Some(Plan { instance, needs: Vec::new() }));
            if let Ok(reading) = read(good, question, function, alone, &given) {
                found.extend(alternatives(&reading));
            }
        }
        if !found.is_empty() {
            found.truncate(WAYS);
            return Ok(found);
        }
    }
    plain.map(|reading| vec![reading])
}

/// How an equation is a call of a function, with instances for its dictionaries as far as they are given. If it may be a call
/// of others as well, everything in it must be of the right type.
fn read<'g>(
    good: &'g Good<'g>,
    question: &Question,
    function: FunId,
    alone: bool,
    dictionaries: &[Option<Plan>],
) -> Result<Reading<'g>, Doubt> {
    let infer = if alone { Typing::infer } else { Typing::check };
    let equation = &question.equation;
    let mut typing = Typing::new(good);
    let signature = good.signature(&mut typing.types, function, &mut Scope::default());
    let slots = signature.slots.iter().filter_map(|slot| match slot {
        Slot::Dictionary(wanted) => Some(wanted),
        _ => None,
    });
    for (wanted, plan) in slots.zip(dictionaries) {
        if let (Some(wanted), Some(plan)) = (wanted, plan)
            && !typing.types.use_instance(plan, wanted)
        {
            return Err(Doubt::new("an instance does not fit"));
        }
    }
    let count = |wanted: fn(&Slot) -> bool| signature.slots.iter().filter(|slot| wanted(slot)).count();
    let ordinary = count(|slot| matches!(slot, Slot::Ordinary(_)));
    let captured = count(|slot| matches!(slot, Slot::Captured(..)));
    let all = captured > 0 && equation.before.is_empty() && equation.arguments.len() == captured + ordinary;
    let mut arguments = equation.arguments.iter().map(|argument| argument.value);
    let mut given = Vec::with_capacity(signature.slots.len());
    let mut lacking = Vec::new();
    for slot in &signature.slots {
        let (term, ty) = match slot {
            Slot::Dictionary(_) => {
                given.push(None);
                continue;
            }
            Slot::Captured(_, ty) if all => (arguments.next(), *ty),
            Slot::Captured(name, ty) => {
                let binding = equation.before.iter().find(|binding| Some(&*binding.name) == name.as_deref());
                (binding.map(|binding| binding.value), *ty)
            }
            Slot::Ordinary(ty) => {
                let term = arguments.next();
                if term.is_none() {
                    lacking.push(*ty);
                }
                (term, *ty)
            }
        };
        if let Some(term) = term {
            infer(&mut typing, &equation.terms, term, ty)?;
        }
        given.push(term);
    }
    let left: Vec<TermId> = arguments.collect();
    let Some((types, mut result)) = typing.types.function_parts(signature.result, left.len()) else {
        return Err(Doubt(format!("`{}` has other parameters there", question.rule.function)));
    };
    let more: Vec<(TermId, Type)> = left.into_iter().zip(types).collect();
    for &(term, ty) in &more {
        infer(&mut typing, &equation.terms, term, ty)?;
    }
    for &ty in lacking.iter().rev() {
        result = typing.types.function(ty, result);
    }
    if let Outcome::Value(term) = equation.outcome {
        match (performed(equation, term), good.is_action(&mut typing.types, result)) {
            (Some(Performed { value: Some(value), .. }), Some(inside)) => {
                infer(&mut typing, &equation.terms, value, inside)?;
            }
            (Some(_), _) => {}
            (None, _) => infer(&mut typing, &equation.terms, term, result)?,
        }
    }
    typing.settle(&equation.terms)?;
    // An instance whose own dictionaries are not told is found by its types.
    let plans = dictionaries.iter().map(|plan| {
        plan.clone()
            .filter(|plan| plan.needs.len() == good.checked.program.instances[plan.instance].context.len())
    });
    let plans = plans.collect();
    Ok(Reading { function, typing, plans, guessed: true, open: false, signature, given, more, result })
}

/// What came of an action, as an equation tells it: `IO value`, and after `printing` what was printed by it and by what it
/// called. If it gave and printed nothing, it was not executed.
struct Performed {
    value: Option<TermId>,
    output: Option<Printed>,
}

/// What was printed.
#[derive(Clone, Debug)]
enum Printed {
    /// A text, and so many bytes or characters more.
    Text(String, u64),
    /// So many bytes.
    Bytes(u64),
}

fn performed(equation: &Equation, term: TermId) -> Option<Performed> {
    let terms = &equation.terms;
    let (Shape::Con("IO", parts) | Shape::Record("IO", parts)) = terms.shape(term) else { return None };
    let output = parts.iter().skip(1).find_map(|&part| match terms.shape(part) {
        Shape::Str(text, more) => Some(Printed::Text(text.to_owned(), more)),
        Shape::Opaque(text) => {
            let count = text.strip_prefix("printing-")?.strip_suffix("-bytes")?.parse().ok()?;
            Some(Printed::Bytes(count))
        }
        _ => None,
    });
    let value = parts.first().map(|&part| match terms.shape(part) {
        Shape::Field(_, value) => value,
        _ => part,
    });
    let gave = |value: &TermId| !matches!(terms.shape(*value), Shape::Unevaluated) || output.is_some();
    Some(Performed { value: value.filter(gave), output })
}

/// A reading with the types that it leaves open decided in every way that the program has all instances for.
fn alternatives<'g>(reading: &Reading<'g>) -> Vec<Reading<'g>> {
    let chosen = reading.typing.chosen.values().flat_map(|chosen| &chosen.signature.slots);
    let dictionary = |slot: &Slot| match slot {
        Slot::Dictionary(wanted) => Some(wanted.clone()),
        _ => None,
    };
    let own = reading.signature.slots.iter().filter_map(dictionary).enumerate();
    let own = own.filter(|(row, _)| reading.plans.get(*row).is_none_or(Option::is_none)).map(|(_, one)| one);
    let Some(wanted) = own.chain(chosen.filter_map(dictionary)).collect::<Option<Vec<Wanted>>>() else {
        return Vec::new();
    };
    let open = reading.typing.has_open(&wanted);
    let mut ways = reading.typing.decided(&wanted);
    ways.retain_mut(|typing| typing.has_all_instances(&wanted));
    ways.into_iter().map(|typing| Reading { typing, open, ..reading.clone() }).collect()
}

/// One reading of an equation, at types.
struct Trial<'g, 'q> {
    good: &'g Good<'g>,
    question: &'q Question,
    reading: Reading<'g>,
}

impl<'g> Trial<'g, '_> {
    fn judge<R: Recorder<0>>(self, room: &mut Room<'_, '_, R>) -> Judged {
        let Trial { good, question, reading } = self;
        let main = good.is_root(reading.function);
        *room.machine.world() = room.outside.world(main);
        let mut stage = Stage {
            good,
            machine: &mut *room.machine,
            asking: &mut *room.asking,
            typing: reading.typing.clone(),
            terms: question.equation.terms.clone(),
            maps: Vec::new(),
            doubt: None,
            vague: false,
            opaque: false,
            compared: 0,
            kept: Word::char(0),
        };
        let met = match call(&mut stage, &reading) {
            Ok(call) => {
                stage.machine.hold(call);
                outcome(&mut stage, &reading, question, room.outside)
            }
            Err(unbuilt) => Met::from(unbuilt),
        };
        let _ = stage.machine.world().flush();
        let forbidden = room.outside.doubt(stage.machine.world().refused());
        match met {
            Met::Same | Met::Different | Met::Raised(_) if forbidden.is_some() => {
                Judged::Unknown(forbidden.unwrap_or_default())
            }
            Met::Same if stage.opaque => Judged::Unknown("a part of it is shown by its kind only".to_owned()),
            Met::Same => Judged::Correct,
            Met::Different => Judged::Wrong { early: false },
            Met::Unevaluated | Met::Raised(_) => Judged::Wrong { early: true },
            Met::Unclear(doubt) => doubt.into(),
            Met::Ended(end) => {
                room.machine.abandon(room.asking);
                Judged::Unknown(limit(&end))
            }
        }
    }
}

/// The call in the reference, not evaluated yet.
fn call<R: Recorder<0>>(stage: &mut Stage<'_, '_, '_, R>, reading: &Reading<'_>) -> Result<Word, Unbuilt> {
    let mut words = Vec::with_capacity(reading.signature.slots.len());
    let mut lacks = false;
    let mut plans = reading.plans.iter();
    for (slot, given) in reading.signature.slots.iter().zip(&reading.given) {
        let word = match (slot, given) {
            (Slot::Dictionary(wanted), _) => {
                let known = plans.next().cloned().flatten();
                let plan = known
                    .or_else(|| stage.typing.types.plan(wanted.as_ref()?, &stage.good.lowered.instances));
                let Some(plan) = plan else {
                    return Err(Doubt::new("the types that it was called at are not known").into());
                };
                stage.dictionary(&plan)?
            }
            (Slot::Captured(_, ty) | Slot::Ordinary(ty), Some(term)) => stage.build(*term, *ty)?,
            // A variable that the original did not have is one that it never evaluated; one without a name is not told.
            (Slot::Captured(name, _), None) => {
                let number = if name.is_some() { UNEVALUATED } else { NOT_TOLD };
                stage.machine.unknown(stage.asking, number)?
            }
            (Slot::Ordinary(_), None) => {
                lacks = true;
                continue;
            }
        };
        words.push(word);
    }
    for &(term, ty) in reading.more.iter().filter(|_| !lacks) {
        words.push(stage.build(term, ty)?);
    }
    let function = stage.machine.function(reading.function);
    Ok(stage.machine.suspend(function, &words)?)
}

/// Evaluates the call, which is held last, and compares.
fn outcome<R: Recorder<0>>(
    stage: &mut Stage<'_, '_, '_, R>,
    reading: &Reading<'_>,
    question: &Question,
    outside: &Outside,
) -> Met {
    let equation = &question.equation;
    let action = stage.good.is_action(&mut stage.typing.types, reading.result);
    if let Some(ended) = question.ended.as_ref().filter(|ended| whole::is_bad(ended)) {
        return whole::ends_alike(stage, ended, action.is_some());
    }
    match equation.outcome {
        Outcome::Value(term) => match performed(equation, term) {
            Some(told) => {
                let inside = action.unwrap_or_else(|| stage.typing.types.open());
                let met = perform(stage, &told, inside, outside).unwrap_or_else(|met| met);
                match heed_memory(stage, met) {
                    Met::Different if stage.vague => {
                        Met::Unclear(Doubt::new("the equation does not tell which exception it was given"))
                    }
                    met => met,
                }
            }
            None => {
                let met = stage.meet(term, reading.result);
                heed_memory(stage, met)
            }
        },
        Outcome::Exception(term) => match come_to_an_end(stage, action.is_some()) {
            Err(Met::Raised(exception)) => exceptions(stage, exception, term),
            Ok(()) => Met::Different,
            Err(other) => other,
        },
        Outcome::Unfinished => match come_to_an_end(stage, action.is_some()) {
            Ok(()) => Met::Different,
            Err(Met::Raised(exception)) => {
                let (message, _) = stage.machine.described(exception);
                // What needs an argument that never ended does not end either.
                match message.is_empty() || message.contains("<<loop>>") {
                    true => Met::Same,
                    false => Met::Different,
                }
            }
            // It has hardly begun.
            Err(Met::Unevaluated) if question.size < FEW => Met::Same,
            Err(Met::Unevaluated) => {
                Met::Unclear(Doubt::new("it was cut off before everything was evaluated"))
            }
            Err(other) => other,
        },
        Outcome::Nothing => Met::Unclear(Doubt::new("it came to nothing that could be compared")),
    }
}

/// Executes the action that the call gives, and compares what it gave and printed.
fn perform<R: Recorder<0>>(
    stage: &mut Stage<'_, '_, '_, R>,
    told: &Performed,
    inside: Type,
    outside: &Outside,
) -> Result<Met, Met> {
    let action = stage.evaluate(false)?;
    let Some(value) = told.value else { return Ok(Met::Same) };
    if !matches!(stage.machine.look(stage.asking, action), Found::Action) {
        return Err(Met::Unclear(Doubt::new("an action is compared with something else")));
    }
    stage.machine.hold(action);
    let gave = stage.evaluate(true)?;
    stage.machine.hold(gave);
    let met = stage.meet(value, inside);
    if matches!(met, Met::Ended(_)) {
        return Err(met);
    }
    let _ = stage.machine.world().flush();
    // What gave nothing may have been cut off: it might have printed more.
    let is_cut = matches!(stage.terms.shape(value), Shape::Unevaluated);
    let same = match &told.output {
        None => is_cut || outside.printed("", 0),
        Some(Printed::Text(text, _)) if is_cut => outside.begins(text),
        Some(Printed::Text(text, more)) => outside.printed(text, *more),
        Some(Printed::Bytes(count)) => {
            stage.opaque = true;
            outside.count() == *count
        }
    };
    match met {
        Met::Same if !same => Ok(Met::Different),
        met => Ok(met),
    }
}

/// An exception is a difference, unless it is of no meaning.
fn heed_memory<R: Recorder<0>>(stage: &mut Stage<'_, '_, '_, R>, met: Met) -> Met {
    let Met::Raised(exception) = met else { return met };
    match stage.machine.described(exception).1 {
        Some(resource) => short_of(resource),
        None => Met::Raised(exception),
    }
}

/// Both raised something: whether it is the same, as far as it is known.
fn exceptions<R: Recorder<0>>(stage: &mut Stage<'_, '_, '_, R>, exception: Word, term: TermId) -> Met {
    let (found, exhausted) = stage.machine.described(exception);
    let told = bottom_text(&stage.terms, term);
    let (told, found) = (without_place(&told), without_place(&found));
    if let Some(resource) = exhausted
        && !told.contains(found)
    {
        return short_of(resource);
    }
    let same = told.is_empty() || found.is_empty() || told.contains(found) || found.contains(told);
    if same { Met::Same } else { Met::Raised(exception) }
}

fn limit(end: &End) -> String {
    match end {
        End::TimeLimit => "the reference program takes too long".to_owned(),
        End::StepLimit => "the reference program takes too many steps".to_owned(),
        End::Interrupted => "the reference program was stopped".to_owned(),
        End::Exit(_) => "the reference program ended itself".to_owned(),
        End::Uncaught(uncaught) => format!("the reference program ended: {}", uncaught.message),
    }
}
