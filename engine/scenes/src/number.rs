//! The numbers of scenario files, each with its range: what is out of it is refused as it is read,
//! so that the error names the key.

use serde::{Deserialize, Deserializer, de};
use throng::sim::MAX_RADIUS;

/// A finite number above zero.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct Positive(pub(crate) f32);

impl TryFrom<f64> for Positive {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let narrow = value as f32;
        if narrow > 0.0 && narrow.is_finite() {
            Ok(Self(narrow))
        } else {
            Err(format!(
                "{value} is out of range; it must be a number above 0"
            ))
        }
    }
}

/// A radius; a smaller one would make lattices of more points than memory holds.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct Radius(pub(crate) f32);

impl TryFrom<f64> for Radius {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let narrow = value as f32;
        if (0.05..=MAX_RADIUS).contains(&narrow) {
            Ok(Self(narrow))
        } else {
            Err(format!(
                "{value} is out of range; it must be 0.05 to {MAX_RADIUS} cells"
            ))
        }
    }
}

/// A finite number, 0 or more.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct NotNegative(pub(crate) f32);

impl TryFrom<f64> for NotNegative {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let narrow = value as f32;
        if narrow >= 0.0 && narrow.is_finite() {
            Ok(Self(narrow))
        } else {
            Err(format!(
                "{value} is out of range; it must be a number, 0 or more"
            ))
        }
    }
}

/// A number from 0 up to but not including 1.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(try_from = "f64")]
pub(crate) struct Share(pub(crate) f32);

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let narrow = value as f32;
        if (0.0..1.0).contains(&narrow) {
            Ok(Self(narrow))
        } else {
            Err(format!(
                "{value} is out of range; it must be 0 or more and under 1"
            ))
        }
    }
}

/// More units would not fit into memory, and no tick would end in reasonable time.
pub(crate) const MOST_UNITS: u32 = 4_000_000;

/// A whole number from 1 to `MOST`.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "i64")]
pub(crate) struct Count<const MOST: u32>(pub(crate) u32);

impl<const MOST: u32> TryFrom<i64> for Count<MOST> {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        match u32::try_from(value) {
            Ok(count) if (1..=MOST).contains(&count) => Ok(Self(count)),
            _ => Err(format!(
                "{value} is out of range; it must be a whole number from 1 to {MOST}"
            )),
        }
    }
}

/// Places on the map: finite, none negative.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub(crate) struct Coordinates<const N: usize>(pub(crate) [f32; N]);

impl<const N: usize> TryFrom<Vec<f64>> for Coordinates<N> {
    type Error = String;

    fn try_from(values: Vec<f64>) -> Result<Self, String> {
        let narrow: [f32; N] = values
            .iter()
            .map(|v| *v as f32)
            .collect::<Vec<_>>()
            .try_into()
            .map_err(|v: Vec<f32>| format!("{} numbers, but {N} are needed", v.len()))?;
        match narrow.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            None => Ok(Self(narrow)),
            Some(wrong) => Err(format!(
                "{wrong} is out of range; coordinates are numbers of cells, 0 or more"
            )),
        }
    }
}

/// Reads a bar of the `expect` table: finite, not negative.
pub(crate) fn bar<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let value = f64::deserialize(from)?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(de::Error::custom(format!(
            "{value} is out of range; it must be a number, 0 or more"
        )))
    }
}

/// The same for a bar that may be left out.
pub(crate) fn optional_bar<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    bar(from).map(Some)
}
