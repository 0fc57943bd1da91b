//! Whom to fight, when to begin and when to leave off.

use super::{Mind, Senses, StateId};
use crate::{combat::Stance, components::UnitId};

/// Ticks between two looks round.
const LOOK: u64 = 8;
/// Share of the distance to the present target under which another one is better.
const BETTER: f32 = 0.7;
/// Ground beyond the range, cells, within which a strike still reaches: a target that walks does
/// not slip out of every blow.
pub(super) const SLACK: f32 = 0.5;

/// Whether the unit stays where it is, whatever it sees.
pub(super) fn stays(me: &Senses) -> bool {
    me.holds() || me.combat().stance == Stance::HoldGround
}

/// Looks round, now and then, and goes for what it sees. Whether a fight begins.
pub(super) fn watch(me: &Senses, mind: &mut Mind) -> bool {
    let stays = stays(me);
    if me.combat().stance == Stance::Passive
        || !me.combat().is_armed() && stays
        || !looks_round(me, mind)
    {
        return false;
    }
    let combat = me.combat();
    let reach = if stays { combat.range } else { combat.notice };
    let found = me
        .nearest_enemy(reach)
        .or_else(|| provoked(me, mind).filter(|_| !stays));
    if let Some(target) = found.filter(|&target| !stays || can_strike(me, target)) {
        mind.set_target(Some(target));
        mind.strikes = true;
        mind.post = if mind.base == StateId::IDLE || mind.base == StateId::GUARD {
            mind.home
        } else {
            me.position()
        };
        mind.change(if in_range(me, target) {
            fight(me)
        } else {
            StateId::CHASE
        });
        return true;
    }
    false
}

/// Whether this is a tick in which the unit looks round; by number, so that not all look in the
/// same one.
pub(super) fn looks_round(me: &Senses, mind: &mut Mind) -> bool {
    if me.now() < mind.look_at {
        return false;
    }
    mind.look_at = me.now() + LOOK - (me.now() + u64::from(me.id().0)) % LOOK;
    true
}

/// Who struck it a moment ago, if it can be gone for.
fn provoked(me: &Senses, mind: &Mind) -> Option<UnitId> {
    let recent = mind.hurt_at <= me.now() && me.now() - mind.hurt_at <= LOOK;
    let by = mind.hurt_by;
    (recent && me.gap_to(by)? <= me.combat().follow && me.can_reach(me.position_of(by)?))
        .then_some(by)
}

/// Whether an armed unit may begin to strike at the target from where it is.
pub(super) fn in_range(me: &Senses, target: UnitId) -> bool {
    me.combat().is_armed()
        && me
            .gap_to(target)
            .is_some_and(|gap| gap <= me.combat().range)
        && me.position_of(target).is_some_and(|at| me.sees(at))
}

/// Whether a blow at the target would land.
pub(super) fn can_strike(me: &Senses, target: UnitId) -> bool {
    me.combat().is_armed()
        && me
            .gap_to(target)
            .is_some_and(|gap| gap <= me.combat().range + SLACK)
        && me.position_of(target).is_some_and(|at| me.sees(at))
}

/// The state in which the unit fights.
pub(super) fn fight(me: &Senses) -> StateId {
    if me.combat().kites {
        StateId::KITE
    } else {
        StateId::ATTACK
    }
}

/// Whether the order names the target, so that neither distance nor leash ends the chase.
pub(super) fn is_ordered(mind: &Mind) -> bool {
    mind.base == StateId::CHASE
}

/// What is wrong with a fight that nobody ordered: the target is gone or too far, or the post is.
pub(super) fn is_over(me: &Senses, mind: &Mind) -> bool {
    let Some(gap) = me.gap_to(mind.target) else {
        return true;
    };
    if is_ordered(mind) {
        return false;
    }
    let combat = me.combat();
    let leash = match combat.stance {
        Stance::Passive => 0.0,
        Stance::Defensive => combat.leash / 2.0,
        Stance::Aggressive | Stance::HoldGround => combat.leash,
    };
    let tied = mind.base != StateId::HUNT;
    gap > combat.follow || tied && me.position().distance(mind.post) > leash
}

/// Leaves off: to the next enemy at hand, back to the post, or on with what was ordered.
pub(super) fn leave(me: &Senses, mind: &mut Mind) {
    let lost = me.gap_to(mind.target).is_none();
    mind.set_target(None);
    if lost && !is_ordered(mind) && me.combat().stance != Stance::Passive {
        mind.look_at = me.now();
        let post = mind.post;
        if watch(me, mind) {
            mind.post = post;
            return;
        }
    }
    let keeps_post = matches!(mind.base, StateId::IDLE | StateId::GUARD);
    if keeps_post && !stays(me) {
        mind.change(StateId::RETURN);
    } else {
        mind.resume();
    }
}

/// Takes a much nearer enemy instead of the present one, now and then.
pub(super) fn reconsider(me: &Senses, mind: &mut Mind) {
    if is_ordered(mind) || me.now() < mind.look_at {
        return;
    }
    mind.look_at = me.now() + 2 * LOOK - (me.now() + u64::from(me.id().0)) % LOOK;
    let Some(gap) = me.gap_to(mind.target) else {
        return;
    };
    let far = gap + me.radius();
    if let Some(other) = me.nearest_enemy(far * BETTER - me.radius()) {
        mind.set_target(Some(other));
    }
}
