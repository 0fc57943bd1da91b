//! The encodings of a layer's cells.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

/// Cells written as comma-separated numbers, or as base64 of little-endian words that may be
/// compressed. What is wrong and would be right, when they cannot be read.
pub(super) fn decode(
    encoding: &str,
    compression: &str,
    text: &str,
    cells: usize,
) -> Result<Vec<u32>, String> {
    match encoding {
        "csv" => text
            .split(',')
            .map(str::trim)
            .map(|gid| {
                gid.parse()
                    .map_err(|_| format!("{gid:?} is no tile number"))
            })
            .collect(),
        "base64" => {
            let compact: String = text.split_ascii_whitespace().collect();
            let packed = STANDARD
                .decode(compact)
                .map_err(|error| format!("is no base64: {error}"))?;
            let bytes = unpack(compression, &packed, cells)?;
            let (words, rest) = bytes.as_chunks();
            if !rest.is_empty() {
                return Err("ends within a cell; four bytes for each are wanted".to_string());
            }
            Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
        }
        _ => Err(format!(
            "encoding {encoding:?} is not read; csv and base64 are"
        )),
    }
}

/// At most a byte more than the cells need, so that no small file fills the memory.
fn unpack(compression: &str, packed: &[u8], cells: usize) -> Result<Vec<u8>, String> {
    let limit = 4 * (cells as u64 + 1);
    let mut bytes = Vec::new();
    let unpacked = match compression {
        "" => packed.take(limit).read_to_end(&mut bytes),
        "zlib" => ZlibDecoder::new(packed).take(limit).read_to_end(&mut bytes),
        "gzip" => GzDecoder::new(packed).take(limit).read_to_end(&mut bytes),
        "zstd" => StreamingDecoder::new(packed)
            .map_err(|error| format!("is no zstd data: {error}"))?
            .take(limit)
            .read_to_end(&mut bytes),
        _ => {
            return Err(format!(
                "compression {compression:?} is not read; zlib, gzip and zstd are"
            ));
        }
    };
    unpacked.map_err(|error| format!("is no {compression} data: {error}"))?;
    Ok(bytes)
}
