//! Which project a program belongs to, and where its files are in it.
//!
//! An equation is right or wrong by what a program is meant to do, so an answer about one program says nothing about another
//! that happens to have the same rule. Knowledge is therefore kept for each project, and in it for each file.

use std::fs;
use std::path::{Path, PathBuf};

/// What lies in the root folder of a project.
const MARKERS: [&str; 10] = [
    ".git",
    ".hg",
    ".jj",
    ".svn",
    "cabal.project",
    "package.yaml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "stack.yaml",
];

/// A project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    name: String,
    root: PathBuf,
}

impl Project {
    /// The project of a program, by the name that the user gives it, or by its root folder: the nearest above the file that
    /// looks like one, or else the file's own.
    pub fn of(file: &Path, name: Option<&str>) -> Project {
        let file = resolved(file);
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        let is_root = |folder: &&Path| MARKERS.iter().any(|marker| folder.join(marker).exists());
        let root = folder.ancestors().find(is_root).unwrap_or(&folder).to_owned();
        // A name and a folder are never the same: a folder is absolute.
        let name = name.map_or_else(|| root.display().to_string(), |name| format!("name {name}"));
        Project { name, root }
    }

    /// What tells it from others.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A file of the program as the project knows it, wherever Gadfly was started.
    pub(super) fn file(&self, name: &str) -> String {
        let file = resolved(Path::new(name));
        file.strip_prefix(&self.root).unwrap_or(&file).display().to_string()
    }
}

fn resolved(file: &Path) -> PathBuf {
    let absolute = || std::path::absolute(file).ok();
    fs::canonicalize(file).ok().or_else(absolute).unwrap_or_else(|| file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_known_by_its_root_folder_or_its_name() {
        let stage = tempfile::tempdir().unwrap();
        let (one, other) = (stage.path().join("one"), stage.path().join("other"));
        for folder in [one.join("src"), other.join("src")] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("a.hs"), "").unwrap();
        }
        fs::create_dir(one.join(".git")).unwrap();
        let file = one.join("src/a.hs");
        let project = Project::of(&file, None);
        assert_eq!(project, Project::of(&one.join("b.hs"), None));
        assert_ne!(project.name(), Project::of(&other.join("src/a.hs"), None).name());
        assert_eq!(project.file(&file.display().to_string()), "src/a.hs");
        assert_eq!(project.file(&one.join("src/../src/a.hs").display().to_string()), "src/a.hs");
        let named = Project::of(&other.join("src/a.hs"), Some("mine"));
        assert_eq!(named.name(), Project::of(&file, Some("mine")).name());
    }
}
