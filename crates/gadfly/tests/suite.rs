//! The literate suite: Markdown files in `tests/suite` with commands and what they print.
//!
//! In a file, a fence ```` ```text file=NAME ```` is written to NAME; in a fence ```` ```console ```` every line after
//! `$ ` is run by `sh` in a fresh folder (one a file, the examples in `examples/`), and what follows is what it prints,
//! stdout and stderr together; a status other than 0 is told as `[exit N]`. `GADFLY_UPDATE=1` writes what was printed
//! into the files: read the difference before you commit it. `GADFLY_SUITE=python/` plays only files with that in their path.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

#[test]
fn the_suite_prints_what_it_says() {
    let update = std::env::var_os("GADFLY_UPDATE").is_some();
    let mut files = Vec::new();
    collect(&root().join("tests/suite"), &mut files);
    files.sort();
    if let Ok(wanted) = std::env::var("GADFLY_SUITE") {
        files.retain(|file| file.to_string_lossy().contains(&wanted));
    }
    assert!(!files.is_empty(), "there is no suite");
    let mut failures = String::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let now = play(&text);
        if now == text {
            continue;
        }
        if update {
            fs::write(file, now).unwrap();
        } else {
            let name = file.strip_prefix(root()).unwrap().display();
            let _ = writeln!(failures, "{name}:\n{}", difference(&text, &now));
        }
    }
    assert!(failures.is_empty(), "\n{failures}\nGADFLY_UPDATE=1 writes what was printed into the files.");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
}

/// Plays a file and gives its text with what was printed.
fn play(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(
        root().join("examples").canonicalize().unwrap(),
        folder.path().join("examples"),
    )
    .unwrap();
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let Some(fence) = line.strip_prefix("```") else { continue };
        let mut body = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            body.push(line);
        }
        if let Some(name) = fence.split_whitespace().find_map(|word| word.strip_prefix("file=")) {
            let mut content = body.join("\n");
            content.push('\n');
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        if fence == "console" {
            let commands = body.iter().filter(|line| line.starts_with("$ ") || line.starts_with("> "));
            for command in join_continued(commands.copied()) {
                for line in command.lines() {
                    let _ = writeln!(out, "{line}");
                }
                out.push_str(&run(
                    &command.lines().map(|line| &line[2..]).collect::<Vec<_>>().join("\n"),
                    folder.path(),
                ));
            }
        } else {
            for line in body {
                let _ = writeln!(out, "{line}");
            }
        }
        out.push_str("```\n");
    }
    out
}

/// A command goes on over the lines that begin with `> `.
fn join_continued<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for line in lines {
        match commands.last_mut() {
            Some(last) if line.starts_with("> ") => {
                last.push('\n');
                last.push_str(line);
            }
            _ => commands.push(line.to_owned()),
        }
    }
    commands
}

/// The folder with the Python package, built for the `python3` that is there.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let built = Path::new(env!("CARGO_BIN_EXE_gadfly")).parent().unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--quiet", "-p", "gadfly-tracer", "--target-dir"])
            .arg(built.parent().unwrap());
        let done = command.current_dir(root()).stdin(Stdio::null()).status().unwrap();
        assert!(done.success(), "the Python extension cannot be built");
        let package = built.join("python-package");
        let inside = package.join("gadfly");
        // Modules that an earlier build had are not to be found.
        let _ = fs::remove_dir_all(&inside);
        copy_modules(&root().join("python/gadfly"), &inside);
        fs::copy(built.join("lib_native.so"), inside.join("_native.so")).unwrap();
        package
    })
}

/// Copies the Python files of a folder and of the folders in it.
fn copy_modules(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copy = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_modules(&path, &copy);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            fs::copy(&path, copy).unwrap();
        }
    }
}

fn run(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_gadfly"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{{ {command}\n}} 2>&1"))
        .current_dir(folder)
        .env("PATH", path)
        .env("PYTHONPATH", package())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("GADFLY_STATE", folder.join("state"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).replace(&*folder.to_string_lossy(), "FOLDER");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text.push_str(&format!("[exit {code}]\n")),
        None => text.push_str("[killed]\n"),
    }
    text
}

/// The first lines that differ.
fn difference(expected: &str, printed: &str) -> String {
    let mut out = String::new();
    let (mut expected, mut printed) = (expected.lines(), printed.lines());
    for number in 1.. {
        match (expected.next(), printed.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let _ = writeln!(
                    out,
                    "  line {number}:\n    expected: {}\n    printed:  {}",
                    a.unwrap_or("(end)"),
                    b.unwrap_or("(end)")
                );
                if out.lines().count() > 12 {
                    break;
                }
            }
        }
    }
    out
}
