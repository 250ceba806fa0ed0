//! Laws of the heap: reachable objects stay unchanged, and unreachable ones are freed.

use super::*;
use proptest::prelude::*;

struct Stack(Vec<Word>);

impl Roots for Stack {
    fn each(&mut self, _young: bool, see: &mut dyn FnMut(&mut Word)) {
        self.0.iter_mut().for_each(see);
    }
}

fn small() -> Heap<1> {
    Heap::with_nursery(256, 1 << 20)
}

fn room(heap: &mut Heap<1>, stack: &mut Stack, length: usize) {
    if !heap.has_room(length) {
        heap.collect(stack).unwrap();
    }
}

/// A constructor whose fields are on top of the stack; it takes their place.
fn construct(heap: &mut Heap<1>, stack: &mut Stack, constructor: u32, fields: usize) {
    room(heap, stack, fields);
    let object = heap.allocate(Kind::Constructor, constructor, fields, [u64::from(constructor)]);
    let first = stack.0.len() - fields;
    for (field, value) in stack.0.drain(first..).enumerate() {
        heap.init(object, field, value);
    }
    stack.0.push(Word::object(object));
}

#[test]
fn a_long_list_survives_and_garbage_does_not() {
    let mut heap = small();
    let mut stack = Stack(vec![Word::constant(0, 0)]);
    for n in 0..20_000 {
        let rest = stack.0.pop().unwrap();
        stack.0.push(Word::int(n).unwrap());
        stack.0.push(rest);
        construct(&mut heap, &mut stack, 1, 2);
        // Garbage beside it.
        stack.0.push(Word::char(7));
        construct(&mut heap, &mut stack, 2, 1);
        stack.0.pop();
    }
    heap.collect(&mut stack).unwrap();
    let mut at = stack.0[0];
    for n in (0..20_000).rev() {
        let cell = at.index().unwrap();
        assert_eq!(heap.get(cell, 0), Word::int(n).unwrap());
        assert_eq!(heap.tag(cell), [1]);
        at = heap.get(cell, 1);
    }
    assert!(heap.collections().1 > 2, "the old part was collected");
    stack.0.clear();
    for _ in 0..3 {
        heap.next_major = 0;
        heap.collect(&mut stack).unwrap();
    }
    assert_eq!(heap.size(), 256, "nothing is left");
}

#[test]
fn an_old_thunk_may_become_something_new() {
    let mut heap = small();
    let mut stack = Stack(vec![]);
    let thunk = heap.allocate(Kind::Thunk, 5, 0, [9]);
    heap.init(thunk, 0, Word::char(0));
    stack.0.push(Word::object(thunk));
    heap.collect(&mut stack).unwrap();
    let thunk = stack.0[0].index().unwrap();
    heap.enter(thunk);
    assert_eq!(heap.kind(thunk), Kind::BlackHole);
    stack.0.push(Word::char(65));
    construct(&mut heap, &mut stack, 3, 1);
    let value = stack.0.pop().unwrap();
    heap.update(thunk, value);
    heap.collect(&mut stack).unwrap();
    assert_eq!(heap.get(heap.follow(stack.0[0]).index().unwrap(), 0), Word::char(65));
    heap.next_major = 0;
    heap.collect(&mut stack).unwrap();
    // The indirection is gone: the root is the value itself.
    let value = stack.0[0].index().unwrap();
    assert_eq!((heap.kind(value), heap.get(value, 0)), (Kind::Constructor, Word::char(65)));
}

#[test]
fn a_selector_of_an_evaluated_pair_does_not_keep_the_pair() {
    let mut heap = small();
    let mut stack = Stack(vec![Word::char(1), Word::char(2)]);
    construct(&mut heap, &mut stack, 0, 2);
    let pair = stack.0.pop().unwrap();
    let selector = heap.allocate(Kind::Selector, 1, 1, [0]);
    heap.init(selector, 0, pair);
    stack.0.push(Word::object(selector));
    heap.collect(&mut stack).unwrap();
    assert_eq!(stack.0, [Word::char(2)]);
}

