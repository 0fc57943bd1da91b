//! Tiled maps written here, cell by cell, and the real ones of the shared folder.

use std::path::PathBuf;

use super::*;
use crate::map::MapFault;

/// A folder of its own for a test, with these files in it.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("throng-tiled-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        std::fs::write(folder.join(file), text).unwrap();
    }
    folder
}

fn load_text(name: &str, text: &str, options: &TiledOptions) -> Result<TiledMap, MapError> {
    let ending = if text.starts_with('<') {
        "map.tmx"
    } else {
        "map.tmj"
    };
    let folder = folder(name, &[(ending, text)]);
    let map = load_tiled(&folder.join(ending), options);
    std::fs::remove_dir_all(folder).unwrap();
    map
}

fn told(name: &str, text: &str) -> String {
    let error = load_text(name, text, &TiledOptions::default()).unwrap_err();
    let text = error.to_string();
    text.split_once("map.tm").unwrap().1[1..].to_string()
}

/// A finite map of 3 x 2 cells whose only layer has these properties and cells.
fn small(layer: &str, cells: &str) -> String {
    format!(
        r#"<map orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8">
 <tileset firstgid="1" name="a" tilecount="4" columns="2">
  <tile id="1"><properties><property name="blocked" type="bool" value="true"/></properties></tile>
  <tile id="2"><properties><property name="terrain" value="swamp"/></properties></tile>
  <tile id="3"><properties><property name="walkable" type="bool" value="true"/></properties></tile>
 </tileset>
 <layer id="1" width="3" height="2" {layer}<data encoding="csv">{cells}</data></layer>
</map>"#
    )
}

#[test]
fn properties_of_tiles_say_what_they_are() {
    let text = small(r#"name="ground">"#, "1,2,3,\n0,4,2");
    let read = load_text("tiles", &text, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), ".#S\n..#\n");
    assert_eq!(read.explain(1, 0), Explanation::Layer("ground"));
    assert_eq!(read.explain(0, 1), Explanation::NoLayer);
    assert_eq!(read.explain(3, 0), Explanation::OffMap);
    assert_eq!(read.warnings, []);
}

/// MAPIN-2: one tile, turned and mirrored in several ways.
#[test]
fn flips_of_a_tile_are_told_apart_from_its_number() {
    let flips = |bits: u32| {
        let tile = Tile::from_bits(bits);
        assert_eq!(tile.number, 3);
        [tile.horizontal, tile.vertical, tile.diagonal]
    };
    assert_eq!(flips(3_758_096_387), [true, true, true]);
    assert_eq!(flips(2_147_483_651), [true, false, false]);
    assert_eq!(flips(1_073_741_827), [false, true, false]);
    assert_eq!(flips(536_870_915), [false, false, true]);
    assert_eq!(flips(3), [false; 3]);
    // Tile 3 of this set is a swamp, whichever way it lies.
    let cells = "3758096387,2147483651,1073741827,536870915,3,1";
    let read = load_text(
        "flips3",
        &small(r#"name="a">"#, cells),
        &TiledOptions::default(),
    );
    assert_eq!(read.unwrap().map.to_ascii(), "SSS\nSS.\n");
}

#[test]
fn flip_bits_are_masked_before_a_tile_is_looked_up() {
    let text = small(
        r#"name="a">"#,
        "3758096386,2147483650,1073741826,\n536870914,2,1",
    );
    let read = load_text("flips", &text, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), "###\n##.\n");
}

