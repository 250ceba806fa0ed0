//! Paths in JSON: as people write them, or, where that would be read as another path (a field's name with a dot in it), as
//! a root and its parts.

use crate::{Part, Path, Root};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a mark is a text such as `@result.3`")]
enum PathText {
    Written(String),
    Parts { root: RootText, parts: Vec<PartText> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RootText {
    Result,
    Argument(u32),
    Function,
    Before(String),
    After(String),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PartText {
    Index(u32),
    Name(String),
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        text(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Path, D::Error> {
        match PathText::deserialize(deserializer)? {
            PathText::Written(text) => text.parse().map_err(D::Error::custom),
            PathText::Parts { root, parts } => Ok(path(root, parts)),
        }
    }
}

fn text(path: &Path) -> PathText {
    let written = path.to_string();
    if written.parse().as_ref() == Ok(path) {
        return PathText::Written(written);
    }
    let root = match &path.root {
        Root::Result => RootText::Result,
        Root::Argument(index) => RootText::Argument(*index),
        Root::Function => RootText::Function,
        Root::Before(name) => RootText::Before(name.to_string()),
        Root::After(name) => RootText::After(name.to_string()),
    };
    let parts = path.parts.iter().map(|part| match part {
        Part::Index(index) => PartText::Index(*index),
        Part::Name(name) => PartText::Name(name.to_string()),
    });
    PathText::Parts { root, parts: parts.collect() }
}

fn path(root: RootText, parts: Vec<PartText>) -> Path {
    let root = match root {
        RootText::Result => Root::Result,
        RootText::Argument(index) => Root::Argument(index),
        RootText::Function => Root::Function,
        RootText::Before(name) => Root::Before(name.into()),
        RootText::After(name) => Root::After(name.into()),
    };
    let parts = parts.into_iter().map(|part| match part {
        PartText::Index(index) => Part::Index(index),
        PartText::Name(name) => Part::Name(name.into()),
    });
    Path { root, parts: parts.collect() }
}
