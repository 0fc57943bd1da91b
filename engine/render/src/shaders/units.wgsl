// All units in one draw: a quad each, turned by its heading, moved between two ticks.

struct Unit {
    @location(0) position: vec2f,
    // From the low bits: way of the last tick 14 and 14, team 4.
    @location(1) motion: u32,
    // From the low bits: heading 8, radius 8, frame 16.
    @location(2) look: u32,
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
const NO_FRAME = 65535u;
// Sprites smaller than this radius in pixels are drawn as bodies: their teams stay legible.
const SPRITE_FROM = 1.6;
const BODY_EXTENT = 1.5;
const TURN = 6.283185307;

@group(1) @binding(0) var sheet: texture_2d<f32>;
@group(1) @binding(1) var sheet_sampler: sampler;
// Two texels a frame: its rectangle; texels per radius.
@group(1) @binding(2) var frames: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32, unit: Unit) -> Sprite {
    let heading = f32(unit.look & 255u) * (TURN / 256.0);
    // Bits of the float: from those of 0.05, in steps of a 32nd of a doubling.
    let radius = bitcast<f32>(0x3d4ccccdu + (((unit.look >> 8u) & 255u) << 18u) + (1u << 17u));
    let frame = unit.look >> 16u;
    let step = vec2f(vec2u(unit.motion, unit.motion >> 14u) & vec2u(16383u)) - 8192.0;
    let centre = unit.position - step * (STEP_RANGE / 8191.0) * (1.0 - view.blend);

    var sprite: Sprite;
    // A unit is never smaller than a visible dot.
    sprite.pixels = max(radius * view.scale, 1.1);
    let world_radius = sprite.pixels / view.scale;
    sprite.direction = vec2f(cos(heading), sin(heading));
    sprite.team = view.teams[unit.motion >> 28u].rgb;
    if frame == NO_FRAME || sprite.pixels < SPRITE_FROM {
        sprite.offset = corner(index) * BODY_EXTENT;
        sprite.clip = to_clip(centre + sprite.offset * world_radius);
        return sprite;
    }
    let at = vec2u((frame & 127u) * 2u, frame >> 7u);
    let rectangle = textureLoad(frames, at, 0);
    let per_radius = textureLoad(frames, at + vec2u(1u, 0u), 0).x;
    // One texel of room around the frame keeps the smoothed rim inside the quad.
    let place = corner(index) * (rectangle.zw * 0.5 + 1.0);
    let axis = sprite.direction / per_radius;
    sprite.offset = vec2f(place.x * axis.x - place.y * axis.y, place.x * axis.y + place.y * axis.x);
    sprite.clip = to_clip(centre + sprite.offset * world_radius);
    sprite.texel = rectangle.xy + rectangle.zw * 0.5 + place;
    sprite.frame = vec4f(rectangle.xy, rectangle.xy + rectangle.zw);
    sprite.density = per_radius / sprite.pixels;
    return sprite;
}

@fragment
fn fragment(sprite: Sprite) -> @location(0) vec4f {
    if sprite.frame.z > sprite.frame.x {
        return drawn(sprite);
    }
    return body(sprite);
}

// One mip level of the sheet, tinted; never a texel of the neighbouring frame.
fn level(sprite: Sprite, mip: f32) -> vec4f {
    let inset = 0.5 * exp2(mip);
    let low = sprite.frame.xy + inset;
    let high = max(sprite.frame.zw - inset, low);
    let at = clamp(sprite.texel, low, high) / vec2f(textureDimensions(sheet));
    let colour = textureSampleLevel(sheet, sheet_sampler, at, mip);
    // Magenta, what red and blue have over green, stands for the team's colour.
    let share = max(min(colour.r, colour.b) - colour.g, 0.0);
    // From afar the lines of the drawing would drown it: there it shows more.
    let team = sprite.team * (1.0 + 0.35 * clamp(mip, 0.0, 3.0));
    return vec4f(min(colour.rgb + share * (team - vec3f(1.0, 0.0, 1.0)), colour.aaa), colour.a);
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
    return colour * clamp(min(inside.x, inside.y) / sprite.density + 0.5, 0.0, 1.0);
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
    // A dark rim would drown a unit of a few pixels.
    let rim = sprite.team * mix(0.8, 0.22, smoothstep(1.2, 3.2, sprite.pixels));
    let colour = vec4f(mix(rim, min(skin, vec3f(1.0)), fill) * cover, cover);

    let fall = length(q - vec2f(0.16, 0.24)) - 0.95;
    let shadow = 0.42 * (1.0 - smoothstep(-0.3, 0.28, fall)) * smoothstep(1.5, 3.0, sprite.pixels);
    return over(colour, vec4f(0.0, 0.0, 0.0, shadow));
}
