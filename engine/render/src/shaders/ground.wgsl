// The map: grass and bare earth, water with shores, walls of hewn stone that stand up and cast a
// shadow to the lower right. The light comes from the upper left.

@group(1) @binding(0) var cells: texture_2d<u32>;
@group(1) @binding(1) var noise: texture_2d<f32>;
@group(1) @binding(2) var noise_sampler: sampler;

const SWAMP = 1u;
const SHALLOW = 2u;
const WATER = 3u;
const WALL = 4u;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return to_clip((corner(index) * 0.5 + 0.5) * view.map);
}

// What the noise says of a place.
struct Grain {
    // Even grain, 0 to 1.
    fine: f32,
    // Where grass gives way to earth.
    patches: f32,
    // Ripples of water, and which way edges stray.
    ripple: f32,
    // Blades of grass: dark under a half, bright over it.
    blades: f32,
    // 0 where cells are as small as pixels, 1 where all can be seen.
    detail: f32,
};

// Distance from `p` (0 to 1 within the cell) to the nearest of the eight neighbours in `mask`.
fn to_neighbours(p: vec2f, mask: u32) -> f32 {
    let q = vec2f(1.0) - p;
    var d = 9.0;
    if (mask & 2u) != 0u { d = min(d, p.y); }
    if (mask & 8u) != 0u { d = min(d, p.x); }
    if (mask & 16u) != 0u { d = min(d, q.x); }
    if (mask & 64u) != 0u { d = min(d, q.y); }
    if (mask & 1u) != 0u { d = min(d, length(p)); }
    if (mask & 4u) != 0u { d = min(d, length(vec2f(q.x, p.y))); }
    if (mask & 32u) != 0u { d = min(d, length(vec2f(p.x, q.y))); }
    if (mask & 128u) != 0u { d = min(d, length(q)); }
    return d;
}

// How far a shadow falls, in cells.
const FALL = vec2f(0.3, 0.4);

fn shadow(p: vec2f, walls: u32) -> f32 {
    // Steps back towards the light: is there a wall on the way?
    var depth = 9.0;
    for (var i = 1; i <= 3; i++) {
        let q = p - FALL * (f32(i) / 3.0);
        let left = q.x < 0.0;
        let up = q.y < 0.0;
        // Only the neighbours above, to the left and between can lie there.
        if (left && up && (walls & 1u) != 0u) || (left && !up && (walls & 8u) != 0u)
            || (up && !left && (walls & 2u) != 0u) {
            return 1.0;
        }
        if (walls & 2u) != 0u { depth = min(depth, max(q.y, 0.0)); }
        if (walls & 8u) != 0u { depth = min(depth, max(q.x, 0.0)); }
        if (walls & 1u) != 0u { depth = min(depth, length(max(q, vec2f(0.0)))); }
    }
    return 1.0 - smoothstep(0.0, 0.16, depth);
}

fn land(grain: Grain, swamp: f32) -> vec3f {
    let grass = mix(vec3f(0.295, 0.345, 0.175), vec3f(0.385, 0.430, 0.220), smoothstep(0.25, 0.6, grain.patches));
    let earth = mix(vec3f(0.455, 0.385, 0.265), vec3f(0.525, 0.450, 0.320), smoothstep(0.55, 0.8, grain.patches));
    // Grass grows into the earth in tongues as the grain has it.
    let bare = smoothstep(0.53, 0.60, grain.patches + (grain.fine - 0.5) * 0.13);
    var colour = mix(grass, earth, bare);
    colour *= 1.0 + (grain.fine - 0.5) * mix(0.20, 0.30, bare) * (0.4 + 0.6 * grain.detail);
    colour *= 1.0 + (grain.blades - 0.5) * mix(0.95, 0.25, bare) * grain.detail;
    let mire = mix(vec3f(0.190, 0.225, 0.140), vec3f(0.280, 0.285, 0.165), smoothstep(0.4, 0.6, grain.ripple))
        * (1.0 + (grain.blades - 0.5) * 0.5 * grain.detail);
    return mix(colour, mire, smoothstep(0.35, 0.6, swamp));
}

