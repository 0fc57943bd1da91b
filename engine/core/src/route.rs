//! Routes: what units sent to one point share: the flow field and the count of those at rest.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;

use crate::{
    config::Config,
    field::{
        Area, Congestion, FieldQueue, FlowField, Guidance, Prices, Seed, Ticket, Wanted, bypass,
    },
    map::{CellRect, CoarseWays, Map, SECTOR, SizeClass},
    parking::{Lot, Section},
};

/// Share of a settled crowd's ground that its discs cover. Discs dropped at random jam at 0.82,
/// a hexagonal lattice at 0.91.
const PACKING: f32 = 0.80;

/// What a field costs for each cell of the map at most, about.
const FIELD_PRICE: f64 = 1.35;
/// What a coarse search costs for each gate that it looks at, in cells of field work.
const COARSE_PRICE: u64 = 4;
/// Share of a tick's field work that goes into coarse searches at most, but for the last of them.
const COARSE_SHARE: f64 = 0.5;
/// Bytes of a field for each sector.
const SECTOR_BYTES: usize = 5 * (SECTOR * SECTOR) as usize;
/// Ticks after which a coarse way is searched again when the map has changed.
const COARSE_AGE: u64 = 32;

/// Ticks between two fields over the prices of congestion.
const PRICED_EVERY: u64 = 64;
/// Members held up from which on such a field is made: a few are no crowd.
const CROWD: u32 = 12;
/// Share of their speed at which these must get on.
const LEAST_ADVANCE: f32 = 0.03;

/// One goal point for one size of unit.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub goal: Vec2,
    pub class: SizeClass,
    /// Components of the map that members start in.
    regions: Vec<u32>,
    /// The way to the goal; `None` until it is there for the first time. After an edit the old one
    /// leads on until the new one is there.
    pub field: Option<Arc<FlowField>>,
    /// What the field is to be built for.
    wanted: Wanted,
    /// The way over the prices of congestion, while there is any.
    priced: Option<(Arc<FlowField>, Arc<Prices>)>,
    priced_ticket: Option<(Ticket, Arc<Prices>)>,
    /// Members held up by others, as counted last.
    pub held_up: u32,
    /// Sum of the shares of their speed at which those get on.
    pub advance_of_held: f32,
    /// The request for the field, until it is there.
    ticket: Option<Ticket>,
    /// What is wanted may have changed since the last request.
    due: bool,
    /// The field is older than an edit that matters to it.
    pub stale: bool,
    /// The way has changed in this tick: a field or a coarse way has come, be it the first or one
    /// made anew after an edit. Lengths are not to be compared with those before.
    pub renewed: bool,
    /// Sectors that members have started in.
    starts: BTreeSet<u32>,
    /// Some of these came after the coarse search and are not on its way.
    strays: bool,
    /// The coarse way, for as long as there is no field, and when it was found.
    coarse: Option<CoarseWays>,
    searched: u64,
    /// The map has changed since.
    outdated: bool,
    /// Units walking it or at rest on it.
    pub members: u32,
    /// Sum of the members' squared radii. Fixed point, so that joining and leaving in any order
    /// leaves no rounding behind.
    pub members_r2: SumR2,
    pub max_radius: f32,
    /// Field distance within which all members find room, cells. Refreshed once a tick.
    pub full: f32,
    /// The places to park; laid out when the first member comes near.
    pub lot: Lot,
    /// Members that saw no way to their place, counted since detours were last looked for.
    pub seekers: u32,
}

