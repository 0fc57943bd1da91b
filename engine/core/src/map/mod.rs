//! The map: terrain, painted walls, and the grids that units of each size move on.
//!
//! A [`Map`] keeps what each cell is made of and, for every size class in use, a [`NavGrid`]: the
//! cells closed to the centres of such units and the connected parts of the rest. [`Map::paint`]
//! changes cells while units move; every grid is exact when it returns, and the same as one built
//! afresh.
//!
//! ```
//! use glam::vec2;
//! use throng::map::{CellRect, Map, SizeClass};
//!
//! let mut map = Map::from_ascii("....\n####\n....\n").unwrap();
//! let (above, below) = (vec2(0.5, 0.5), vec2(3.5, 2.5));
//! assert!(!map.reachable(SizeClass::SMALLEST, above, below));
//!
//! map.paint(CellRect::new(2, 1, 3, 2), false);
//! assert!(map.reachable(SizeClass::SMALLEST, above, below));
//! assert_eq!(map.to_ascii(), "....\n##.#\n....\n");
//! ```

mod clearance;
mod error;
mod formats;
mod nav;
mod occupancy;
mod rect;
mod regions;
mod size_class;
mod terrain;

use std::path::Path;
use std::sync::Arc;

use glam::Vec2;
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub use clearance::Clearance;
pub use error::{MapError, MapFault, Place};
pub use formats::{Explanation, Tile, TiledFault, TiledMap, TiledOptions, TiledRule, load_tiled};
pub use formats::{RejectedRow, RowFault, ScenRow, load_scen, parse_scen};
pub use nav::NavGrid;
pub use occupancy::Occupancy;
pub use rect::CellRect;
pub use regions::Regions;
pub(crate) use regions::{CoarseWays, SIDE as SECTOR};
pub use size_class::SizeClass;
pub use terrain::Terrain;

use formats::Grid;

/// Terrain, painted walls and navigation grids of one map.
#[derive(Clone, Debug)]
pub struct Map {
    terrain: Vec<Terrain>,
    /// Walls painted on top of the terrain, which stays as it is beneath them.
    walls: Occupancy,
    /// By size class; the first is always there.
    layers: Vec<Option<NavGrid>>,
    /// Kept from the first larger size class on.
    clearance: Option<Clearance>,
    /// Swamp cells and what one costs, where that is more than other ground.
    swamp: Option<(Arc<Occupancy>, f32)>,
    hash: u64,
    revision: u64,
}

/// What `throng map info` tells of a map, for the smallest land units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapInfo {
    /// Cells per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Cells that such units can stand on.
    pub passable: usize,
    /// Connected parts of these.
    pub components: usize,
    /// Cells of the largest part.
    pub largest: usize,
}

const LAND: &str = "the grid of class 0 is always there";

/// Set in a cell's code when a wall is painted on it.
const PAINTED: u64 = 1 << 8;

impl Map {
    /// The most that swamp may cost, in lengths of other ground.
    pub const MAX_SWAMP_COST: f32 = 64.0;

    /// The longest side a map may have, in cells.
    pub const MAX_SIDE: u32 = 16_384;

