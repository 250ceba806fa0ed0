//! Trails of earlier versions are shown as they were when they were new. Beside each of the files in `tests/data` is what was shown
//! of it then; neither is ever written again. (By hand, since: an action that raised an exception is shown as `IO ⊥`.)
//!
//! `GADFLY_KEEP=1 cargo test -p gadfly-views kept` writes what is shown of trails that have nothing beside them. The programs are
//! the files in the trails: values of every form, from every front-end.

use super::look;
use gadfly_term::render::equation_line;
use gadfly_trail::Trail;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{Order, View, Viewed};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const WIDTH: usize = 2000;

#[test]
fn old_trails_are_shown_as_ever() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut trails = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "trail") {
            continue;
        }
        let shown = shown(&path);
        let kept = path.with_extension("txt");
        if std::env::var_os("GADFLY_KEEP").is_some() && !kept.exists() {
            fs::write(&kept, &shown).unwrap();
        }
        assert_eq!(shown, fs::read_to_string(&kept).unwrap(), "{}", path.display());
        trails += 1;
    }
    assert_ne!(trails, 0);
}

/// Both trees of a trail.
fn shown(path: &Path) -> String {
    let mut text = String::new();
    for view in [View::Edt, View::Fdt] {
        let viewed = look(Trail::open(path).unwrap(), view, Order::Outermost);
        let about = &viewed.about;
        writeln!(text, "{view:?} of {}, {:?}, {:?}", about.language, about.program, about.style).unwrap();
        writeln!(text, "{:032x}", viewed.fingerprint).unwrap();
        tree(&viewed, &mut text);
    }
    text
}

fn tree(viewed: &Viewed, text: &mut String) {
    let tree = &viewed.tree;
    let mut depth = vec![0; tree.len() as usize];
    for node in (0..tree.len()).map(Node) {
        depth[node.index()] = tree.parent(node).map_or(0, |parent| depth[parent.index()] + 1);
        for whole in [false, true] {
            let behaviour = viewed.behaviours.behaviour(tree, node, whole).unwrap();
            let line = equation_line(&behaviour.equation, viewed.about.style, WIDTH).text;
            writeln!(text, "{}{line}", "  ".repeat(depth[node.index()])).unwrap();
        }
    }
}
