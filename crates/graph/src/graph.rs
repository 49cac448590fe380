//! A graph without cycles, as two links for each vertex: eight bytes.

use fixedbitset::FixedBitSet;

/// A vertex. Those it leads to have lower numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VertexId(pub u32);

impl VertexId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Default, Debug)]
pub struct Graph {
    /// What each leads to, plus one; zero: nothing.
    links: Vec<[u32; 2]>,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.links.len()
    }

    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// A new vertex that leads to these, which must be there.
    pub fn push(&mut self, to: [Option<VertexId>; 2]) -> VertexId {
        let id = VertexId(self.links.len() as u32);
        debug_assert!(to.iter().flatten().all(|other| *other < id), "links lead to older vertices");
        self.links.push(to.map(|other| other.map_or(0, |other| other.0 + 1)));
        id
    }

    /// What a vertex leads to, each once.
    pub fn links(&self, from: VertexId) -> impl Iterator<Item = VertexId> + use<> {
        let [a, b] = self.links[from.index()];
        // Two links to the same are one.
        let b = if a == b { 0 } else { b };
        [a, b].into_iter().filter_map(|link| link.checked_sub(1).map(VertexId))
    }

    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = VertexId> + use<> {
        (0..self.links.len() as u32).map(VertexId)
    }

    /// All vertices inside that lead to one of the ends over vertices inside; the ends themselves are not among them.
    pub fn leading_to(&self, ends: &FixedBitSet, inside: &FixedBitSet) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.len());
        for vertex in self.vertices().filter(|vertex| inside.contains(vertex.index())) {
            let leads = self.links(vertex).any(|to| ends.contains(to.index()) || found.contains(to.index()));
            found.set(vertex.index(), leads && !ends.contains(vertex.index()));
        }
        found
    }

    /// How far each vertex is from the nearest end: `counted` vertices on the way, itself included; `u32::MAX` where no way
    /// leads there over vertices inside.
    pub fn distances(&self, ends: &FixedBitSet, inside: &FixedBitSet, counted: &FixedBitSet) -> Vec<u32> {
        let mut far = vec![u32::MAX; self.len()];
        for vertex in self.vertices() {
            let at = vertex.index();
            if ends.contains(at) {
                far[at] = 0;
            } else if inside.contains(at) {
                let nearest = self.links(vertex).map(|to| far[to.index()]).min().unwrap_or(u32::MAX);
                far[at] = nearest.saturating_add(u32::from(counted.contains(at)));
            }
        }
        far
    }

    /// Bytes that are allocated.
    pub fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<[u32; 2]>()
    }
}