    /// A map of free ground.
    ///
    /// # Errors
    /// When a side is 0 or over [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn open(width: u32, height: u32) -> Result<Self, MapError> {
        formats::check_size(width.into(), height.into())?;
        let cells = vec![Terrain::Free; width as usize * height as usize];
        Ok(Self::from_grid(Grid {
            width,
            height,
            cells,
        }))
    }

    /// A map from rows of letters (see [`Terrain::from_letter`]). Empty lines before the first row
    /// and after the last are left out.
    ///
    /// # Errors
    /// When there are no rows, a letter is unknown, a row has another length than the first, or the
    /// map is too large; the error names line and column.
    pub fn from_ascii(text: &str) -> Result<Self, MapError> {
        formats::parse_ascii(text).map(Self::from_grid)
    }

    /// Reads a map file; its ending says which format it has: `.txt` rows of letters, `.map` the
    /// MovingAI format (`type octile` only), `.png` a mask in which dark pixels (luma under 128) are
    /// blocked and transparent ones free, `.tmx` and `.tmj` Tiled maps by the default rule of
    /// [`load_tiled`], which can also say more about them.
    ///
    /// # Errors
    /// When the file cannot be read or is not right; the error names file, line and column.
    pub fn load(path: &Path) -> Result<Self, MapError> {
        formats::load(path).map(Self::from_grid)
    }

    /// The map as rows of letters, painted walls as `#`.
    pub fn to_ascii(&self) -> String {
        formats::write_ascii(self)
    }

    /// Writes a map file in the format that its ending names. A `.png` keeps only which cells are
    /// blocked for land units.
    ///
    /// # Errors
    /// When the ending is unknown or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), MapError> {
        formats::save(self, path)
    }

    /// Cells per row.
    pub fn width(&self) -> u32 {
        self.walls.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.walls.height()
    }

    /// The rectangle of the whole map.
    pub fn bounds(&self) -> CellRect {
        self.walls.bounds()
    }

    /// What a cell is now: [`Terrain::Blocked`] under a painted wall and outside the map.
    pub fn terrain(&self, x: i32, y: i32) -> Terrain {
        if self.walls.blocked(x, y) {
            Terrain::Blocked
        } else {
            self.terrain[self.index(x, y)]
        }
    }

    /// Whether land units cannot enter the cell. Always true outside the map.
    #[inline]
    pub fn is_blocked(&self, x: i32, y: i32) -> bool {
        self.land().occupancy.blocked(x, y)
    }

    /// The grid for a size class.
    ///
    /// # Panics
    /// When [`ensure_class`](Self::ensure_class) has not been called for it (class 0 is always
    /// there).
    #[inline]
    pub fn nav(&self, class: SizeClass) -> &NavGrid {
        self.layers
            .get(class.index())
            .and_then(Option::as_ref)
            .expect("ensure_class has been called for every size class in use")
    }

    /// Builds the grid of a size class, if it is not there; from then on it is kept exact.
    pub fn ensure_class(&mut self, class: SizeClass) {
        if self.layers.len() <= class.index() {
            self.layers.resize_with(class.index() + 1, || None);
        }
        if self.layers[class.index()].is_some() {
            return;
        }
        let land = self.layers[0].as_ref().expect(LAND);
        let clearance = self
            .clearance
            .get_or_insert_with(|| Clearance::build(&land.occupancy));
        let (width, height) = (self.walls.width(), self.walls.height());
        self.layers[class.index()] = Some(NavGrid::dilated(width, height, clearance, class));
    }

    /// Moves on with every edit that can have changed which cells are connected, for any class.
    pub(crate) fn region_changes(&self) -> u64 {
        let layers = self.layers.iter().flatten();
        layers.map(|nav| nav.regions.changes()).sum()
    }

    /// Measures what coarse searches need, so that the first of them is not slow.
    pub(crate) fn prepare_searches(&self) {
        for nav in self.layers.iter().flatten() {
            nav.regions.measure_gates(&nav.occupancy);
        }
    }

    /// Makes swamp cost that many lengths of other ground to cross; 1 is the default. Units walk round
    /// it where that is shorter by this measure. To be set before a [`Simulation`](crate::Simulation)
    /// takes the map.
    ///
    /// # Panics
    /// When the cost is under 1 or over [`MAX_SWAMP_COST`](Self::MAX_SWAMP_COST).
    pub fn set_swamp_cost(&mut self, cost: f32) {
        assert!(
            (1.0..=Self::MAX_SWAMP_COST).contains(&cost),
            "a swamp costs 1 to {} lengths of other ground",
            Self::MAX_SWAMP_COST
        );
        self.revision += 1;
        self.swamp = None;
        if cost > 1.0 {
            let mut cells = Occupancy::new(self.width(), self.height());
            let width = self.width() as usize;
            for (cell, &terrain) in self.terrain.iter().enumerate() {
                if terrain == Terrain::Swamp {
                    cells.set((cell % width) as i32, (cell / width) as i32, true);
                }
            }
            self.swamp = Some((Arc::new(cells), cost));
        }
    }

    /// What a cell of swamp costs to cross, in lengths of other ground.
    pub fn swamp_cost(&self) -> f32 {
        self.swamp.as_ref().map_or(1.0, |&(_, cost)| cost)
    }

    /// The swamp cells and their cost, where that is not that of other ground. What is under walls
    /// counts as swamp still, as does the outside of the map.
    pub(crate) fn swamp(&self) -> Option<(&Arc<Occupancy>, f32)> {
        self.swamp.as_ref().map(|(cells, cost)| (cells, *cost))
    }

    /// The clearance of every cell for land units; `None` until a size class above 0 is in use.
    pub fn clearance(&self) -> Option<&Clearance> {
        self.clearance.as_ref()
    }

    /// The cell that holds a point; `None` off the map and for NaN.
    pub fn cell_at(&self, p: Vec2) -> Option<(i32, i32)> {
        let inside =
            p.x >= 0.0 && p.y >= 0.0 && p.x < self.width() as f32 && p.y < self.height() as f32;
        inside.then_some((p.x as i32, p.y as i32))
    }

    /// Whether a unit of that class can walk from a to b: both points lie in free cells of one
    /// connected part. False off the map and for NaN. Constant time.
    ///
    /// # Panics
    /// As [`nav`](Self::nav).
    pub fn reachable(&self, class: SizeClass, a: Vec2, b: Vec2) -> bool {
        let regions = &self.nav(class).regions;
        let label = |p| self.cell_at(p).and_then(|(x, y)| regions.label(x, y));
        label(a).is_some_and(|region| label(b) == Some(region))
    }

    /// Size, passable cells and connected parts.
    pub fn info(&self) -> MapInfo {
        let NavGrid { occupancy, regions } = self.land();
        let cells = self.width() as usize * self.height() as usize;
        MapInfo {
            width: self.width(),
            height: self.height(),
            passable: cells - occupancy.count_blocked(),
            components: regions.count(),
            largest: regions.largest() as usize,
        }
    }

    /// Paints a wall over the cells of a rectangle, or erases what blocks them; answers how many
    /// cells changed. Cells outside the map are left out. Erasing opens every cell: walls painted
    /// before are gone and the ground beneath is there again, and where that is wall or deep water
    /// it becomes plain ground.
    pub fn paint(&mut self, rect: CellRect, blocked: bool) -> u32 {
        let rect = rect.intersection(&self.bounds());
        let mut changed = 0;
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let (cell, painted) = (self.index(x, y), self.walls.blocked(x, y));
                let before = self.terrain[cell];
                let after = if !blocked && before.blocks_land() {
                    Terrain::Free
                } else {
                    before
                };
                let paint = blocked && before != Terrain::Blocked;
                if (before, painted) != (after, paint) {
                    self.hash ^= cell_hash(cell, before, painted) ^ cell_hash(cell, after, paint);
                    self.terrain[cell] = after;
                    self.walls.set(x, y, paint);
                    changed += 1;
                }
            }
        }
        if changed > 0 {
            self.revision += 1;
            self.update_layers(rect, blocked);
        }
        changed
    }

    /// A hash of size, terrain and painted walls as they are now, whatever edits led to them.
    pub fn hash(&self) -> u64 {
        let mut size = [0; 8];
        size[..4].copy_from_slice(&self.width().to_le_bytes());
        size[4..].copy_from_slice(&self.height().to_le_bytes());
        let cost = match self.swamp_cost() {
            1.0 => 0,
            cost => u64::from(cost.to_bits()),
        };
        xxh3_64_with_seed(&size, self.hash ^ cost)
    }

    /// Number of edits so far that changed a cell.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Bytes held by terrain, walls and the grids of all size classes.
    pub fn memory_bytes(&self) -> usize {
        let layers: usize = self
            .layers
            .iter()
            .flatten()
            .map(NavGrid::memory_bytes)
            .sum();
        let clearance = self.clearance.as_ref().map_or(0, Clearance::memory_bytes);
        let swamp = self
            .swamp
            .as_ref()
            .map_or(0, |(cells, _)| cells.memory_bytes());
        swamp + self.terrain.capacity() + self.walls.memory_bytes() + layers + clearance
    }

    /// The free cell whose centre is nearest to a point, of those the lowest in row order;
    /// optionally within one region. The point may lie off the map. `None` when there is no such
    /// cell or the point is not finite.
    ///
    /// # Panics
    /// As [`nav`](Self::nav).
    pub fn nearest_free(
        &self,
        class: SizeClass,
        p: Vec2,
        region: Option<u32>,
    ) -> Option<(i32, i32)> {
        self.nav(class).nearest_free(p, region)
    }

    fn from_grid(
        Grid {
            width,
            height,
            cells,
        }: Grid,
    ) -> Self {
        let mut occupancy = Occupancy::new(width, height);
        let walls = Occupancy::new(width, height);
        let mut hash = 0;
        for (y, row) in cells.chunks_exact(width as usize).enumerate() {
            for (x, &terrain) in row.iter().enumerate() {
                if terrain.blocks_land() {
                    occupancy.set(x as i32, y as i32, true);
                }
                hash ^= cell_hash(y * width as usize + x, terrain, false);
            }
        }
        let layers = vec![Some(NavGrid::new(occupancy))];
        Self {
            terrain: cells,
            walls,
            layers,
            clearance: None,
            swamp: None,
            hash,
            revision: 0,
        }
    }

    /// Brings every grid up to date after cells of the rectangle were closed or opened.
    fn update_layers(&mut self, rect: CellRect, blocked: bool) {
        let land = self.layers[0].as_mut().expect(LAND);
        let Some(changed) = Arc::make_mut(&mut land.occupancy).rewrite(rect, |_, _| blocked) else {
            return;
        };
        land.regions.update(&land.occupancy, changed);
        let Some(clearance) = &mut self.clearance else {
            return;
        };
        let window = clearance.update(&land.occupancy, changed);
        for (class, layer) in self.layers.iter_mut().enumerate().skip(1) {
            if let Some(layer) = layer {
                layer.update(clearance, SizeClass(class as u8), window);
            }
        }
    }

    fn land(&self) -> &NavGrid {
        self.nav(SizeClass::SMALLEST)
    }

    fn index(&self, x: i32, y: i32) -> usize {
        y as usize * self.width() as usize + x as usize
    }
}

/// A cell's part in the map's hash: 0 for plain ground, so that an open map costs nothing.
fn cell_hash(cell: usize, terrain: Terrain, painted: bool) -> u64 {
    let code = terrain as u64 | if painted { PAINTED } else { 0 };
    if code == 0 {
        0
    } else {
        xxh3_64_with_seed(&(cell as u64).to_le_bytes(), code)
    }
}

#[cfg(test)]
mod tests;