#[test]
fn layers_block_or_open_by_property_or_name() {
    let ascii = |name: &str, layer: &str| {
        let read = load_text(
            name,
            &small(layer, "1,0,1,\n0,4,0"),
            &TiledOptions::default(),
        );
        read.unwrap().map.to_ascii()
    };
    let property = |name: &str| {
        format!(r#"name="a"><properties><property name="{name}" value="true"/></properties>"#)
    };
    assert_eq!(ascii("layer1", &property("blocked")), "#.#\n...\n");
    assert_eq!(ascii("layer2", &property("walkable")), ".#.\n#.#\n");
    assert_eq!(ascii("layer3", r#"name="Walls">"#), "#.#\n...\n");
}

#[test]
fn a_rule_may_name_the_layer_or_the_property() {
    let text = small(r#"name="a">"#, "1,2,4,\n0,4,2");
    let ascii = |rule| {
        let options = TiledOptions { rule, strict: true };
        load_text("rule", &text, &options).map(|read| read.map.to_ascii())
    };
    assert_eq!(
        ascii(TiledRule::LayerBlocks("a".into())).unwrap(),
        "###\n.##\n"
    );
    assert_eq!(
        ascii(TiledRule::LayerOpens("a".into())).unwrap(),
        "...\n#..\n"
    );
    assert_eq!(
        ascii(TiledRule::TileBlocks("blocked".into())).unwrap(),
        ".#.\n..#\n"
    );
    assert_eq!(
        ascii(TiledRule::TileOpens("walkable".into())).unwrap(),
        "##.\n#.#\n"
    );
    let error = ascii(TiledRule::LayerBlocks("b".into()))
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with(r#"has no tile layer "b"; there are: a"#),
        "{error}"
    );
}

#[test]
fn a_map_that_says_nothing_is_free_where_it_has_tiles() {
    let text = small(r#"name="a">"#, "1,0,1,\n0,1,1");
    let text = text.split("<tile id").next().unwrap().to_string()
        + text.split("</tile>\n").last().unwrap();
    let read = load_text("silent", &text, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), ".#.\n#..\n");
}

/// MAPIN-4.
#[test]
fn a_tile_that_no_set_has_is_an_error_or_a_warning() {
    let text = small(r#"name="a">"#, "1,1,1,\n0,2147483653,1");
    assert_eq!(
        told("gid1", &text),
        r#": layer "a", cell (1, 1): tile 5 is not in any tileset; its set has 4 tiles from 1 on"#
    );
    let lenient = TiledOptions {
        strict: false,
        ..TiledOptions::default()
    };
    let read = load_text("gid2", &text, &lenient).unwrap();
    assert_eq!(read.map.info().passable, 6);
    assert!(
        matches!(&read.warnings[..], [TiledFault::Gid { layer, x: 1, y: 1, gid: 5, .. }] if layer == "a")
    );
    let early = small(r#"name="a">"#, "1,0,0,0,0,0").replace("firstgid=\"1\"", "firstgid=\"7\"");
    assert!(told("gid3", &early).ends_with("tile 1 is not in any tileset; the first has number 7"));
}

/// MAPIN-1.
#[test]
fn chunks_of_an_infinite_map_lie_at_their_offsets() {
    let chunk = |x, y, gid| {
        format!(r#"<chunk x="{x}" y="{y}" width="2" height="2">{gid},0,0,{gid}</chunk>"#)
    };
    let chunks = [
        chunk(-4, -2, 1),
        chunk(0, -2, 1),
        chunk(-4, 2, 1),
        chunk(2, 2, 1),
    ]
    .concat();
    let text = format!(
        r#"<map orientation="orthogonal" infinite="1" width="9" height="9">
 <tileset firstgid="1" name="a" tilecount="1"/>
 <layer name="walls"><data encoding="csv">{chunks}</data></layer></map>"#
    );
    let read = load_text("chunks", &text, &TiledOptions::default()).unwrap();
    assert_eq!(read.bounds, CellRect::new(-4, -2, 4, 4));
    let wanted = "#.###.##\n.###.###\n########\n########\n#.####\
                  #.\n.#####.#\n";
    assert_eq!(read.map.to_ascii(), wanted);
}

#[test]
fn json_says_the_same_as_xml() {
    let text = r#"{"orientation": "orthogonal", "width": 3, "height": 2, "infinite": false,
        "tilesets": [{"firstgid": 1, "name": "a", "tilecount": 4, "tiles": [
            {"id": 1, "properties": [{"name": "blocked", "type": "bool", "value": true}]},
            {"id": 2, "properties": [{"name": "terrain", "type": "string", "value": "swamp"}]}]}],
        "layers": [{"type": "group", "name": "g", "layers": [
            {"type": "tilelayer", "name": "a", "width": 3, "height": 2,
             "data": [1, 2, 3, 0, 1, 2147483650]}]}]}"#;
    let read = load_text("json", text, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), ".#S\n..#\n");
    assert_eq!(read.explain(1, 0), Explanation::Layer("g/a"));
    let wrong = text.replace("2147483650]", "9]");
    assert!(told("json2", &wrong).contains(r#"layer "g/a", cell (2, 1): tile 9"#));
    let base64 = text.replace(
        "[1, 2, 3, 0, 1, 2147483650]",
        r#""AQAAAAIAAAADAAAAAAAAAAEAAAACAACA", "encoding": "base64""#,
    );
    let read = load_text("json3", &base64, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), ".#S\n..#\n");
    assert!(
        told(
            "json4",
            &text.replace("\"width\": 3, \"height\": 2, \"infinite\"", "\"infinite\"")
        )
        .ends_with("the map has no usable `width`; a whole number is wanted")
    );
    assert!(told("json5", "{\n\"width\": }").starts_with(":2: is not well-formed"));
}

#[test]
fn faulty_maps_are_refused_where_they_are_wrong() {
    let good = small(r#"name="a">"#, "1,1,1,1,1,1");
    let wrong = |name: &str, from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        told(name, &good.replacen(from, to, 1))
    };
    assert_eq!(
        wrong("f1", "orthogonal", "isometric"),
        ":1: is isometric; only orthogonal maps are read"
    );
    assert_eq!(
        wrong("f2", "1,1,1,1,1,1", "1,1"),
        r#": layer "a": 2 cells; 6 are wanted (3 x 2)"#
    );
    assert_eq!(
        wrong("f3", "1,1,1,1,1,1", "1,x"),
        r#":7: layer "a": "x" is no tile number"#
    );
    assert_eq!(
        wrong("f4", r#"width="3""#, r#"width="99999""#),
        ": a map of 99999 x 2 cells; each side must be 1 to 16384"
    );
    assert_eq!(
        wrong("f5", r#"width="3""#, r#"width="4""#),
        r#": layer "a": another size than the map; 4 x 2 is wanted"#
    );
    assert_eq!(
        wrong("f6", r#"encoding="csv""#, r#"encoding="base64""#)
            .split(';')
            .next()
            .unwrap(),
        r#":7: layer "a": is no base64: Invalid symbol 44, offset 1."#
    );
    assert!(wrong("f7", "</layer>", "</later>").starts_with(":7: is not well-formed"));
    assert!(
        wrong("f8", "tilecount=\"4\" ", "").starts_with(":2: a tileset has no usable `tilecount`")
    );
    assert_eq!(
        wrong("f9", r#"type="bool" value="true""#, r#"value="maybe""#),
        ": property `blocked` of tile 2 is \"maybe\"; true or false is wanted"
    );
    assert!(told("f10", "<map width=\"1\" height=\"1\"/>").ends_with("a tile layer is wanted"));
}

#[test]
fn a_tileset_file_beside_the_map_is_read_and_missed() {
    let set = r#"<tileset name="a" tilecount="2"><tile id="0"><properties>
        <property name="blocked" value="true"/></properties></tile></tileset>"#;
    let map = r#"<map width="2" height="1"><tileset firstgid="1" source="a.tsx"/>
        <layer name="l" width="2" height="1"><data encoding="csv">1,2</data></layer></map>"#;
    let both = folder("set1", &[("a.tsx", set), ("map.tmx", map)]);
    let read = load_tiled(&both.join("map.tmx"), &TiledOptions::default()).unwrap();
    assert_eq!(
        (read.map.to_ascii().as_str(), read.warnings.len()),
        ("#.\n", 0)
    );
    std::fs::remove_dir_all(both).unwrap();
    let read = load_text("set2", map, &TiledOptions::default()).unwrap();
    assert_eq!(read.map.to_ascii(), "..\n");
    assert!(
        matches!(&read.warnings[..], [TiledFault::Tileset { .. }]),
        "{:?}",
        read.warnings
    );
}

#[test]
fn tiled_maps_are_not_written() {
    let error = Map::open(2, 2)
        .unwrap()
        .save(Path::new("out.tmx"))
        .unwrap_err();
    assert!(matches!(error.fault, MapFault::ReadOnly));
}