// `wet` passes a half at the shore, `deep` where a ford ends.
fn water(grain: Grain, wet: f32, deep: f32) -> vec3f {
    let ford = mix(vec3f(0.265, 0.400, 0.400), vec3f(0.315, 0.455, 0.435), grain.patches);
    let depths = mix(vec3f(0.085, 0.205, 0.315), vec3f(0.115, 0.265, 0.385), smoothstep(0.3, 0.7, grain.patches));
    var colour = mix(ford, depths, smoothstep(0.25, 0.85, deep));
    let ripples = 1.0 - smoothstep(0.0, 0.05, abs(grain.ripple - 0.5));
    colour += vec3f(0.075, 0.10, 0.10) * ripples * (0.35 + 0.65 * grain.detail);
    // Lighter over the bank, and a line of foam.
    colour = mix(vec3f(0.40, 0.49, 0.44), colour, smoothstep(0.50, 0.80, wet));
    return mix(vec3f(0.70, 0.75, 0.70), colour, smoothstep(0.50, 0.56, wet));
}

fn lot(at: vec2i) -> f32 {
    var h = u32(at.x) * 0x9e3779b9u ^ u32(at.y) * 0x85ebca6bu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32(h >> 8u) / 16777216.0;
}

// Stones of `size` cells laid in courses: x the shade of the stone, y its nearness to a joint.
fn masonry(at: vec2f, size: vec2f) -> vec2f {
    let course = floor(at.y / size.y);
    let along = at.x / size.x + 0.5 * (course - 2.0 * floor(course * 0.5));
    let stone = vec2f(floor(along), course);
    let within = vec2f(along - stone.x, at.y / size.y - course) * size;
    let edge = min(min(within.x, size.x - within.x), min(within.y, size.y - within.y));
    return vec2f(lot(vec2i(stone)), 1.0 - smoothstep(0.02, 0.045 + 0.5 / view.scale, edge));
}

fn wall(world: vec2f, p: vec2f, walls: u32, grain: Grain) -> vec3f {
    let open = ~walls;
    let q = vec2f(1.0) - p;
    let pixel = 1.0 / view.scale;
    let near = smoothstep(7.0, 16.0, view.scale);
    let stones = masonry(world, vec2f(1.0, 0.5));
    var top = vec3f(0.535, 0.515, 0.480) * (0.93 + 0.20 * (grain.patches - 0.5) + 0.16 * (grain.fine - 0.5));
    top *= 1.0 + near * ((stones.x - 0.5) * 0.12 - stones.y * 0.17);
    // Edges that face the light are bright, the faces away from it are seen.
    var lit = 9.0;
    if (open & 2u) != 0u { lit = min(lit, p.y); }
    if (open & 8u) != 0u { lit = min(lit, p.x); }
    top = mix(vec3f(0.76, 0.74, 0.68), top, smoothstep(0.03, 0.10 + pixel, lit));
    var face = 0.0;
    var side = vec3f(0.0);
    if (open & 64u) != 0u {
        let high = 0.36;
        let courses = masonry(vec2f(world.x, q.y), vec2f(0.5, 0.18));
        // Darker towards the ground.
        side = vec3f(0.345, 0.320, 0.295) * (0.72 + 0.8 * q.y) * (0.95 + 0.3 * (grain.fine - 0.5));
        side *= 1.0 + near * ((courses.x - 0.5) * 0.16 - courses.y * 0.28);
        face = 1.0 - smoothstep(high, high + pixel, q.y);
        let rim = smoothstep(high, high + 0.02, q.y) * (1.0 - smoothstep(high + 0.04, high + 0.09 + pixel, q.y));
        top = mix(top, vec3f(0.66, 0.635, 0.59), rim * 0.7);
    }
    if (open & 16u) != 0u {
        let flank = 1.0 - smoothstep(0.13, 0.13 + pixel, q.x);
        side = mix(side, vec3f(0.225, 0.210, 0.200), flank);
        face = max(face, flank);
    }
    return mix(top, side, face);
}

fn kind_at(cell: vec2f) -> vec2u {
    return textureLoad(cells, vec2u(clamp(cell, vec2f(0.0), view.map - 0.5)), 0).rg;
}