#[test]
fn a_full_heap_says_so() {
    let mut heap: Heap<1> = Heap::with_nursery(256, 1024);
    let mut stack = Stack(vec![Word::constant(0, 0)]);
    let mut full = false;
    for _ in 0..1000 {
        if !heap.has_room(1) && heap.collect(&mut stack).is_err() {
            full = true;
            break;
        }
        construct(&mut heap, &mut stack, 1, 1);
    }
    assert!(full);
    assert_eq!(heap.allocate_large(Kind::Mutable, 5000, Word::char(0), [0]), Err(Exhausted));
}

/// What is done with a heap and, beside it, with plain vectors.
#[derive(Clone, Debug)]
enum Step {
    Push(i64),
    Construct(u8),
    Copy(prop::sample::Index),
    Drop,
    Write(prop::sample::Index, prop::sample::Index, prop::sample::Index),
    Collect(bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let step = prop_oneof![
        3 => any::<i32>().prop_map(|n| Step::Push(n.into())),
        4 => (1u8..5).prop_map(Step::Construct),
        2 => index().prop_map(Step::Copy),
        2 => Just(Step::Drop),
        2 => (index(), index(), index()).prop_map(|(a, b, c)| Step::Write(a, b, c)),
        1 => any::<bool>().prop_map(Step::Collect),
    ];
    prop::collection::vec(step, 0..400)
}

/// The same graph outside of the heap.
#[derive(Clone, Debug, PartialEq)]
enum Twin {
    Int(i64),
    Cell(usize),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_graph_is_what_its_twin_is(steps in steps()) {
        let mut heap = small();
        let mut stack = Stack(vec![]);
        let mut twins: Vec<Twin> = Vec::new();
        let mut cells: Vec<Vec<Twin>> = Vec::new();
        for step in steps {
            match step {
                Step::Push(n) => {
                    stack.0.push(Word::int(n).unwrap());
                    twins.push(Twin::Int(n));
                }
                Step::Construct(fields) => {
                    let fields = usize::from(fields).min(twins.len());
                    if fields > 0 {
                        cells.push(twins.split_off(twins.len() - fields));
                        construct(&mut heap, &mut stack, fields as u32, fields);
                        twins.push(Twin::Cell(cells.len() - 1));
                    }
                }
                Step::Copy(index) if !twins.is_empty() => {
                    let index = index.index(twins.len());
                    twins.push(twins[index].clone());
                    stack.0.push(stack.0[index]);
                }
                Step::Drop => {
                    twins.pop();
                    stack.0.pop();
                }
                Step::Write(a, b, field) if !twins.is_empty() => {
                    let (a, b) = (a.index(twins.len()), b.index(twins.len()));
                    if let Twin::Cell(cell) = twins[a] {
                        let field = field.index(cells[cell].len());
                        cells[cell][field] = twins[b].clone();
                        heap.set(stack.0[a].index().unwrap(), field, stack.0[b]);
                    }
                }
                Step::Collect(major) => {
                    if major {
                        heap.next_major = 0;
                    }
                    heap.collect(&mut stack).unwrap();
                }
                Step::Copy(_) | Step::Write(..) => {}
            }
        }
        // Walk both graphs together; a cell seen before must be the same object.
        let mut seen = std::collections::HashMap::new();
        let mut pending: Vec<(Word, Twin)> = stack.0.iter().copied().zip(twins).collect();
        while let Some((word, twin)) = pending.pop() {
            match twin {
                Twin::Int(n) => prop_assert_eq!(word, Word::int(n).unwrap()),
                Twin::Cell(cell) => {
                    let object = word.index().expect("an object");
                    if let Some(before) = seen.insert(cell, object) {
                        prop_assert_eq!(before, object);
                        continue;
                    }
                    prop_assert_eq!(heap.length(object), cells[cell].len());
                    prop_assert_eq!(heap.tag(object), [cells[cell].len() as u64]);
                    for (field, twin) in cells[cell].iter().enumerate() {
                        pending.push((heap.get(object, field), twin.clone()));
                    }
                }
            }
        }
    }
}
