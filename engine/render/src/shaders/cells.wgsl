// A colour for each cell over the map.

@group(1) @binding(0) var colours: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return to_clip((corner(index) * 0.5 + 0.5) * vec2f(textureDimensions(colours)));
}

@fragment
fn fragment(@builtin(position) pixel: vec4f) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(colours)) - 1;
    let colour = textureLoad(colours, clamp(vec2i(floor(to_world(pixel.xy))), vec2i(0), last), 0);
    return vec4f(colour.rgb * colour.a, colour.a);
}
