//! A line's rule is what its fields say, in whatever order and however alike they look to lines before.

use gadfly_interchange as interchange;
use gadfly_tree::{Node, Rule};

/// The rules of lines with these fields, in the order given.
fn rules(fields: &[&str]) -> Vec<Rule> {
    let mut text = String::from(
        "{\"gadfly\":1,\"language\":\"c\",\"sources\":[{\"file\":\"a\",\"text\":\"\"}]}\n{\"id\":0,\"function\":\"root\"}\n",
    );
    for (id, fields) in fields.iter().enumerate() {
        text += &format!("{{\"id\":{},\"parent\":0,{fields}}}\n", id + 1);
    }
    let recording = interchange::read(std::io::Cursor::new(text), None).unwrap();
    let tree = &recording.tree;
    (1..tree.len()).map(|node| tree.rules().get(tree.rule_id(Node(node))).clone()).collect()
}

fn plain(function: &str, number: Option<u32>, module: Option<&str>) -> Rule {
    Rule {
        function: function.into(),
        number,
        module: module.map(Into::into),
        path: Box::default(),
        region: None,
    }
}

#[test]
fn a_number_is_read_to_its_end() {
    let long = r#""function":"f","module":"A module with a long name","rule":"#;
    let lines: Vec<String> =
        ["2", "2", "23", "2", "230", "23", "2 "].iter().map(|rule| format!("{long}{rule}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let numbers: Vec<Option<u32>> = rules(&lines).iter().map(|rule| rule.number).collect();
    assert_eq!(numbers, [2, 2, 23, 2, 230, 23, 2].map(Some));
}

#[test]
fn fields_may_stand_apart() {
    let same = [
        r#""function":"function","rule":1,"module":"module","args":[]"#,
        r#""function":"function","rule":1,"module":"module","args":[]"#,
        r#""function":"function","rule":1,"args":[],"module":"module""#,
        r#""rule":1,"function":"function","module":"module","args":[]"#,
        r#""module":"module","args":[],"rule":1,"function":"function""#,
    ];
    assert!(rules(&same).iter().all(|rule| *rule == plain("function", Some(1), Some("module"))));
    let different = [
        r#""function":"function","rule":1,"args":[1,2,3,4,5]"#,
        r#""function":"function","rule":1,"args":[1,2,3,4,5]"#,
        r#""function":"function","rule":1,"args":[1,2,3,4,5],"module":"module""#,
        r#""module":"module","function":"function","rule":1,"args":[1,2,3,4,5]"#,
        r#""function":"function","rule":1,"module":null,"args":[1,2,3,4,5]"#,
        r#""function":"function","args":[1,2,3,4,5,6,7,8,9]"#,
    ];
    let module = plain("function", Some(1), Some("module"));
    let none = plain("function", Some(1), None);
    let expected = [&none, &none, &module, &module, &none, &plain("function", None, None)];
    assert!(rules(&different).iter().eq(expected));
}

#[test]
fn escapes_and_spaces_make_no_difference() {
    let same = [
        r#""function":"f\u00e9","rule":1,"span":{"start":[1,1],"end":[1,2]}"#,
        r#""function":"fé","rule":1,"span":{"start":[1,1],"end":[1,2]}"#,
        r#""function": "fé", "span": {"end": [1, 2], "start": [1, 1], "file": "a"}, "rule": 1"#,
    ];
    let rules = rules(&same);
    assert!(rules[0].region.is_some());
    assert!(rules.iter().all(|rule| *rule == rules[0]));
}

#[test]
fn more_rules_than_any_memory_of_them() {
    let lines: Vec<String> = (0..20_000u32)
        .map(|n| {
            format!("\"function\":\"f\",\"rule\":{},\"module\":\"m{}\",\"result\":{n}", 1 + n % 100, n % 97)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for (n, rule) in (0..).zip(rules(&lines)) {
        assert_eq!(rule, plain("f", Some(1 + n % 100), Some(&format!("m{}", n % 97))));
    }
}
