//! The first line.

use super::VERSION;
use super::error::{Fault, Problem};
use super::language;
use super::places::once;
use super::scan::{Scan, Scanner, decode};
use gadfly_term::render::Style;
use gadfly_tree::About;

/// A file that the header lists.
pub(crate) struct Listed {
    pub file: String,
    pub text: Option<String>,
}

const HEADER: &str = "the first line is a header such as {\"gadfly\": 1, \"language\": \"python\", \"sources\": [{\"file\": \"main.py\"}]}";

/// Reads the header line.
pub(crate) fn header(line: &[u8]) -> Scan<(About, Vec<Listed>)> {
    let mut scanner = Scanner::new(line);
    if !scanner.accept(b'{') {
        return Err(missing(scanner.at()));
    }
    version_first(scanner.clone())?;
    let mut version = false;
    let (mut language, mut program, mut style, mut sources) = (None, None, None, None);
    let mut more = !scanner.accept(b'}');
    while more {
        scanner.peek();
        let at = scanner.at();
        let twice = |seen: bool, field| match seen {
            true => Err(Fault::field(at, "this field occurs twice", "write every field once").within(field)),
            false => Ok(()),
        };
        match &*scanner.name()? {
            b"gadfly" => {
                twice(version, "gadfly")?;
                version = true;
                scanner.skip()?;
            }
            b"language" => {
                twice(language.is_some(), "language")?;
                language = Some(text(&mut scanner).map_err(|fault| fault.within("language"))?);
            }
            b"program" => {
                twice(program.is_some(), "program")?;
                if !scanner.null()? {
                    program = Some(text(&mut scanner).map_err(|fault| fault.within("program"))?);
                }
            }
            b"style" => {
                twice(style.is_some(), "style")?;
                if !scanner.null()? {
                    style = Some(read_style(&mut scanner).map_err(|fault| fault.within("style"))?);
                }
            }
            b"sources" => {
                twice(sources.is_some(), "sources")?;
                if !scanner.null()? {
                    sources = Some(read_sources(&mut scanner).map_err(|fault| fault.within("sources"))?);
                }
            }
            _ => scanner.skip()?,
        }
        more = scanner.more(b'}')?;
    }
    let end = scanner.at();
    scanner.end()?;
    let language = language.ok_or_else(|| {
        let hint = "add a field such as \"language\": \"python\"";
        Fault::field(end, "the header has no `language`", hint).within("language")
    })?;
    let style = style.unwrap_or_else(|| language::style(&language));
    Ok((About { language, program, style }, sources.unwrap_or_default()))
}

/// Looks for the version before anything else is judged: another version may have other fields.
fn version_first(mut scanner: Scanner<'_>) -> Scan<()> {
    let start = scanner.at();
    let mut more = !scanner.accept(b'}');
    while more {
        let key = scanner.name()?;
        scanner.peek();
        let at = scanner.at();
        scanner.skip()?;
        if *key == *b"gadfly" {
            let version = &scanner.line()[at..scanner.at()];
            if version == VERSION.to_string().as_bytes() {
                return Ok(());
            }
            let version: String = String::from_utf8_lossy(version).chars().take(40).collect();
            return Err(Box::new(Fault {
                problem: Problem::WrongVersion,
                at,
                field: Some("gadfly"),
                message: format!("the format version is {version}; this program reads version {VERSION}"),
                hint: "write \"gadfly\": 1, or use a Gadfly that reads this version",
            }));
        }
        more = scanner.more(b'}')?;
    }
    Err(missing(start))
}

#[cold]
fn missing(at: usize) -> Box<Fault> {
    Box::new(Fault {
        problem: Problem::MissingHeader,
        at,
        field: None,
        message: "the file does not begin with a header".into(),
        hint: HEADER,
    })
}

fn text(scanner: &mut Scanner<'_>) -> Scan<String> {
    Ok(decode(scanner.string()?).into_owned())
}

fn read_style(scanner: &mut Scanner<'_>) -> Scan<Style> {
    scanner.peek();
    let at = scanner.at();
    match scanner.string()? {
        b"juxtaposed" => Ok(Style::Juxtaposed),
        b"called" => Ok(Style::Called),
        _ => Err(Fault::field(at, "unknown style", "write \"juxtaposed\" or \"called\"")),
    }
}

fn read_sources(scanner: &mut Scanner<'_>) -> Scan<Vec<Listed>> {
    let mut sources = Vec::new();
    if !scanner.accept(b'[') {
        return Err(scanner.wanted("an array"));
    }
    let mut more = !scanner.accept(b']');
    while more {
        if !scanner.accept(b'{') {
            return Err(scanner.wanted("an object with `file` and perhaps `text`"));
        }
        let start = scanner.at();
        let (mut file, mut contents) = (None, None);
        let mut fields = !scanner.accept(b'}');
        while fields {
            scanner.peek();
            let at = scanner.at();
            match &*scanner.name()? {
                b"file" => once(&mut file, text(scanner)?, at)?,
                b"text" if scanner.null()? => {}
                b"text" => once(&mut contents, text(scanner)?, at)?,
                _ => scanner.skip()?,
            }
            fields = scanner.more(b'}')?;
        }
        let Some(file) = file else {
            return Err(Fault::field(start, "a source has no `file`", "give every source its file name"));
        };
        sources.push(Listed { file, text: contents });
        more = scanner.more(b']')?;
    }
    Ok(sources)
}
