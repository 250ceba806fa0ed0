//! References and where they come from: a file, a folder or a module that is there, a revision that git has, a release that pip installs.

use super::messages::{ReferenceKind, ReferencePlace};
use gadfly_frontend::Failure;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A reference: another file, another revision, another release.
#[derive(Debug)]
pub(crate) struct ReferenceVersion {
    place: ReferencePlace,
    /// A folder that goes away with it.
    _folder: Option<tempfile::TempDir>,
}

impl ReferenceVersion {
    pub(crate) fn place(&self) -> &ReferencePlace {
        &self.place
    }

    /// What `reference:` names: a file, a folder, or a module that can be imported.
    pub(crate) fn reference(name: &str) -> Result<ReferenceVersion, Failure> {
        let path = Path::new(name);
        let kind = match (path.is_dir(), path.is_file()) {
            (true, _) => ReferenceKind::Folder,
            (_, true) if super::is_program(path) => ReferenceKind::File,
            (_, true) => {
                return Err(Failure::usage(format!("{name}: not a Python program"))
                    .with_hint("a reference for a Python program is a .py file, a folder, or a module"));
            }
            _ if is_module(name) => ReferenceKind::Module,
            _ => {
                return Err(Failure::input(format!("{name}: there is no such file"))
                    .with_hint("name the reference: `--oracle reference:GOOD.py`, a folder, or a module"));
            }
        };
        let place = match kind {
            ReferenceKind::Module => name.to_owned(),
            _ => absolute(path)?.display().to_string(),
        };
        Ok(ReferenceVersion { place: ReferencePlace { kind, place, root: None }, _folder: None })
    }

    /// What `revision:` names: the program's repository as it was.
    pub(crate) fn revision(name: &str, program: &Path) -> Result<ReferenceVersion, Failure> {
        let top = git(program, &["rev-parse", "--show-toplevel"])
            .map_err(|said| {
                Failure::input(format!("{}: not in a git repository: {said}", program.display()))
                    .with_hint("`--oracle revision:REV` needs the program's history")
            })?
            .trim()
            .to_owned();
        let top = PathBuf::from(top);
        let folder = temporary()?;
        let archive = folder.path().join("archive.tar");
        let spelled = format!("--output={}", archive.display());
        git(&top, &["archive", "--format=tar", &spelled, name]).map_err(|said| {
            Failure::usage(format!("`{name}` is not a revision: {said}"))
                .with_hint("name a commit, a tag or a branch, as in `--oracle revision:v1.2`")
        })?;
        let place = folder.path().join("files");
        std::fs::create_dir(&place)?;
        let unpacked = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&place).status();
        if !unpacked.is_ok_and(|status| status.success()) {
            return Err(
                Failure::input(format!("revision {name} could not be unpacked")).with_hint("install `tar`")
            );
        }
        Ok(ReferenceVersion::folder(&place, Some(&top), folder))
    }

    /// What `release:` names: a package in another version, as pip installs it.
    pub(crate) fn release(name: &str, python: &std::ffi::OsStr) -> Result<ReferenceVersion, Failure> {
        let folder = temporary()?;
        let place = folder.path().join("packages");
        let installed = Command::new(python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"])
            .arg(&place)
            .arg(name)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| super::cannot_run(python, &error))?;
        if !installed.status.success() {
            let said = String::from_utf8_lossy(&installed.stderr);
            // Pip says last why it gives up.
            let said = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("pip failed");
            return Err(Failure::input(format!("{name} could not be installed: {said}"))
                .with_hint("name a release as pip does: `--oracle release:PACKAGE==VERSION`"));
        }
        Ok(ReferenceVersion::folder(&place, None, folder))
    }

    fn folder(place: &Path, root: Option<&Path>, folder: tempfile::TempDir) -> ReferenceVersion {
        let root = root.map(|root| root.display().to_string());
        let place = ReferencePlace { kind: ReferenceKind::Folder, place: place.display().to_string(), root };
        ReferenceVersion { place, _folder: Some(folder) }
    }
}

fn temporary() -> Result<tempfile::TempDir, Failure> {
    Ok(tempfile::Builder::new().prefix("gadfly-").tempdir()?)
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(path)?)
}

/// Whether a text could be the name of a module.
fn is_module(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && word.chars().all(|one| one.is_alphanumeric() || one == '_')
    };
    !name.ends_with(".py") && name.split('.').all(word)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let folder = if folder.is_dir() { folder } else { folder.parent().unwrap_or(Path::new("")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let said = Command::new("git").arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).output();
    let said = said.map_err(|error| format!("git cannot be run: {error}"))?;
    match said.status.success() {
        true => Ok(String::from_utf8_lossy(&said.stdout).into_owned()),
        false => {
            let error = String::from_utf8_lossy(&said.stderr);
            Err(error.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_owned())
        }
    }
}
