//! The algorithm of the paper (figure 3): candidates in the order of their distance from the failing run, each made of one
//! that was made before, by reversing one more branch.
//!
//! What a path is, and how to find out whether it can be gone, is somebody else's matter: see [`Space`]. The recursion of
//! the paper is a stack here, since it is as deep as a distance is long.

/// What the search asks of paths. Branches are those of the failing run, by their position in it.
pub trait Space {
    type Path;
    type Error;

    /// How many branches the failing run has before the failure.
    fn branches(&self) -> usize;

    fn is_reversible(&self, branch: usize) -> bool;

    /// Whether a branch is control dependent on an earlier one, whatever is between (line 3).
    fn depends(&self, branch: usize, on: usize) -> bool;

    /// All paths that part from this one at a branch, and join it again where what depends on the branch ends (lines 6 to
    /// 13).
    fn reversed(&mut self, path: &Self::Path, branch: usize) -> Result<Vec<Self::Path>, Self::Error>;

    /// What becomes of a path in which these branches are reversed (lines 11 and 14).
    fn examine(&mut self, path: &mut Self::Path, reversed: &[usize]) -> Result<Examined, Self::Error>;

    /// Whether what a path does from this branch on could be done in some state of the program (line 26).
    fn can_begin_at(&mut self, path: &Self::Path, branch: usize) -> Result<bool, Self::Error>;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Examined {
    /// It can be gone, and succeeds.
    Succeeds,
    /// No input goes it, or those that do fail; with other branches reversed as well that may be otherwise.
    Stays,
    /// Whatever comes before, nothing can go it.
    Never,
}

/// A path that succeeds, with the branches that are reversed in it; none if there is none.
pub type Nearest<P> = Option<(P, Vec<usize>)>;

/// Where the search has got to: paths in which the same branches are reversed, and the branch before which the next one is
/// looked for.
struct Level<P> {
    paths: Vec<P>,
    before: usize,
    reversed: Vec<usize>,
}

/// Searches from the failing run for the nearest path that succeeds; gives it with the branches that are reversed in it. At
/// most so many branches are reversed in one path.
pub fn generate<S: Space>(space: &mut S, failing: S::Path, most: usize) -> Result<Nearest<S::Path>, S::Error> {
    let mut levels = vec![Level { paths: vec![failing], before: space.branches(), reversed: Vec::new() }];
    while let Some(level) = levels.last_mut() {
        let Some(branch) = level.before.checked_sub(1).filter(|_| !level.paths.is_empty()) else {
            levels.pop();
            continue;
        };
        level.before = branch;
        if level.reversed.iter().any(|one| space.depends(*one, branch)) {
            let mut stay = Vec::new();
            for path in level.paths.drain(..) {
                if space.can_begin_at(&path, branch)? {
                    stay.push(path);
                }
            }
            level.paths = stay;
            continue;
        }
        if level.reversed.len() >= most || !space.is_reversible(branch) {
            continue;
        }
        let reversed: Vec<usize> = std::iter::once(branch).chain(level.reversed.iter().copied()).collect();
        let mut stay = Vec::new();
        for path in &level.paths {
            for mut made in space.reversed(path, branch)? {
                match space.examine(&mut made, &reversed)? {
                    Examined::Succeeds => return Ok(Some((made, reversed))),
                    Examined::Stays => stay.push(made),
                    Examined::Never => {}
                }
            }
        }
        levels.push(Level { paths: stay, before: branch, reversed });
    }
    Ok(None)
}