fn shade(world: vec2f, grain: Grain) -> vec3f {
    let at = floor(clamp(world, vec2f(0.0), view.map - 0.001));
    let own = kind_at(at);
    if own.x == WALL {
        return mix(vec3f(0.545, 0.525, 0.495), wall(world, world - at, own.y, grain), grain.detail);
    }
    // Shores round off between the centres of cells and stray a little; walls have no say.
    let base = floor(world - 0.5);
    let share = world - 0.5 - base;
    var all = 0.0;
    var wet = 0.0;
    var deep = 0.0;
    var swamp = 0.0;
    for (var i = 0u; i < 4u; i++) {
        let shift = vec2f(f32(i & 1u), f32(i >> 1u));
        let kind = kind_at(base + shift).x;
        let weights = mix(vec2f(1.0) - share, share, shift);
        let weight = select(weights.x * weights.y, 0.0, kind == WALL);
        all += weight;
        wet += select(0.0, weight, kind == WATER || kind == SHALLOW);
        deep += select(0.0, weight, kind == WATER);
        swamp += select(0.0, weight, kind == SWAMP);
    }
    let stray = (grain.ripple - 0.5) * 0.55;
    wet = wet / max(all, 1e-4);
    deep = deep / max(all, 1e-4);
    swamp = swamp / max(all, 1e-4);
    wet += stray * wet * (1.0 - wet) * 3.0;
    swamp += stray * swamp * (1.0 - swamp) * 3.0;
    var colour: vec3f;
    if wet > 0.5 {
        colour = water(grain, wet, deep);
    } else {
        // Sand before the water.
        colour = mix(land(grain, swamp), vec3f(0.545, 0.500, 0.385) * (0.9 + 0.2 * grain.fine), smoothstep(0.12, 0.40, wet));
    }
    if own.y != 0u {
        let p = world - at;
        let near = 1.0 - smoothstep(0.0, 0.45, to_neighbours(p, own.y));
        let dark = max(shadow(p, own.y) * 0.50, near * 0.28);
        colour *= 1.0 - dark * (0.5 + 0.5 * grain.detail);
    }
    return colour;
}

@fragment
fn fragment(@builtin(position) pixel: vec4f) -> @location(0) vec4f {
    let world = to_world(pixel.xy);
    // Noise is sampled before anything differs from pixel to pixel, as derivatives ask for.
    let fine = textureSample(noise, noise_sampler, world / 22.0);
    // Turned against the grid, or patches would look like boxes.
    let turned = vec2f(world.x * 0.8 - world.y * 0.6, world.x * 0.6 + world.y * 0.8);
    let broad = textureSample(noise, noise_sampler, turned / 150.0 + 0.37);
    // Another turn and size, so that from afar no pattern repeats.
    let middle = textureSample(noise, noise_sampler, turned.yx / 61.0 + 0.21);
    // Seen from near the grain would blur; a finer one takes its place.
    let finer = textureSample(noise, noise_sampler, turned / 9.7);
    var grain: Grain;
    grain.fine = mix(fine.x, finer.x, smoothstep(8.0, 30.0, view.scale) * 0.6);
    grain.patches = broad.y * 0.5 + middle.y * 0.35 + fine.y * 0.15;
    grain.ripple = fine.z;
    grain.blades = mix(0.5, finer.w, smoothstep(6.0, 16.0, view.scale));
    grain.detail = smoothstep(1.0, 5.0, view.scale);
    if view.scale >= 1.5 {
        return vec4f(shade(world, grain), 1.0);
    }
    // Cells smaller than pixels: the mean of some of them, or thin walls would flicker.
    let side = clamp(i32(1.0 / view.scale), 2, 4);
    var sum = vec3f(0.0);
    for (var y = 0; y < side; y++) {
        for (var x = 0; x < side; x++) {
            let shift = (vec2f(f32(x), f32(y)) + 0.5) / f32(side) - 0.5;
            sum += shade(world + shift / view.scale, grain);
        }
    }
    return vec4f(sum / f32(side * side), 1.0);
}
