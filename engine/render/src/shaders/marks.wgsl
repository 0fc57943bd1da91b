// Rings, lines, arrows and boxes, smoothed by their distance to the edge in pixels.

struct Mark {
    @location(0) a: vec2f,
    @location(1) b: vec2f,
    @location(2) colour: vec4f,
    // Kind, width in quarter pixels, opacity of the rim.
    @location(3) shape: vec4u,
};

struct Figure {
    @builtin(position) clip: vec4f,
    @location(0) world: vec2f,
    @location(1) @interpolate(flat) a: vec2f,
    @location(2) @interpolate(flat) b: vec2f,
    @location(3) @interpolate(flat) colour: vec4f,
    // Kind, half width and rim's opacity.
    @location(4) @interpolate(flat) shape: vec3f,
};

const SEGMENT = 0u;
const ARROW = 1u;
const RING = 2u;
const DISC = 3u;
const BOX = 4u;
const RIM = 1.5;

// How far an arrow's head reaches back and aside, in half widths.
const HEAD = vec2f(7.0, 4.0);

@vertex
fn vertex(@builtin(vertex_index) index: u32, mark: Mark) -> Figure {
    let kind = mark.shape.x;
    let half_width = f32(mark.shape.y) * 0.125;
    var figure: Figure;
    figure.a = mark.a;
    figure.b = mark.b;
    figure.colour = mark.colour;
    figure.shape = vec3f(f32(kind), half_width, f32(mark.shape.z) / 255.0);
    var room = (half_width + RIM + 1.0) / view.scale;
    let at = corner(index);
    if kind <= ARROW {
        // A box along the line, so that long lines cost what they cover.
        let way = mark.b - mark.a;
        let span = length(way);
        let along = select(vec2f(1.0, 0.0), way / span, span > 1e-6);
        if kind == ARROW {
            room += half_width * HEAD.y / view.scale;
        }
        figure.world = (mark.a + mark.b) * 0.5
            + along * at.x * (span * 0.5 + room)
            + vec2f(-along.y, along.x) * at.y * room;
    } else if kind <= DISC {
        figure.world = mark.a + at * (mark.b.x + room);
    } else {
        figure.world = (mark.a + mark.b) * 0.5 + at * ((mark.b - mark.a) * 0.5 + room);
    }
    figure.clip = to_clip(figure.world);
    return figure;
}

fn to_segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    let way = b - a;
    let along = clamp(dot(p - a, way) / max(dot(way, way), 1e-12), 0.0, 1.0);
    return length(p - a - way * along);
}

// Signed distance to the figure's edge, in pixels.
fn distance_to(figure: Figure) -> f32 {
    let kind = u32(figure.shape.x);
    let half_width = figure.shape.y;
    let p = figure.world;
    if kind <= ARROW {
        var d = to_segment(p, figure.a, figure.b);
        if kind == ARROW {
            let way = normalize(figure.b - figure.a);
            let back = figure.b - way * HEAD.x * half_width / view.scale;
            let aside = vec2f(-way.y, way.x) * HEAD.y * half_width / view.scale;
            d = min(d, min(to_segment(p, figure.b, back + aside), to_segment(p, figure.b, back - aside)));
        }
        return d * view.scale - half_width;
    }
    if kind == RING {
        return abs(length(p - figure.a) - figure.b.x) * view.scale - half_width;
    }
    if kind == DISC {
        return (length(p - figure.a) - figure.b.x) * view.scale;
    }
    let outside = abs(p - (figure.a + figure.b) * 0.5) - (figure.b - figure.a) * 0.5;
    let d = (length(max(outside, vec2f(0.0))) + min(max(outside.x, outside.y), 0.0)) * view.scale;
    if kind == BOX {
        return d;
    }
    return abs(d) - half_width;
}

@fragment
fn fragment(figure: Figure) -> @location(0) vec4f {
    let d = distance_to(figure);
    let fill = clamp(0.5 - d, 0.0, 1.0) * figure.colour.a;
    let rim = clamp(0.5 + RIM - d, 0.0, 1.0) * figure.shape.z;
    return over(vec4f(figure.colour.rgb * fill, fill), vec4f(0.0, 0.0, 0.0, rim));
}
