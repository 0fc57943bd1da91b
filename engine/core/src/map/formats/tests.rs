//! What the text and image formats read, refuse and write.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::map::CellRect;

/// A path in the temporary directory that no other test uses.
fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("throng-map-{}-{name}", std::process::id()))
}

/// Writes the bytes to a file of that name and loads it as a map.
fn load_bytes(name: &str, bytes: &[u8]) -> Result<Map, MapError> {
    let path = temporary(name);
    std::fs::write(&path, bytes).unwrap();
    let map = Map::load(&path);
    std::fs::remove_file(&path).unwrap();
    map
}

/// What is said of a file with these bytes, after its path.
fn complaint(name: &str, bytes: &[u8]) -> String {
    let error = load_bytes(name, bytes).unwrap_err();
    let (text, path) = (error.to_string(), temporary(name).display().to_string());
    text.strip_prefix(&path)
        .unwrap_or_else(|| panic!("no path in {text:?}"))
        .to_string()
}

#[test]
fn every_letter_is_read() {
    let map = Map::from_ascii("\n.G~S\r\n#@OT\nWWWW\n\n").unwrap();
    assert_eq!((map.width(), map.height()), (4, 3));
    assert_eq!(map.to_ascii(), "..~S\n####\nWWWW\n");
    assert_eq!(map.info().passable, 4);
    assert!(map.is_blocked(0, 2) && !map.is_blocked(2, 0) && !map.is_blocked(3, 0));
}

#[test]
fn faulty_letters_and_rows_are_named() {
    let told = |text| Map::from_ascii(text).unwrap_err().to_string();
    let letters = ". G # @ O T S W ~";
    assert_eq!(
        told("...\n.x.\n"),
        format!("map line 2, column 2: unknown letter 'x'; map letters are {letters}")
    );
    assert_eq!(
        told("...\n...\n..\n"),
        "map line 3: the row has 2 cells; 3 are wanted"
    );
    assert_eq!(
        told("\n...\n\n...\n"),
        "map line 3: the row has 0 cells; 3 are wanted"
    );
    for text in ["", "\n\n", "\r\n"] {
        assert_eq!(
            told(text),
            format!("map: holds no map; rows of the letters {letters} are wanted")
        );
    }
    assert_eq!(
        told(&".".repeat(16_385)),
        "map: a map of 16385 x 1 cells; each side must be 1 to 16384"
    );
}

#[test]
fn movingai_files_may_have_either_line_end() {
    let text = "type octile\nheight 2\nwidth 3\nmap\n.@T\nSW.\n";
    for text in [
        text.to_string(),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}\n\n"),
    ] {
        let map = load_bytes("ends.map", text.as_bytes()).unwrap();
        assert_eq!(map.to_ascii(), ".##\nSW.\n");
    }
}

/// MAPIN-7: another type is named, a short row by its line.
#[test]
fn faulty_movingai_files_are_refused_where_they_are_wrong() {
    let told = |text: &str| complaint("faulty.map", text.as_bytes());
    let head = "type octile\nheight 2\nwidth 3\nmap\n";
    assert_eq!(
        told(&head.replace("octile", "octile-corner")),
        ":1: map type \"octile-corner\" is not read; only `type octile` is"
    );
    assert_eq!(
        told(&format!("{head}...\n..\n")),
        ":6: the row has 2 cells; 3 are wanted"
    );
    assert_eq!(
        told(&format!("{head}...\n")),
        ":6: 1 rows; the header says 2"
    );
    assert_eq!(
        told(&format!("{head}...\n...\n...\n")),
        ":7: 3 rows; the header says 2"
    );
    assert!(told(&format!("{head}...\n.?.\n")).starts_with(":6:2: unknown letter '?'"));
    assert!(told("").contains("holds no map"));
    assert_eq!(
        told(&head.replace('3', "0")),
        ": a map of 0 x 2 cells; each side must be 1 to 16384"
    );
    assert_eq!(
        told(&head.replace('2', "-2")),
        ":2: \"height -2\" in the header; a whole number of cells is wanted"
    );
    assert!(told("type octile\nwidth 3\nmap\n...\n").contains("`height N` and `width N`"));
    assert!(told("height 1\nwidth 1\nmap\n.\n").contains("a line `type octile` before it"));
    assert!(told("type octile\nheight 1\n").starts_with(":3: \"the end of the file\""));
    assert!(told("type octile\ndepth 1\n").starts_with(":2: \"depth 1\" in the header"));
}

