//! Flow fields kept for as long as they are in use or there is room for them.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use super::{Area, FlowField, Seed, Wanted};
use crate::map::{CellRect, Map, SizeClass};

/// Bytes of fields that a cache keeps when nothing else is said: a hundred goals on a map of
/// 700 x 700 cells, three on one of 4096 x 4096.
const ROOM: usize = 256 << 20;

/// What a field was asked for; the bits of floats, so that equal goals are equal keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    class: SizeClass,
    seeds: Vec<(u32, u32)>,
    sight: Option<(u32, u32)>,
    area: Option<Arc<Area>>,
}

impl Key {
    fn new(wanted: &Wanted) -> Self {
        let Wanted {
            class,
            ref seeds,
            sight,
            ref area,
            ..
        } = *wanted;
        Self {
            class,
            area: area.clone(),
            seeds: seeds.iter().map(|s| (s.cell, s.cost.to_bits())).collect(),
            sight: sight.map(|p| (p.x.to_bits(), p.y.to_bits())),
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    field: Arc<FlowField>,
    /// Revision of the map that the field is true for.
    revision: u64,
    /// When it was last asked for, in calls of [`FieldCache::get`].
    used: u64,
}

/// Flow fields by goal. Whoever asks for the same goal on the same map gets the same field; those
/// asked for least lately go when the bound on memory is reached. A field depends on nothing but
/// map and goal, so dropping any or all of them changes no result.
#[derive(Clone, Debug)]
pub struct FieldCache {
    fields: BTreeMap<Key, Entry>,
    bound: usize,
    bytes: usize,
    asked: u64,
    work: u64,
}

impl Default for FieldCache {
    /// A cache of 256 MiB.
    fn default() -> Self {
        Self::new(ROOM)
    }
}

impl FieldCache {
    /// A cache that keeps at most `bound` bytes of fields, and always the one asked for last.
    pub fn new(bound: usize) -> Self {
        Self {
            fields: BTreeMap::new(),
            bound,
            bytes: 0,
            asked: 0,
            work: 0,
        }
    }

    /// The field of these seeds and sight point for units of a size; built when there is none for
    /// the map as it is. The layer of that size must exist.
    ///
    /// # Panics
    ///
    /// As [`FlowField::build`], when a seed's cost is negative, infinite or NaN.
    pub fn get(
        &mut self,
        map: &Map,
        class: SizeClass,
        seeds: &[Seed],
        sight: Option<Vec2>,
    ) -> Arc<FlowField> {
        let wanted = Wanted {
            class,
            seeds: seeds.to_vec(),
            sight,
            area: None,
            keep: true,
            prices: None,
        };
        if let Some(field) = self.find(map, &wanted) {
            return field;
        }
        let field = Arc::new(FlowField::of(map, class, seeds, sight));
        self.insert(map, &wanted, Arc::clone(&field));
        field
    }

    /// The field, where it is there for the map as it is.
    pub(super) fn find(&mut self, map: &Map, wanted: &Wanted) -> Option<Arc<FlowField>> {
        self.asked += 1;
        let entry = self.fields.get_mut(&Key::new(wanted))?;
        if entry.revision != map.revision() {
            return None;
        }
        entry.used = self.asked;
        Some(Arc::clone(&entry.field))
    }

    /// Keeps a field that was built for the map as it is.
    pub(super) fn insert(&mut self, map: &Map, wanted: &Wanted, field: Arc<FlowField>) {
        self.work += field.work();
        self.bytes += field.memory_bytes();
        let entry = Entry {
            field,
            revision: map.revision(),
            used: self.asked,
        };
        if let Some(old) = self.fields.insert(Key::new(wanted), entry) {
            self.bytes -= old.field.memory_bytes();
        }
        while self.bytes > self.bound && self.fields.len() > 1 {
            let oldest = self.fields.iter().min_by_key(|(_, entry)| entry.used);
            let oldest = oldest.map(|(key, _)| key.clone());
            if let Some(entry) = oldest.and_then(|key| self.fields.remove(&key)) {
                self.bytes -= entry.field.memory_bytes();
            }
        }
    }

    /// To be called after every call of [`Map::paint`] that changed the map: drops the fields that
    /// the edit of `rect` can have changed. The others are kept: those of which no cell in or
    /// beside the rectangle has a way to the goal. Without this call every field is built anew.
    pub fn edited(&mut self, map: &Map, rect: CellRect) {
        let revision = map.revision();
        self.fields.retain(|key, entry| {
            let seeds = key.seeds.iter().map(|&(cell, _)| cell);
            let sight = key
                .sight
                .map(|(x, y)| Vec2::new(f32::from_bits(x), f32::from_bits(y)));
            let keep = entry.revision + 1 == revision
                && !entry.field.depends_on(rect, key.class, seeds, sight);
            if keep {
                entry.revision = revision;
            } else {
                self.bytes -= entry.field.memory_bytes();
            }
            keep
        });
    }

    /// Drops every field.
    pub fn clear(&mut self) {
        self.fields.clear();
        self.bytes = 0;
    }

    /// Fields kept.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether no field is kept.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// What building fields has cost so far, in cells; see [`FlowField::work`].
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Bytes of heap memory in the fields kept.
    pub fn memory_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Map {
        Map::from_ascii("......#...\n......#...\n......#...\n......#...").unwrap()
    }

    fn ask(cache: &mut FieldCache, map: &Map, cell: u32) -> Arc<FlowField> {
        let seed = Seed { cell, cost: 0.0 };
        let (x, y) = (cell % map.width(), cell / map.width());
        let sight = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        cache.get(map, SizeClass::default(), &[seed], Some(sight))
    }

    fn same(a: &FlowField, b: &FlowField) -> bool {
        let (w, h) = a.size();
        let mut cells = (0..h as i32).flat_map(|y| (0..w as i32).map(move |x| (x, y)));
        cells.all(|(x, y)| a.flow(x, y) == b.flow(x, y) && a.distance(x, y) == b.distance(x, y))
    }

    #[test]
    fn the_same_goal_is_built_once_and_shared() {
        let (map, mut cache) = (map(), FieldCache::new(1 << 20));
        let first = ask(&mut cache, &map, 0);
        let work = cache.work();
        let second = ask(&mut cache, &map, 0);
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(cache.work(), work);
        assert!(!Arc::ptr_eq(&first, &ask(&mut cache, &map, 1)));
        assert_eq!(cache.len(), 2);
    }

    #[test]
    fn the_field_asked_for_least_lately_goes_first() {
        let map = map();
        let one = ask(&mut FieldCache::new(0), &map, 0).memory_bytes();
        let mut cache = FieldCache::new(2 * one + one / 2);
        let kept = ask(&mut cache, &map, 0);
        ask(&mut cache, &map, 1);
        ask(&mut cache, &map, 0);
        ask(&mut cache, &map, 2);
        assert!(cache.len() == 2 && cache.memory_bytes() <= 2 * one + one / 2);
        assert!(Arc::ptr_eq(&kept, &ask(&mut cache, &map, 0)));
        let before = cache.work();
        ask(&mut cache, &map, 1);
        assert!(cache.work() > before, "it was dropped");
        let mut tight = FieldCache::new(0);
        ask(&mut tight, &map, 0);
        assert_eq!(tight.len(), 1);
    }

    #[test]
    fn dropping_everything_changes_no_field() {
        let (map, mut cache) = (map(), FieldCache::new(1 << 20));
        let before = ask(&mut cache, &map, 23);
        cache.clear();
        assert!(cache.is_empty() && cache.memory_bytes() == 0);
        assert!(same(&before, &ask(&mut cache, &map, 23)));
    }

    #[test]
    fn an_edit_that_matters_makes_the_field_anew() {
        let (mut map, mut cache) = (map(), FieldCache::new(1 << 20));
        let before = ask(&mut cache, &map, 0);
        let rect = CellRect::new(6, 1, 7, 2);
        assert_eq!(map.paint(rect, false), 1);
        cache.edited(&map, rect);
        let after = ask(&mut cache, &map, 0);
        assert!(!before.flow(8, 2).reachable && after.flow(8, 2).reachable);
    }

    #[test]
    fn an_edit_where_nobody_can_go_costs_nothing() {
        let (mut map, mut cache) = (map(), FieldCache::new(1 << 20));
        let before = ask(&mut cache, &map, 0);
        let work = cache.work();
        let rect = CellRect::new(9, 1, 10, 2);
        assert_eq!(map.paint(rect, true), 1);
        cache.edited(&map, rect);
        assert!(Arc::ptr_eq(&before, &ask(&mut cache, &map, 0)));
        assert_eq!(cache.work(), work);
        assert!(same(&before, &ask(&mut FieldCache::new(0), &map, 0)));
    }

    #[test]
    fn an_edit_it_was_not_told_of_makes_the_field_anew() {
        let (mut map, mut cache) = (map(), FieldCache::new(1 << 20));
        ask(&mut cache, &map, 0);
        map.paint(CellRect::new(3, 1, 4, 2), true);
        assert!(!ask(&mut cache, &map, 0).flow(3, 1).reachable);
    }
}
