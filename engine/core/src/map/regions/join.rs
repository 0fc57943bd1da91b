//! Which parts belong together after an edit.
//!
//! Every part near the edit starts a search over the links. Searches that meet become one. Two that
//! have not met can only still do so through cells of a region that both held before the edit; once
//! no two unfinished searches share such a region, all is known without having seen the rest of the
//! map. When an edit cuts a region, the smaller side comes to its end first, so the cost is that of
//! the smaller side.

use std::collections::{BTreeSet, VecDeque};

use super::sector::Part;
use super::{PartId, Regions};

/// Parts known to be connected.
#[derive(Default)]
struct Group {
    /// Parts found whose links have not been followed.
    queue: VecDeque<PartId>,
    /// Regions that its parts had before the edit, ascending.
    regions: Vec<u32>,
}

struct Join<'a> {
    regions: &'a mut Regions,
    groups: Vec<Group>,
    /// For each group the one it went into, or itself.
    parents: Vec<u32>,
    /// Every part with a mark.
    marked: Vec<PartId>,
}

/// Links that a group follows in the first round; twice as many in each round after.
const FIRST_ROUND: usize = 8;

/// Gives every part its region after an edit. `touched` are the new parts, which have none, and all
/// others that are or were linked to a part that the edit changed.
pub(super) fn settle(regions: &mut Regions, touched: &[PartId]) {
    let mut join = Join {
        regions,
        groups: Vec::new(),
        parents: Vec::new(),
        marked: Vec::new(),
    };
    join.start(touched);
    join.search();
    for id in std::mem::take(&mut join.marked) {
        join.regions.part_mut(id).mark = 0;
    }
    let labels = join.choose_labels();
    for (seed, &start) in touched.iter().enumerate() {
        let group = join.root(seed as u32);
        relabel(join.regions, start, labels[group as usize]);
    }
}

impl Join<'_> {
    /// A group for each touched part; the new ones follow their links at once.
    fn start(&mut self, touched: &[PartId]) {
        for (seed, &id) in touched.iter().enumerate() {
            let region = self.regions.part(id).region;
            let known = if region == Part::NO_REGION {
                vec![]
            } else {
                vec![region]
            };
            self.groups.push(Group {
                queue: VecDeque::new(),
                regions: known,
            });
            self.parents.push(seed as u32);
            self.mark(id, seed as u32);
        }
        for (seed, &id) in touched.iter().enumerate() {
            if self.regions.part(id).region == Part::NO_REGION {
                let group = self.root(seed as u32);
                self.follow(id, group);
            } else {
                let group = self.root(seed as u32);
                self.groups[group as usize].queue.push_back(id);
            }
        }
    }

    /// Follows links until no two unfinished groups share a region.
    fn search(&mut self) {
        let mut steps = FIRST_ROUND;
        loop {
            let active = self.active();
            if active.is_empty() {
                return;
            }
            for group in active {
                for _ in 0..steps {
                    // It may have gone into another group meanwhile.
                    let group = self.root(group);
                    let Some(id) = self.groups[group as usize].queue.pop_front() else {
                        break;
                    };
                    self.follow(id, group);
                }
            }
            steps *= 2;
        }
    }

    /// The unfinished groups that share a region with another unfinished one, ascending.
    fn active(&self) -> Vec<u32> {
        let unfinished = |group: &u32| !self.groups[*group as usize].queue.is_empty();
        let open: Vec<u32> = (0..self.groups.len() as u32).filter(unfinished).collect();
        let mut held: Vec<u32> = open
            .iter()
            .flat_map(|&group| &self.groups[group as usize].regions)
            .copied()
            .collect();
        held.sort_unstable();
        let shared = |region: &u32| {
            let first = held.partition_point(|held| held < region);
            held.get(first + 1) == Some(region)
        };
        open.into_iter()
            .filter(|&group| self.groups[group as usize].regions.iter().any(shared))
            .collect()
    }

    /// Takes the parts linked to this one into the group.
    fn follow(&mut self, id: PartId, group: u32) {
        let links = self.regions.sectors[id.sector as usize].links_of(id.part);
        for index in links {
            let next = self.regions.across_link(id.sector, index);
            match self.regions.part(next).mark {
                0 => {
                    let group = self.root(group);
                    self.mark(next, group);
                    self.groups[group as usize].queue.push_back(next);
                }
                mark => self.unite(group, mark - 1),
            }
        }
    }

    fn mark(&mut self, id: PartId, group: u32) {
        self.regions.part_mut(id).mark = group + 1;
        self.marked.push(id);
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (kept, gone) = (a.min(b), a.max(b));
        self.parents[gone as usize] = kept;
        let Group { queue, regions } = std::mem::take(&mut self.groups[gone as usize]);
        let group = &mut self.groups[kept as usize];
        group.queue.extend(queue);
        group.regions.extend(regions);
        group.regions.sort_unstable();
        group.regions.dedup();
    }

    fn root(&mut self, mut group: u32) -> u32 {
        while self.parents[group as usize] != group {
            let parent = self.parents[group as usize];
            self.parents[group as usize] = self.parents[parent as usize];
            group = parent;
        }
        group
    }

    /// A label for each group: the largest region it had and no group before it has taken, else a
    /// new one. Unfinished groups choose first: they have parts nobody has seen, which keep theirs.
    fn choose_labels(&mut self) -> Vec<u32> {
        let mut labels = vec![Part::NO_REGION; self.groups.len()];
        let mut taken = BTreeSet::new();
        let roots = (0..self.groups.len()).filter(|&group| self.parents[group] as usize == group);
        let (open, finished): (Vec<_>, Vec<_>) =
            roots.partition(|&group| !self.groups[group].queue.is_empty());
        for group in open.into_iter().chain(finished) {
            let sizes = &self.regions.sizes;
            let largest = self.groups[group]
                .regions
                .iter()
                .filter(|region| !taken.contains(*region))
                .max_by_key(|&&region| (sizes[region as usize], u32::MAX - region));
            labels[group] = match largest {
                Some(&region) => region,
                None => {
                    self.regions.changes += 1;
                    self.regions.unused.pop().unwrap_or_else(|| {
                        self.regions.sizes.push(0);
                        self.regions.sizes.len() as u32 - 1
                    })
                }
            };
            taken.insert(labels[group]);
        }
        labels
    }
}

/// Gives a region to a part and to all that hang together with it through parts of other regions.
fn relabel(regions: &mut Regions, start: PartId, region: u32) {
    let mut stack = vec![start];
    while let Some(id) = stack.pop() {
        let part = regions.part_mut(id);
        if part.region == region {
            continue;
        }
        let (before, size) = (part.region, u32::from(part.size));
        part.region = region;
        regions.sizes[region as usize] += size;
        if before != Part::NO_REGION {
            regions.sizes[before as usize] -= size;
            if regions.sizes[before as usize] == 0 {
                regions.unused.push(before);
                regions.changes += 1;
            }
        }
        for index in regions.sectors[id.sector as usize].links_of(id.part) {
            let next = regions.across_link(id.sector, index);
            if regions.part(next).region != region {
                stack.push(next);
            }
        }
    }
}
