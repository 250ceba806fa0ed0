//! The pools of lists.

pub use gadfly_syntax::pools::List;

gadfly_syntax::pools! {
    arguments: super::Argument,
    bindings: super::Binding,
    alternatives: super::Alternative,
    variables: super::VarId,
    exprs: super::ExprId,
}
