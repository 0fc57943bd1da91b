//! The weighted state machine of sprites: which clip follows which.
//!
//! A [`Graph`] holds the clips of a sheet and their transitions and is shared by all sprites of a
//! kind; a [`Sequence`] is the state of one sprite. Draws are a function of the sprite's seed and
//! the number of clips it has played, so that a sprite looked at rarely shows what one looked at in
//! every tick would.

use super::clip::{ClipId, Motion, Sample};
use super::clock::{Clock, Pace, Time, mixed};

/// A clip and the clips that may follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// How the clip runs.
    pub motion: Motion,
    /// What may follow, with weights: the chance of each is its weight over their sum. Weight zero
    /// is never drawn, but is a way to a goal. The clip itself may be among them. When all are zero
    /// or there is none, the clip's last image stays.
    pub next: Vec<(ClipId, u32)>,
}

/// The clips of a kind of sprite with their transitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    nodes: Vec<Node>,
    /// For each clip and goal the first step of a shortest way, the goal's own included.
    steps: Vec<Option<ClipId>>,
}

/// Why a clip cannot be a goal or be started. The sprite is left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequenceError {
    /// No such clip.
    #[error("there is no clip {} among {count}", .clip.0)]
    NoSuchClip {
        /// The clip asked for.
        clip: ClipId,
        /// How many there are.
        count: usize,
    },
    /// No chain of transitions leads there.
    #[error("no transitions lead from clip {} to clip {}", .from.0, .to.0)]
    Unreachable {
        /// The clip that plays.
        from: ClipId,
        /// The goal asked for.
        to: ClipId,
    },
}

/// What became of a goal at the call that set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// It plays already.
    Here,
    /// It will be reached after this many clips, each finishing first.
    After(u32),
    /// There are no clips yet; it is kept and sought once there are.
    Pending,
}

impl Graph {
    /// A graph of clips; [`ClipId`] `i` is the `i`th of them. Transitions to clips beyond the last
    /// lead nowhere and are dropped.
    pub fn new(mut nodes: Vec<Node>) -> Self {
        let count = nodes.len();
        for node in &mut nodes {
            node.next.retain(|(clip, _)| clip.index() < count);
        }
        let mut steps = vec![None; count * count];
        for goal in 0..count {
            // Breadth first from the goal, backwards; the lowest clip wins among equals.
            let mut rank = vec![u32::MAX; count];
            rank[goal] = 0;
            let mut ring = vec![goal];
            while !ring.is_empty() {
                let distance = rank[ring[0]];
                ring = (0..count)
                    .filter(|&from| rank[from] == u32::MAX)
                    .filter(|&from| {
                        nodes[from]
                            .next
                            .iter()
                            .any(|(to, _)| rank[to.index()] == distance)
                    })
                    .collect();
                ring.iter().for_each(|&from| rank[from] = distance + 1);
            }
            for from in 0..count {
                // From the goal itself the step is the goal again: it is kept.
                steps[from * count + goal] = if from == goal {
                    Some(ClipId(goal as u16))
                } else {
                    nodes[from]
                        .next
                        .iter()
                        .map(|&(to, _)| to)
                        .filter(|to| rank[from] != u32::MAX && rank[to.index()] < rank[from])
                        .min()
                };
            }
        }
        Self { nodes, steps }
    }

    /// Number of clips.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no clip.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A clip with its transitions.
    pub fn node(&self, clip: ClipId) -> Option<&Node> {
        self.nodes.get(clip.index())
    }

    fn step(&self, from: ClipId, goal: ClipId) -> Option<ClipId> {
        let count = self.nodes.len();
        (goal.index() < count)
            .then(|| self.steps[from.index() * count + goal.index()])
            .flatten()
    }

    /// How many clips lie between one and another: zero for itself, `None` where no way leads.
    pub fn distance(&self, from: ClipId, to: ClipId) -> Option<u32> {
        let (mut at, mut clips) = (from, 0);
        while at != to {
            at = self.step(at, to)?;
            clips += 1;
        }
        Some(clips)
    }

    /// The clip drawn to follow, by weight.
    fn draw(&self, from: ClipId, random: u64) -> Option<ClipId> {
        let next = &self.nodes[from.index()].next;
        let sum: u64 = next.iter().map(|&(_, weight)| u64::from(weight)).sum();
        let mut at = ((u128::from(random) * u128::from(sum)) >> 64) as u64;
        next.iter()
            .find(|&&(_, weight)| {
                let found = at < u64::from(weight);
                at = at.saturating_sub(u64::from(weight));
                found
            })
            .map(|&(clip, _)| clip)
    }
}

/// What one sprite plays.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    seed: u64,
    /// Clips started so far: the counter of the draws.
    starts: u64,
    goal: Option<ClipId>,
    playing: Option<Playing>,
}