impl Route {
    /// Field distance within which discs with this sum of squared radii find room, cells.
    pub fn disc(&self, sum: SumR2) -> f32 {
        let area = sum.value() * std::f32::consts::PI / PACKING;
        let (mut low, mut high) = (0.0, 1.0);
        let Some(field) = &self.field else { return 0.0 };
        while (field.cells_within(high) as f32) < area && high < 512.0 {
            low = high;
            high *= 2.0;
        }
        for _ in 0..8 {
            let middle = (low + high) / 2.0;
            if (field.cells_within(middle) as f32) < area {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Radius of the packed disc that counts as arrived, cells.
    pub fn packed_radius(&self) -> f32 {
        self.max_radius * (self.members as f32 / 0.55).sqrt() + 1.0
    }
}

/// A sum of squared radii in 2^-20 cells^2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SumR2(pub u64);

impl SumR2 {
    pub fn of(radius: f32) -> Self {
        Self((radius * radius * (1 << 20) as f32) as u64)
    }

    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    pub fn value(self) -> f32 {
        self.0 as f32 / (1 << 20) as f32
    }
}

/// All routes in use, found by goal point and size class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    slots: Vec<Option<Route>>,
    by_key: BTreeMap<(u32, u32, SizeClass), u32>,
    /// The fields asked for, of all who walk by one.
    pub queue: FieldQueue,
    /// Ticks in which fields were worked on.
    ticks: u64,
    /// Cells of work in the last tick, coarse searches included.
    work: u64,
}

impl Routes {
    pub fn get(&self, route: u32) -> Option<&Route> {
        self.slots.get(route as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, route: u32) -> Option<&mut Route> {
        self.slots.get_mut(route as usize)?.as_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.slots.iter().flatten()
    }

    /// All routes with their indices.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, &mut Route)> {
        let slots = self.slots.iter_mut().enumerate();
        slots.filter_map(|(index, slot)| Some((index, slot.as_mut()?)))
    }

    /// Adds a unit at `from` to the route to `goal`; the second value tells whether the goal lies
    /// out of its reach.
    pub fn join(
        &mut self,
        map: &Map,
        goal: Vec2,
        class: SizeClass,
        from: Vec2,
        radius: f32,
    ) -> (u32, bool) {
        let key = (goal.x.to_bits(), goal.y.to_bits(), class);
        let region = region_of(map, class, from);
        let index = match self.by_key.get(&key) {
            Some(&index) => index,
            None => {
                let route = Route {
                    goal,
                    class,
                    regions: region.into_iter().collect(),
                    field: None,
                    ticket: None,
                    wanted: Wanted {
                        class,
                        seeds: Vec::new(),
                        sight: Some(goal),
                        area: None,
                        keep: true,
                        prices: None,
                    },
                    priced: None,
                    priced_ticket: None,
                    held_up: 0,
                    advance_of_held: 0.0,
                    due: true,
                    stale: false,
                    renewed: false,
                    starts: BTreeSet::new(),
                    strays: false,
                    coarse: None,
                    searched: 0,
                    outdated: false,
                    members: 0,
                    members_r2: SumR2::default(),
                    max_radius: 0.0,
                    full: 0.0,
                    lot: Lot::default(),
                    seekers: 0,
                };
                let index = self
                    .slots
                    .iter()
                    .position(Option::is_none)
                    .unwrap_or(self.slots.len());
                if index == self.slots.len() {
                    self.slots.push(None);
                }
                self.slots[index] = Some(route);
                self.by_key.insert(key, index as u32);
                index as u32
            }
        };
        let route = self.slots[index as usize]
            .as_mut()
            .expect("indexed routes are in use");
        if let Some(region) = region
            && !route.regions.contains(&region)
        {
            route.regions.push(region);
            route.regions.sort_unstable();
            route.due = true;
        }
        if let Some((x, y)) = map.cell_at(from) {
            let sector = map.nav(class).regions.sector_of(x, y);
            let is_new = route.starts.insert(sector);
            if is_new
                && route
                    .coarse
                    .as_ref()
                    .is_some_and(|ways| !ways.lead_from(sector))
            {
                route.coarse = None;
            }
        }
        route.members += 1;
        route.members_r2 = route.members_r2.plus(SumR2::of(radius));
        route.max_radius = route.max_radius.max(radius);
        (index, route.is_cut_off(map, from))
    }

    /// Takes a unit off its route; the last one closes it.
    pub fn leave(&mut self, index: u32, radius: f32, place: u32) {
        let Some(route) = self.slots.get_mut(index as usize).and_then(Option::as_mut) else {
            return;
        };
        route.members -= 1;
        route.members_r2 = route.members_r2.minus(SumR2::of(radius));
        route.lot.give_back(place);
        if route.members == 0 {
            let key = (route.goal.x.to_bits(), route.goal.y.to_bits(), route.class);
            self.by_key.remove(&key);
            let priced = route.priced_ticket.as_ref().map(|&(ticket, _)| ticket);
            for ticket in [route.ticket, priced].into_iter().flatten() {
                self.queue.cancel(ticket);
            }
            self.slots[index as usize] = None;
        }
    }

    /// Refreshes the discs that members settle in.
    pub fn measure_discs(&mut self) {
        for route in self.slots.iter_mut().flatten() {
            route.full = route.disc(route.members_r2);
        }
    }

    /// To be called after every edit of the map.
    pub fn edited(&mut self, map: &Map, rect: CellRect) {
        self.queue.edited(map, rect);
        for route in self.slots.iter_mut().flatten() {
            route.priced = None;
            if let Some((ticket, _)) = route.priced_ticket.take() {
                self.queue.cancel(ticket);
            }
            route.outdated = true;
            route.stale = route.stale
                || match &route.field {
                    Some(field) => route.wanted.is_touched(field, rect),
                    None => true,
                };
            route.due |= route.stale;
        }
    }

    /// Bytes of heap memory in fields: those kept, and those in use that are kept no more.
    pub fn field_bytes(&self) -> usize {
        let alone = self.iter().filter_map(|route| route.field.as_ref());
        let alone = alone.filter(|field| Arc::strong_count(field) == 1);
        let coarse = self.iter().filter_map(|route| route.coarse.as_ref());
        self.queue.memory_bytes()
            + alone.map(|field| field.memory_bytes()).sum::<usize>()
            + coarse.map(CoarseWays::memory_bytes).sum::<usize>()
    }

    /// Finds the components that members are in anew; `starts` names the place of every member.
    pub fn find_regions(&mut self, map: &Map, starts: impl Iterator<Item = (u32, Vec2)>) {
        for route in self.slots.iter_mut().flatten() {
            route.regions.clear();
        }
        for (index, at) in starts {
            if let Some(route) = self.get_mut(index)
                && let Some(region) = region_of(map, route.class, at)
                && !route.regions.contains(&region)
            {
                route.regions.push(region);
            }
        }
        for route in self.slots.iter_mut().flatten() {
            route.regions.sort_unstable();
            route.due = true;
        }
    }

    /// Cells of work in the last tick.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether fields are built for the whole map rather than for the sectors along the way.
    pub fn are_whole(map: &Map, config: &Config) -> bool {
        area_of(map) <= config.whole_field_max
    }

    /// Whether that many fields take more than one tick.
    pub fn are_late(map: &Map, fields: usize, budget: u64) -> bool {
        area_of(map) as f64 * FIELD_PRICE * fields as f64 > budget as f64
    }

    /// Looks for coarse ways where the fields will not be there in this tick, or are for the sectors
    /// on the way only; answers what that cost, in cells.
    fn search_coarse(&mut self, map: &Map, config: &Config) -> u64 {
        let budget = config.field_budget;
        let sectored = !Self::are_whole(map, config);
        let fields = self.queue.len() + self.iter().filter(|route| route.due).count();
        if !Self::are_late(map, fields, budget) && !sectored {
            return 0;
        }
        let mut work = 0;
        for route in self.slots.iter_mut().flatten() {
            if work >= (budget as f64 * COARSE_SHARE) as u64 {
                break;
            }
            let is_old = self.ticks - route.searched >= COARSE_AGE;
            let lacks = match &route.coarse {
                None => sectored || route.field.is_none(),
                Some(_) => route.outdated && is_old || route.strays && sectored,
            };
            if lacks {
                route.searched = self.ticks;
                route.strays = false;
                route.outdated = false;
                route.due |= sectored;
                route.renewed |= route.field.is_none();
                route.coarse = Some(route.find_coarse(map));
                let looked_at = route.coarse.as_ref().map_or(0, CoarseWays::work);
                work += COARSE_PRICE * (looked_at + 1);
            }
        }
        work
    }

    /// Asks for fields over the prices of congestion for the routes whose turn it is and of which
    /// enough members are held up.
    pub fn price(&mut self, congestion: &Congestion, tick: u64) {
        let mut prices = None;
        for (index, route) in self.slots.iter_mut().enumerate() {
            let Some(route) = route else { continue };
            // Turns of neighbouring routes lie apart.
            if !(tick + 27 * index as u64).is_multiple_of(PRICED_EVERY)
                || route.priced_ticket.is_some()
                || route.field.is_none()
                || route.wanted.area.is_some()
            {
                continue;
            }
            // A queue that stands waits for something else than its turn.
            let advances = route.advance_of_held > LEAST_ADVANCE * route.held_up as f32;
            if route.held_up < CROWD || !advances {
                route.priced = None;
                continue;
            }
            let prices = prices.get_or_insert_with(|| congestion.prices());
            if let Some(prices) = prices {
                let ticket = self.queue.ask(Wanted {
                    sight: None,
                    keep: false,
                    prices: Some(Arc::clone(prices)),
                    ..route.wanted.clone()
                });
                route.priced_ticket = Some((ticket, Arc::clone(prices)));
            }
        }
    }

    /// Asks for the fields that are due.
    fn ask(&mut self, map: &Map, config: &Config) {
        let sectored = !Self::are_whole(map, config);
        let mut held = if sectored { self.bytes_in_use() } else { 0 };
        for route in self.slots.iter_mut().flatten().filter(|route| route.due) {
            let repairs = route.ticket.is_none() && route.field.is_some();
            if repairs && !self.queue.may_repair() {
                continue;
            }
            if !sectored {
                route.ask(map, None, &mut self.queue);
                continue;
            }
            let Some(coarse) = &route.coarse else {
                continue;
            };
            // The last places of a large crowd lie round the goal.
            let crowd = (route.members_r2.value() * 8.0).sqrt() as i32 / SECTOR;
            let area = Area::new(coarse.corridor(&route.starts, 1, 1 + crowd));
            let bytes = area.sectors().len() * SECTOR_BYTES;
            if held + bytes <= config.field_memory || route.field.is_some() {
                held += bytes;
                route.ask(map, Some(Arc::new(area)), &mut self.queue);
            }
        }
    }

    /// Bytes of the fields that routes lead by.
    fn bytes_in_use(&self) -> usize {
        let fields = self.iter().filter_map(|route| route.field.as_ref());
        fields.map(|field| field.memory_bytes()).sum()
    }

    /// Tells that a unit of a route walks at `at`, so that a field for some sectors covers it.
    pub fn walks(&mut self, map: &Map, index: u32, at: Vec2) {
        if let Some(route) = self.get_mut(index)
            && let Some(area) = &route.wanted.area
            && let Some((x, y)) = map.cell_at(at)
        {
            let sector = map.nav(route.class).regions.sector_of(x, y);
            if !area.contains(sector) {
                route.start_from(sector);
            }
        }
    }

    /// Asks for fields, works on them within the budget and takes over those that are done.
    pub fn advance(&mut self, map: &Map, config: &Config) {
        self.ticks += 1;
        for route in self.slots.iter_mut().flatten() {
            route.renewed = false;
        }
        self.work = self.search_coarse(map, config);
        self.ask(map, config);
        let left = config.field_budget.saturating_sub(self.work);
        self.queue.advance(map, left);
        self.work += self.queue.work();
        for route in self.slots.iter_mut().flatten() {
            if let Some((ticket, prices)) = &route.priced_ticket
                && let Some(delivery) = self.queue.delivery(*ticket)
            {
                route.priced = Some((Arc::clone(&delivery.field), Arc::clone(prices)));
                route.priced_ticket = None;
            }
            let delivery = route.ticket.and_then(|ticket| self.queue.delivery(ticket));
            let Some(delivery) = delivery.cloned() else {
                continue;
            };
            route.ticket = None;
            route.renewed |= route.stale || route.field.is_none();
            route.field = Some(delivery.field);
            route.stale = !delivery.current;
            route.due |= route.stale;
            if route.wanted.area.is_none() {
                route.coarse = None;
            }
        }
    }
}

impl Route {
    /// The way from `p`: by the field, or by the coarse way until that is there.
    pub fn guide(&self, map: &Map, p: Vec2) -> Guidance {
        if let Some(field) = &self.field {
            let guidance = field.guide(p, self.goal);
            // Where one is on its way that may lead from here, too, the unit need not stand.
            let may_lead = self.ticket.is_some() || self.wanted.area.is_some();
            if guidance.distance.is_finite() || !may_lead {
                return guidance;
            }
        }
        let regions = &map.nav(self.class).regions;
        let coarse = self.coarse.as_ref().and_then(|ways| ways.guide(regions, p));
        let (target, distance) = coarse.map_or((self.goal, self.goal.distance(p)), |coarse| {
            (coarse.target, coarse.distance)
        });
        Guidance {
            direction: (target - p).normalize_or_zero(),
            in_sight: false,
            distance,
        }
    }

    /// The way from `p` round the crowds, where it is known.
    pub fn guide_round_crowds(&self, p: Vec2) -> Option<Guidance> {
        let (priced, _) = self.priced.as_ref()?;
        let guidance = priced.guide(p, self.goal);
        guidance.distance.is_finite().then_some(guidance)
    }

    /// Whether a unit at `p` does better to take that.
    pub fn is_crowded(&self, p: Vec2) -> bool {
        match (&self.field, &self.priced) {
            (Some(field), Some((priced, prices))) => bypass::pays(field, priced, prices, p),
            _ => false,
        }
    }

    /// Where the way from `p` to the goal enters the last `distance` cells of it: a cell centre, or
    /// `p` itself where nothing is reachable or the way is shorter.
    pub fn last_stretch(&self, p: Vec2, distance: f32) -> Vec2 {
        let Some(field) = &self.field else { return p };
        let left = |(x, y): (i32, i32)| field.distance(x, y);
        let mut cell = (p.x.floor() as i32, p.y.floor() as i32);
        let mut at = p;
        while left(cell) > distance {
            let (x, y) = cell;
            let next = [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
                .into_iter()
                .min_by(|&a, &b| left(a).total_cmp(&left(b)))
                .filter(|&next| left(next) < left(cell));
            let Some(next) = next else { break };
            cell = next;
            at = Vec2::new(next.0 as f32 + 0.5, next.1 as f32 + 0.5);
        }
        at
    }

    /// Opens the parking lot for all members, or a larger one when more have joined.
    pub fn open_lot(&mut self, map: &Map, sections: &[Section]) {
        let Some(field) = &self.field else { return };
        let cells = &map.nav(SizeClass::default()).occupancy;
        let regions = &map.nav(self.class).regions;
        self.lot.clear();
        for section in sections {
            let inside = |x, y| regions.label(x, y) == section.region || section.region.is_none();
            self.lot
                .lay_out(cells, field, self.max_radius, section, &inside);
        }
    }

    fn find_coarse(&self, map: &Map) -> CoarseWays {
        let nav = map.nav(self.class);
        let width = map.width() as i32;
        let ends = seeds(map, self.class, self.goal, &self.regions);
        let ends = ends.iter().map(|seed| {
            let cell = seed.cell as i32;
            (cell % width, cell / width, seed.cost)
        });
        let starts: Vec<u32> = self.starts.iter().copied().collect();
        nav.regions
            .ways_to(&nav.occupancy, self.goal, ends.collect(), &starts)
    }

    /// A member walks in that sector.
    fn start_from(&mut self, sector: u32) {
        if self.starts.insert(sector) {
            let known = self.coarse.as_ref();
            self.strays |= known.is_some_and(|ways| !ways.lead_from(sector));
            let covered = self.wanted.area.as_ref();
            self.due |= covered.is_some_and(|area| !area.contains(sector));
        }
    }

    /// Asks for the field, where there is none for the map and the members as they are.
    fn ask(&mut self, map: &Map, area: Option<Arc<Area>>, queue: &mut FieldQueue) {
        let wanted = Wanted {
            seeds: seeds(map, self.class, self.goal, &self.regions),
            area,
            ..self.wanted.clone()
        };
        let changed = wanted != self.wanted;
        match self.ticket {
            Some(ticket) => {
                // Work that has begun is done first: where the map changes all the time, no field
                // would be there ever.
                if queue.change(ticket, &wanted) {
                    self.wanted = wanted;
                    self.due = false;
                } else {
                    self.due = changed || self.stale;
                }
            }
            None => {
                self.due = false;
                if let Some(field) = &self.field
                    && (changed || self.stale)
                {
                    queue.repairs(field.work());
                }
                if changed || self.stale || self.field.is_none() {
                    self.wanted = wanted;
                    self.ticket = Some(queue.ask(self.wanted.clone()));
                }
            }
        }
    }
}

fn area_of(map: &Map) -> u64 {
    u64::from(map.width()) * u64::from(map.height())
}

/// The component that a unit at `at` can walk in.
pub(crate) fn region_of(map: &Map, class: SizeClass, at: Vec2) -> Option<u32> {
    let label = |x, y| map.nav(class).regions.label(x, y);
    label(at.x.floor() as i32, at.y.floor() as i32).or_else(|| {
        map.nearest_free(class, at, None)
            .and_then(|(x, y)| label(x, y))
    })
}

pub(crate) fn goal_region(map: &Map, class: SizeClass, goal: Vec2) -> Option<u32> {
    map.nav(class)
        .regions
        .label(goal.x.floor() as i32, goal.y.floor() as i32)
}

/// Where a field to `goal` starts: the goal's own cell for its component, and for every other one
/// of `regions` its cells nearest to the goal, each as far as it is further than the nearest.
fn seeds(map: &Map, class: SizeClass, goal: Vec2, regions: &[u32]) -> Vec<Seed> {
    let width = map.width() as i32;
    let cell = (goal.x.floor() as i32, goal.y.floor() as i32);
    let centre = |(x, y): (i32, i32)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    let seed = |(x, y): (i32, i32), cost| Seed {
        cell: (y * width + x) as u32,
        cost,
    };
    let own = goal_region(map, class, goal);
    let mut seeds = Vec::new();
    if own.is_some() && (regions.is_empty() || regions.contains(&own.unwrap_or_default())) {
        seeds.push(seed(cell, goal.distance(centre(cell))));
    }
    for &region in regions.iter().filter(|&&region| Some(region) != own) {
        let Some(nearest) = map.nearest_free(class, goal, Some(region)) else {
            continue;
        };
        let least = goal.distance(centre(nearest));
        let reach = (least + 1.0).ceil() as i32 + 1;
        for y in cell.1 - reach..=cell.1 + reach {
            for x in cell.0 - reach..=cell.0 + reach {
                let further = goal.distance(centre((x, y))) - least;
                if further <= 1.0 && map.nav(class).regions.label(x, y) == Some(region) {
                    seeds.push(seed((x, y), further));
                }
            }
        }
    }
    seeds
}

impl Route {
    /// Whether the goal lies outside the component that a unit at `at` can walk in.
    pub fn is_cut_off(&self, map: &Map, at: Vec2) -> bool {
        let region = region_of(map, self.class, at);
        region.is_none() || region != goal_region(map, self.class, self.goal)
    }

    /// The reachable point nearest to the goal for a unit at `at`: the centre of the cell in its
    /// own component.
    pub fn nearest_to(&self, map: &Map, at: Vec2) -> Vec2 {
        map.nearest_free(self.class, self.goal, region_of(map, self.class, at))
            .map_or(at, |(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5))
    }
}
