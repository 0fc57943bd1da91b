// All units in one draw: a quad each, turned by its heading, moved between two ticks.

struct Unit {
    @location(0) position: vec2f,
    // Way of the last tick as a share of STEP_RANGE.
    @location(1) step: vec2f,
    // From the low bits: heading 8, radius 8, team 4, frame 12.
    @location(2) bits: u32,
};

struct Sprite {
    @builtin(position) clip: vec4f,
    // Place in the quad, world axes, in radii.
    @location(0) offset: vec2f,
    // Place in the sheet, in texels.
    @location(1) texel: vec2f,
    @location(2) @interpolate(flat) direction: vec2f,
    @location(3) @interpolate(flat) team: vec3f,
    // Radius in pixels.
    @location(4) @interpolate(flat) pixels: f32,
    // x0, y0, x1, y1 of the frame in texels; empty for a plain body.
    @location(5) @interpolate(flat) frame: vec4f,
    // Texels per pixel.
    @location(6) @interpolate(flat) density: f32,
};

const STEP_RANGE = 8.0;
const NO_FRAME = 4095u;
// Sprites smaller than this radius in pixels are drawn as bodies: their teams stay legible.
const SPRITE_FROM = 2.5;
const BODY_EXTENT = 1.5;
const TURN = 6.283185307;

@group(1) @binding(0) var sheet: texture_2d<f32>;
@group(1) @binding(1) var sheet_sampler: sampler;
// Two texels a frame: its rectangle; pivot, texels per radius and facing of the drawing.
@group(1) @binding(2) var frames: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32, unit: Unit) -> Sprite {
    let heading = f32(unit.bits & 255u) * (TURN / 256.0);
    let radius = 0.05 * exp2(f32((unit.bits >> 8u) & 255u) / 32.0);
    let frame = unit.bits >> 20u;
    let centre = unit.position - unit.step * STEP_RANGE * (1.0 - view.blend);

    var sprite: Sprite;
    // A unit is never smaller than a visible dot.
    sprite.pixels = max(radius * view.scale, 1.1);
    let world_radius = sprite.pixels / view.scale;
    sprite.direction = vec2f(cos(heading), sin(heading));
    sprite.team = view.teams[(unit.bits >> 16u) & 15u].rgb;
    if frame == NO_FRAME || sprite.pixels < SPRITE_FROM {
        sprite.offset = corner(index) * BODY_EXTENT;
        sprite.clip = to_clip(centre + sprite.offset * world_radius);
        return sprite;
    }
    let at = vec2u((frame & 127u) * 2u, frame >> 7u);
    let rectangle = textureLoad(frames, at, 0);
    let shape = textureLoad(frames, at + vec2u(1u, 0u), 0);
    // One texel of room around the frame keeps the smoothed rim inside the quad.
    let place = mix(vec2f(-1.0), rectangle.zw + 1.0, corner(index) * 0.5 + 0.5);
    let turn = heading - shape.w;
    let axis = vec2f(cos(turn), sin(turn));
    let drawn = (place - shape.xy) / shape.z;
    sprite.offset = vec2f(drawn.x * axis.x - drawn.y * axis.y, drawn.x * axis.y + drawn.y * axis.x);
    sprite.clip = to_clip(centre + sprite.offset * world_radius);
    sprite.texel = rectangle.xy + place;
    sprite.frame = vec4f(rectangle.xy, rectangle.xy + rectangle.zw);
    sprite.density = shape.z / sprite.pixels;
    return sprite;
}

@fragment
fn fragment(sprite: Sprite) -> @location(0) vec4f {
    if sprite.frame.z > sprite.frame.x {
        return drawn(sprite);
    }
    return body(sprite);
}

// One mip level of the sheet; never a texel of the neighbouring frame.
fn level(sprite: Sprite, mip: f32) -> vec4f {
    let inset = 0.5 * exp2(mip);
    let low = sprite.frame.xy + inset;
    let high = max(sprite.frame.zw - inset, low);
    let size = vec2f(textureDimensions(sheet));
    return textureSampleLevel(sheet, sheet_sampler, clamp(sprite.texel, low, high) / size, mip);
}

fn drawn(sprite: Sprite) -> vec4f {
    let lod = clamp(log2(sprite.density), 0.0, f32(textureNumLevels(sheet) - 1u));
    let below = floor(lod);
    var colour = level(sprite, below);
    if lod > below {
        colour = mix(colour, level(sprite, below + 1.0), lod - below);
    }
    // The rim of the frame is smoothed over one pixel, so that a frame filled to its edge has
    // no stairs when turned.
    let inside = min(sprite.texel - sprite.frame.xy, sprite.frame.zw - sprite.texel);
    let rim = clamp(min(inside.x, inside.y) / max(sprite.density, 1e-6) + 0.5, 0.0, 1.0);
    // Magenta stands for the team's colour, from black through it to white.
    let share = max(min(colour.r, colour.b) - colour.g, 0.0);
    let painted = colour.rgb - vec3f(share, 0.0, share) + share * sprite.team;
    return vec4f(painted, colour.a) * rim;
}

// A plain unit seen from above: a shaded disc with a blunt nose and a chevron, and its shadow.
fn body(sprite: Sprite) -> vec4f {
    let q = sprite.offset;
    let pixel = 1.0 / sprite.pixels;
    let p = vec2f(dot(q, sprite.direction), q.y * sprite.direction.x - q.x * sprite.direction.y);
    let side = abs(p.y);

    // The hull of a disc and a point before it.
    let round = 0.9;
    let normal = vec2f(0.7826, 0.6225);
    var edge = length(p) - round;
    if p.x * normal.y > side * normal.x {
        edge = p.x * normal.x + side * normal.y - round;
    }
    let cover = clamp(0.5 - edge / pixel, 0.0, 1.0);
    let line = max(0.13, min(1.25 * pixel, 0.4));
    let fill = clamp(0.5 - (edge + line) / pixel, 0.0, 1.0);

    let light = clamp(0.5 - dot(q, vec2f(0.42, 0.56)), 0.0, 1.0);
    var skin = sprite.team * mix(0.62, 1.12, light);
    skin += vec3f(0.18) * smoothstep(0.75, 0.0, length(q + vec2f(0.3, 0.38)));
    // The chevron: a line from the nose to either shoulder.
    let nose = vec2f(0.62, 0.0);
    let shoulder = vec2f(-0.08, 0.46);
    let along = clamp(dot(vec2f(p.x, side) - nose, shoulder - nose) / dot(shoulder - nose, shoulder - nose), 0.0, 1.0);
    let chevron = length(vec2f(p.x, side) - mix(nose, shoulder, along)) - 0.1;
    let mark = clamp(0.5 - chevron / pixel, 0.0, 1.0) * smoothstep(2.5, 5.0, sprite.pixels);
    skin = mix(skin, vec3f(0.97, 0.96, 0.9), mark * 0.92);
    let rim = sprite.team * 0.22;
    let colour = vec4f(mix(rim, min(skin, vec3f(1.0)), fill) * cover, cover);

    let fall = length(q - vec2f(0.16, 0.24)) - 0.95;
    let shadow = 0.42 * (1.0 - smoothstep(-0.3, 0.28, fall)) * smoothstep(1.5, 3.0, sprite.pixels);
    return over(colour, vec4f(0.0, 0.0, 0.0, shadow));
}
