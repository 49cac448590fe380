//! What was learned of a subject once and is asked for again: one value of each type, whoever knows the type.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Default)]
pub struct Memo(RefCell<HashMap<TypeId, Rc<dyn Any>>>);

impl Memo {
    /// What is known, or else what `learn` finds out; that it cannot find out is not remembered.
    pub fn known_or<T: 'static, E>(&self, learn: impl FnOnce() -> Result<T, E>) -> Result<Rc<T>, E> {
        let known = self.0.borrow().get(&TypeId::of::<T>()).cloned();
        if let Some(Ok(known)) = known.map(Rc::downcast) {
            return Ok(known);
        }
        // Nothing is borrowed meanwhile: learning one thing may ask for another.
        let learned = Rc::new(learn()?);
        self.0.borrow_mut().insert(TypeId::of::<T>(), learned.clone());
        Ok(learned)
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn each_type_is_learned_once() {
        let memo = Memo::default();
        assert_eq!(memo.known_or(|| Err::<u32, _>("not now")), Err("not now"));
        assert_eq!(memo.known_or(|| Ok::<u32, &str>(3)).as_deref(), Ok(&3));
        assert_eq!(memo.known_or(|| Ok::<u64, &str>(4)).as_deref(), Ok(&4));
        assert_eq!(memo.known_or(|| Err::<u32, _>("not again")).as_deref(), Ok(&3));
    }
}