#[test]
fn a_lying_header_reserves_nothing() {
    let told = complaint(
        "lie.map",
        b"type octile\nheight 16384\nwidth 16384\nmap\n..\n",
    );
    assert_eq!(told, ":5: the row has 2 cells; 16384 are wanted");
    let told = complaint(
        "huge.map",
        b"type octile\nheight 4294967297\nwidth 99999999\nmap\n..\n",
    );
    assert_eq!(
        told,
        ": a map of 99999999 x 4294967297 cells; each side must be 1 to 16384"
    );
}

#[test]
fn what_is_no_map_file_is_refused() {
    assert!(complaint("latin.txt", b"...\n.\xff.\n").starts_with(":2: is not UTF-8"));
    assert!(complaint("map.bmp", b"").contains("unknown map file ending; one of .map"));
    assert!(complaint("none", b"").contains("unknown map file ending"));
    assert!(complaint("text.png", b"...\n").starts_with(": is no readable PNG image"));

    let missing = Map::load(&temporary("missing.map")).unwrap_err();
    assert!(matches!(missing.fault, MapFault::Read(_)), "{missing}");
    let directory = temporary("folder.map");
    std::fs::create_dir_all(&directory).unwrap();
    assert!(matches!(
        Map::load(&directory).unwrap_err().fault,
        MapFault::Directory
    ));
    let unwritable = Map::open(2, 2)
        .unwrap()
        .save(&directory.join("no/such.txt"))
        .unwrap_err();
    assert!(
        matches!(unwritable.fault, MapFault::Write(_)),
        "{unwritable}"
    );
    std::fs::remove_dir(&directory).unwrap();
}

#[test]
fn dark_pixels_of_a_mask_are_blocked() {
    let pixels: [[u8; 4]; 6] = [
        [127, 127, 127, 255],
        [128, 128, 128, 255],
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 0, 0],
        [0, 0, 0, 200],
    ];
    let mask = ::image::RgbaImage::from_raw(6, 1, pixels.concat()).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    mask.write_to(&mut bytes, ::image::ImageFormat::Png)
        .unwrap();
    let bytes = bytes.into_inner();
    assert_eq!(
        load_bytes("mask.png", &bytes).unwrap().to_ascii(),
        "#.#..#\n"
    );
    assert!(complaint("cut.png", &bytes[..bytes.len() / 2]).contains("no readable PNG"));
}

#[test]
fn a_png_that_cannot_hold_its_pixels_is_refused_before_they_are_reserved() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixel = ::image::GrayImage::new(1, 1);
    pixel
        .write_to(&mut bytes, ::image::ImageFormat::Png)
        .unwrap();
    let mut bytes = bytes.into_inner();
    // Width and height stand in the first chunk, behind signature, length and name; the checksum
    // after them is made to agree.
    bytes[16..20].copy_from_slice(&16_384u32.to_be_bytes());
    bytes[20..24].copy_from_slice(&16_384u32.to_be_bytes());
    let sum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    let told = complaint("lie.png", &bytes);
    assert!(told.contains("16384 x 16384 pixels"), "{told}");
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |s, _| {
            if s & 1 != 0 {
                s >> 1 ^ 0xedb8_8320
            } else {
                s >> 1
            }
        })
    })
}

#[test]
fn painted_maps_convert_between_all_formats() {
    let mut map = Map::from_ascii("..~S\n#...\nWW..\n").unwrap();
    map.paint(CellRect::new(1, 1, 3, 2), true);
    for (name, kept) in [
        ("convert.txt", "..~S\n###.\nWW..\n"),
        ("convert.map", "..~S\n###.\nWW..\n"),
        ("convert.png", "....\n###.\n##..\n"),
    ] {
        let path = temporary(name);
        map.save(&path).unwrap();
        assert_eq!(Map::load(&path).unwrap().to_ascii(), kept, "{name}");
        std::fs::remove_file(&path).unwrap();
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in "(type octile\n|height [0-9]\n|width [0-9]\n|map\n)*[.@#SWx\n\r ]{0,40}") {
        let _ = ascii::parse(&text);
        let _ = movingai::parse(&text);
    }

    #[test]
    fn no_bytes_make_the_mask_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = image::decode(&bytes);
    }

    #[test]
    fn written_letters_read_back(rows in (1usize..20).prop_flat_map(|width| {
        prop::collection::vec(prop::collection::vec(0usize..5, width), 1..20)
    })) {
        let letters = ['.', 'S', 'W', '~', '#'];
        let text: String = rows.iter().flat_map(|row| {
            row.iter().map(|&i| letters[i]).chain(['\n'])
        }).collect();
        let map = Map::from_ascii(&text).unwrap();
        prop_assert_eq!(&map.to_ascii(), &text);
        let movingai = movingai::parse(&movingai::write(&map)).unwrap();
        prop_assert_eq!(movingai.cells, ascii::parse(&text).unwrap().cells);
    }
}
