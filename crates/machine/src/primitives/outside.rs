//! Arguments, the environment, the clock, and the end of a program.

use super::{Context, Primitive, Stop, action};
use crate::word::Word;
use crate::world;

fn arguments<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    let texts = context.world.arguments().to_vec();
    let words = texts.iter().map(|text| context.string(text)).collect::<Result<Vec<_>, _>>()?;
    context.list(&words)
}

fn program<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    let name = context.world.program().to_owned();
    context.string(&name)
}

fn environment<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    let mut pairs = Vec::new();
    for (name, value) in context.world.environment().to_vec() {
        let (name, value) = (context.string(&name)?, context.string(&value)?);
        pairs.push(context.pair(name, value)?);
    }
    context.list(&pairs)
}

/// The status is what a shell sees of GHC's: a signal for the negative ones, 255 for what does not fit.
fn exit<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    // Whether the output was taken or not, the program ends.
    let _ = context.world.flush();
    Err(Stop::Exit(match context.to_int(arguments[0]) {
        status @ 0..=255 => status as i32,
        signal @ -127..=-1 => 128 - signal as i32,
        _ => 255,
    }))
}

fn processor_time<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    context.integer(world::processor_time())
}

fn wall_time<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    context.integer(world::wall_time())
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            action("getArgs", 0, arguments),
            action("getProgName", 0, program),
            action("getEnvironment", 0, environment),
            action("exit", 1, exit),
            action("cpuTime", 0, processor_time),
            action("wallTime", 0, wall_time),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;
    use crate::world::Settings;

    #[test]
    fn a_program_knows_how_it_was_called() {
        let mut stage = Stage::with(Settings {
            program: "prog".to_owned(),
            arguments: vec!["one".to_owned(), "zwölf".to_owned()],
            environment: vec![("HOME".to_owned(), "/home".to_owned())],
            ..Settings::empty()
        });
        assert_eq!(stage.text("getProgName", &[]), "prog");
        let list = stage.call("getArgs", &[]).unwrap();
        let texts: Vec<String> =
            stage.elements(list).into_iter().map(|word| stage.context().to_string(word)).collect();
        assert_eq!(texts, ["one", "zwölf"]);
        let list = stage.call("getEnvironment", &[]).unwrap();
        let (name, value) = stage.parts(stage.elements(list)[0]);
        assert_eq!(stage.context().to_string(name), "HOME");
        assert_eq!(stage.context().to_string(value), "/home");
    }

    #[test]
    fn the_status_is_what_the_system_can_tell() {
        let mut stage = Stage::new();
        for (status, seen) in [(0, 0), (3, 3), (255, 255), (256, 255), (300, 255), (-9, 137), (-128, 255)] {
            let status = stage.int(status);
            assert_eq!(stage.call("exit", &[status]), Err(Stop::Exit(seen)));
        }
    }

    #[test]
    fn clocks_do_not_go_backwards() {
        let mut stage = Stage::new();
        for name in ["cpuTime", "wallTime"] {
            let earlier = stage.call(name, &[]).unwrap();
            let later = stage.call(name, &[]).unwrap();
            assert!(stage.bool("integerLe", &[earlier, later]), "{name}");
        }
    }
}