/// Small, as every unit of a crowd has one: its clock is put together when it is needed.
#[derive(Clone, Copy, Debug)]
struct Playing {
    clip: ClipId,
    start: Time,
    pace: Pace,
    /// When the next clip takes over; never for one that stays.
    end: Time,
}

impl Playing {
    fn clock(&self) -> Clock {
        Clock::new(self.start, self.pace)
    }
}

impl Sequence {
    /// A sprite that starts with the first clip of its graph at the first [`advance`](Self::advance).
    /// `seed` settles all its draws.
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            starts: 0,
            goal: None,
            playing: None,
        }
    }

    /// The clip that plays.
    pub fn clip(&self) -> Option<ClipId> {
        self.playing.map(|playing| playing.clip)
    }

    /// When the present clip was started.
    pub fn started(&self) -> Option<Time> {
        self.playing.map(|playing| playing.start)
    }

    /// The goal, if one is set.
    pub fn goal(&self) -> Option<ClipId> {
        self.goal
    }

    /// What is shown at `now` of the clip that plays. Call [`advance`](Self::advance) first.
    pub fn sample(&self, graph: &Graph, now: Time) -> Option<(ClipId, Sample)> {
        let playing = self.playing.as_ref()?;
        let playback = &graph.node(playing.clip)?.motion.playback;
        Some((playing.clip, playback.sample(playing.clock().phase(now))))
    }

    /// The clip and frame shown at `now`, as [`sample`](Self::sample) tells them.
    pub fn frame(&self, graph: &Graph, now: Time) -> Option<(ClipId, u32)> {
        let playing = self.playing.as_ref()?;
        let playback = &graph.node(playing.clip)?.motion.playback;
        Some((playing.clip, playback.frame(playing.clock().frames(now))))
    }

    /// Plays on to `now`. Costs one draw for each clip that ended since the last call; a moment in
    /// the past changes nothing.
    pub fn advance(&mut self, graph: &Graph, now: Time) {
        if self.playing.is_none() && !graph.is_empty() {
            self.start(graph, ClipId(0), now);
        }
        while let Some(playing) = self.playing.filter(|playing| playing.end <= now) {
            let next = match self.goal.and_then(|goal| graph.step(playing.clip, goal)) {
                Some(step) => Some(step),
                None => graph.draw(playing.clip, mixed(self.seed, self.starts)),
            };
            match next {
                Some(next) => self.start(graph, next, playing.end),
                None => self.set_end(Time::NEVER),
            }
        }
    }

    /// Whether the present clip has ended by `now` and its last image stays.
    pub fn is_finished(&self, graph: &Graph, now: Time) -> bool {
        self.playing.is_some_and(|playing| {
            graph
                .node(playing.clip)
                .is_some_and(|node| node.motion.end(&playing.clock()) <= now)
        })
    }

    /// Starts a clip at once, whatever plays; a goal stays set.
    ///
    /// # Errors
    /// [`SequenceError::NoSuchClip`].
    pub fn jump(&mut self, graph: &Graph, clip: ClipId, now: Time) -> Result<(), SequenceError> {
        if clip.index() >= graph.len() {
            return Err(SequenceError::NoSuchClip {
                clip,
                count: graph.len(),
            });
        }
        self.start(graph, clip, now);
        Ok(())
    }

    /// Sets the clip to be reached over the fewest clips, weights ignored. Each clip on the way
    /// finishes first, one that loops for ever with its present pass. Once reached it is played
    /// again and again until [`clear_goal`](Self::clear_goal).
    ///
    /// # Errors
    /// [`SequenceError`] when the graph has clips but not this one, or no way to it; a goal set
    /// before is kept then. On a graph without clips any goal is kept and sought later.
    pub fn set_goal(
        &mut self,
        graph: &Graph,
        clip: ClipId,
        now: Time,
    ) -> Result<Goal, SequenceError> {
        if graph.is_empty() {
            self.goal = Some(clip);
            return Ok(Goal::Pending);
        }
        if clip.index() >= graph.len() {
            return Err(SequenceError::NoSuchClip {
                clip,
                count: graph.len(),
            });
        }
        self.advance(graph, now);
        let from = self.clip().unwrap_or_default();
        let distance = graph
            .distance(from, clip)
            .ok_or(SequenceError::Unreachable { from, to: clip })?;
        self.goal = Some(clip);
        self.settle_end(graph, now);
        Ok(if distance == 0 {
            Goal::Here
        } else {
            Goal::After(distance)
        })
    }

    /// Goes back to drawing by weight from the end of the present clip on.
    pub fn clear_goal(&mut self, graph: &Graph, now: Time) {
        self.advance(graph, now);
        self.goal = None;
        self.settle_end(graph, now);
    }

    fn start(&mut self, graph: &Graph, clip: ClipId, at: Time) {
        let motion = &graph.nodes[clip.index()].motion;
        // Draws and variations take alternate counters, so that they are independent.
        let clock = motion.start(at, !self.seed, self.starts);
        self.starts += 1;
        self.playing = Some(Playing {
            clip,
            start: at,
            pace: clock.pace(),
            end: Time::NEVER,
        });
        self.settle_end(graph, at);
    }

    /// Settles when the next clip takes over.
    fn settle_end(&mut self, graph: &Graph, now: Time) {
        let Some(playing) = self.playing else { return };
        let motion = &graph.nodes[playing.clip.index()].motion;
        let leads_on = self
            .goal
            .is_some_and(|goal| goal != playing.clip && graph.step(playing.clip, goal).is_some());
        let end = motion.end(&playing.clock());
        // A clip for ever gives way to a goal elsewhere when its pass ends. One that ended long ago
        // and stays gives way now, not in the past.
        self.set_end(match (end, leads_on) {
            (Time::NEVER, true) => motion.end_of_pass(&playing.clock(), now),
            (end, true) => end.max(now),
            (end, false) => end,
        });
    }

    fn set_end(&mut self, end: Time) {
        if let Some(playing) = &mut self.playing {
            playing.end = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprite::{Playback, TickRate, Timing};

    const A: ClipId = ClipId(0);
    const B: ClipId = ClipId(1);
    const C: ClipId = ClipId(2);
    const D: ClipId = ClipId(3);

    /// A clip of so many one-tick frames.
    fn node(frames: u32, next: &[(ClipId, u32)]) -> Node {
        let timing = Timing::FrameTicks(1.0);
        let motion = Motion::new(Playback::once(frames), timing, 0.0, TickRate::default()).unwrap();
        Node {
            motion,
            next: next.to_vec(),
        }
    }

    fn endless(frames: u32, next: &[(ClipId, u32)]) -> Node {
        let mut node = node(frames, next);
        node.motion.playback.loops = None;
        node
    }

    fn clip_at(sequence: &mut Sequence, graph: &Graph, tick: u64) -> ClipId {
        sequence.advance(graph, Time::tick(tick));
        sequence.clip().unwrap()
    }

    #[test]
    fn clips_follow_by_weight_the_clip_itself_included_and_weight_zero_never() {
        let graph = Graph::new(vec![
            node(2, &[(A, 3), (B, 1), (C, 0)]),
            node(2, &[(A, 1)]),
            node(2, &[(A, 1)]),
        ]);
        let mut sequence = Sequence::new(5);
        let mut shown = [0u32; 3];
        for tick in (0..40_000).step_by(2) {
            shown[clip_at(&mut sequence, &graph, tick).index()] += 1;
        }
        assert_eq!(shown[2], 0);
        // A is left for B after one pass in four: it has four passes of five.
        assert!((15_600..16_400).contains(&shown[0]), "{shown:?}");
    }

    #[test]
    fn a_goal_is_reached_over_the_fewest_clips_whatever_their_weight_and_is_kept() {
        let graph = Graph::new(vec![
            node(3, &[(A, 9), (B, 5), (C, 0)]),
            node(3, &[(C, 9)]),
            node(3, &[(D, 0), (A, 1)]),
            node(3, &[(A, 1)]),
        ]);
        let mut sequence = Sequence::new(1);
        assert_eq!(clip_at(&mut sequence, &graph, 0), A);
        assert_eq!(
            sequence.set_goal(&graph, D, Time::tick(1)),
            Ok(Goal::After(2))
        );
        let shown: Vec<_> = (1..15).map(|t| clip_at(&mut sequence, &graph, t)).collect();
        assert_eq!(shown, [A, A, C, C, C, D, D, D, D, D, D, D, D, D]);
        sequence.clear_goal(&graph, Time::tick(15));
        assert_eq!(clip_at(&mut sequence, &graph, 17), D);
        assert_eq!(clip_at(&mut sequence, &graph, 18), A);
    }

    #[test]
    fn an_unreachable_goal_is_an_error_at_the_call_and_changes_nothing() {
        let graph = Graph::new(vec![node(3, &[(A, 1)]), node(3, &[(A, 1)])]);
        let mut sequence = Sequence::new(1);
        assert_eq!(sequence.set_goal(&graph, A, Time::tick(0)), Ok(Goal::Here));
        let error = sequence.set_goal(&graph, B, Time::tick(0)).unwrap_err();
        assert_eq!(error, SequenceError::Unreachable { from: A, to: B });
        let error = sequence.set_goal(&graph, C, Time::tick(0)).unwrap_err();
        assert_eq!(error, SequenceError::NoSuchClip { clip: C, count: 2 });
        assert_eq!(sequence.goal(), Some(A));
    }

    #[test]
    fn a_goal_set_before_there_are_clips_is_answered_at_once_kept_and_used() {
        let mut sequence = Sequence::new(1);
        let none = Graph::default();
        assert_eq!(
            sequence.set_goal(&none, C, Time::tick(0)),
            Ok(Goal::Pending)
        );
        sequence.advance(&none, Time::tick(100));
        assert_eq!((sequence.clip(), sequence.goal()), (None, Some(C)));
        let graph = Graph::new(vec![node(2, &[(B, 0)]), node(2, &[(C, 0)]), node(2, &[])]);
        let shown: Vec<_> = (100..106)
            .map(|t| clip_at(&mut sequence, &graph, t))
            .collect();
        assert_eq!(shown, [A, A, B, B, C, C]);
    }

    #[test]
    fn jump_starts_at_once() {
        let graph = Graph::new(vec![node(50, &[(A, 1)]), node(2, &[(A, 1)])]);
        let mut sequence = Sequence::new(1);
        assert_eq!(clip_at(&mut sequence, &graph, 7), A);
        sequence.jump(&graph, B, Time::tick(8)).unwrap();
        let (clip, sample) = sequence.sample(&graph, Time::tick(8)).unwrap();
        assert_eq!((clip, sample.frame), (B, 0));
        assert_eq!(clip_at(&mut sequence, &graph, 10), A);
        assert!(sequence.jump(&graph, C, Time::tick(10)).is_err());
    }

    #[test]
    fn an_endless_clip_gives_way_to_a_goal_when_its_pass_ends() {
        let graph = Graph::new(vec![endless(5, &[(B, 0)]), node(2, &[(A, 1)])]);
        let mut sequence = Sequence::new(1);
        assert_eq!(clip_at(&mut sequence, &graph, 0), A);
        assert_eq!(clip_at(&mut sequence, &graph, 1000), A);
        sequence.set_goal(&graph, B, Time::tick(1002)).unwrap();
        assert_eq!(clip_at(&mut sequence, &graph, 1004), A);
        assert_eq!(clip_at(&mut sequence, &graph, 1005), B);
    }

    #[test]
    fn a_clip_without_a_way_on_stays() {
        let graph = Graph::new(vec![node(3, &[(B, 1)]), node(4, &[(A, 0)])]);
        let mut sequence = Sequence::new(1);
        assert_eq!(clip_at(&mut sequence, &graph, 0), A);
        assert_eq!(clip_at(&mut sequence, &graph, 1 << 40), B);
        let (_, sample) = sequence.sample(&graph, Time::tick(1 << 40)).unwrap();
        assert_eq!(sample.frame, 3);
        assert!(sequence.is_finished(&graph, Time::tick(7)));
        assert!(!sequence.is_finished(&graph, Time::tick(6)));
        sequence.set_goal(&graph, A, Time::tick(1 << 41)).unwrap();
        assert_eq!(clip_at(&mut sequence, &graph, 1 << 41), A);
        let (_, sample) = sequence.sample(&graph, Time::tick(1 << 41)).unwrap();
        assert_eq!(sample.frame, 0);
    }

    #[test]
    fn looking_rarely_shows_what_looking_always_does() {
        let mut graph = vec![
            node(2, &[(A, 2), (B, 1)]),
            node(5, &[(A, 1), (C, 1)]),
            node(3, &[(B, 1), (A, 4)]),
        ];
        for node in &mut graph {
            let timing = Timing::Rate(7.3);
            node.motion =
                Motion::new(node.motion.playback, timing, 0.3, TickRate::default()).unwrap();
        }
        let graph = Graph::new(graph);
        let (mut often, mut rarely) = (Sequence::new(9), Sequence::new(9));
        often.advance(&graph, Time::tick(0));
        rarely.advance(&graph, Time::tick(0));
        for tick in 0..5000 {
            often.advance(&graph, Time::tick(tick));
            if tick % 611 == 0 {
                rarely.advance(&graph, Time::tick(tick));
                let now = Time::tick(tick);
                assert_eq!(
                    often.sample(&graph, now),
                    rarely.sample(&graph, now),
                    "tick {tick}"
                );
            }
        }
    }

    #[test]
    fn clips_of_half_ticks_do_not_lose_them() {
        let mut half = node(7, &[(A, 1)]);
        half.motion = Motion::new(
            Playback::once(7),
            Timing::FrameTicks(2.5),
            0.0,
            TickRate::default(),
        )
        .unwrap();
        let graph = Graph::new(vec![half]);
        let mut sequence = Sequence::new(0);
        sequence.advance(&graph, Time::tick(0));
        sequence.advance(&graph, Time::tick(17_500));
        assert_eq!(sequence.started(), Some(Time::tick(17_500)));
    }
}
