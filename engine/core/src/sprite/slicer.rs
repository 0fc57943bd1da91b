//! Cutting frames out of an image.
//!
//! Frames of one clip have one size and are read left to right, then on to the next row below,
//! beginning anywhere in a row. All arithmetic is on whole sheet pixels.

use super::error::ClipError;

/// A rectangle of whole pixels; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rect {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// Where the frames of a clip lie in an image. All lengths in sheet pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Top left corner of the first frame.
    pub offset: [u32; 2],
    /// Width and height of each frame. `None`: square frames as high as the image that fill its one
    /// row exactly.
    pub size: Option<[u32; 2]>,
    /// How many frames. `None`: all that follow in the file.
    pub count: Option<u32>,
    /// From one frame to the next, in frames of the reading order: 1 reads row by row, the number
    /// of columns runs down one column.
    pub stride: u32,
}

impl Default for Cut {
    fn default() -> Self {
        Self {
            offset: [0, 0],
            size: None,
            count: None,
            stride: 1,
        }
    }
}

/// Most frames in a clip.
const MAX_FRAMES: u64 = 65_535;

/// The frames of a clip in an image of the given width and height, in the order they are shown.
///
/// # Errors
/// [`ClipError`] with the figures: a count, size or stride of zero, a size that does not divide the
/// rows (or the whole image, where no count is given), a frame beyond the image.
pub fn slice(cut: &Cut, image: [u32; 2]) -> Result<Vec<Rect>, ClipError> {
    let size = frame_size(cut, image)?;
    let [width, height] = size;
    if width == 0 || height == 0 {
        return Err(ClipError::NoSize { size });
    }
    if cut.stride == 0 {
        return Err(ClipError::NoStride);
    }
    let [x, y] = cut.offset;
    let place = |index: u64| {
        // Frames before the first wrap may start anywhere; later rows begin at the left edge.
        let right = u64::from(x) + (index + 1) * u64::from(width);
        if right <= u64::from(image[0]) {
            return Ok((right - u64::from(width), u64::from(y)));
        }
        if !image[0].is_multiple_of(width) {
            return Err(ClipError::Uneven {
                size,
                area: [image[0], height],
            });
        }
        if !x.is_multiple_of(width) {
            return Err(ClipError::Misaligned { offset: x, width });
        }
        let columns = u64::from(image[0] / width);
        let cell = u64::from(x / width) + index;
        Ok((
            cell % columns * u64::from(width),
            u64::from(y) + cell / columns * u64::from(height),
        ))
    };
    let rect = |frame: u64| {
        let first = Rect {
            x,
            y,
            width,
            height,
        };
        let inside = |x: u64, y: u64| {
            x + u64::from(width) <= u64::from(image[0])
                && y + u64::from(height) <= u64::from(image[1])
        };
        // A first frame that is out is told as such, whatever the rows would divide into.
        if !inside(u64::from(x), u64::from(y)) {
            return Err(ClipError::Outside {
                frame: 0,
                rect: first,
                image,
            });
        }
        let (x, y) = place(frame * u64::from(cut.stride))?;
        let rect = Rect {
            x: x as u32,
            y: y.min(u64::from(u32::MAX)) as u32,
            width,
            height,
        };
        if inside(x, y) {
            Ok(rect)
        } else {
            Err(ClipError::Outside {
                frame: frame as u32,
                rect,
                image,
            })
        }
    };
    let count = match cut.count {
        Some(0) => return Err(ClipError::NoFrames),
        Some(count) => u64::from(count),
        None => {
            rect(0)?;
            rest_of_file(cut, size, image)?
        }
    };
    if count > MAX_FRAMES {
        return Err(ClipError::TooManyFrames { count });
    }
    (0..count).map(rect).collect()
}

fn frame_size(cut: &Cut, image: [u32; 2]) -> Result<[u32; 2], ClipError> {
    if let Some(size) = cut.size {
        return Ok(size);
    }
    let side = image[1];
    let size = [side, side];
    let filled = match cut.count {
        Some(0) => return Err(ClipError::NoFrames),
        Some(count) => u64::from(count) * u64::from(side) == u64::from(image[0]),
        None => side > 0 && image[0] > 0 && image[0].is_multiple_of(side),
    };
    if filled {
        Ok(size)
    } else {
        Err(ClipError::Uneven { size, area: image })
    }
}

/// Frames from the offset to the end of the image, every `stride`th of them.
fn rest_of_file(cut: &Cut, size: [u32; 2], image: [u32; 2]) -> Result<u64, ClipError> {
    let [x, y] = cut.offset;
    let rest = [image[0] - x, image[1] - y];
    if !rest[0].is_multiple_of(size[0]) || !rest[1].is_multiple_of(size[1]) {
        return Err(ClipError::Uneven { size, area: rest });
    }
    let (columns, rows) = (u64::from(image[0] / size[0]), u64::from(rest[1] / size[1]));
    let first_row = u64::from(rest[0] / size[0]);
    Ok((first_row + (rows - 1) * columns).div_ceil(u64::from(cut.stride)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(size: [u32; 2], count: u32) -> Cut {
        Cut {
            size: Some(size),
            count: Some(count),
            ..Cut::default()
        }
    }

    fn corners(cut: &Cut, image: [u32; 2]) -> Vec<(u32, u32)> {
        slice(cut, image)
            .unwrap()
            .iter()
            .map(|r| (r.x, r.y))
            .collect()
    }

    #[test]
    fn a_partly_filled_last_row_is_cut_by_column_and_row() {
        let frames = slice(&cut([151, 100], 16), [755, 400]).unwrap();
        assert_eq!(frames.len(), 16);
        for (i, frame) in (0u32..).zip(&frames) {
            let expected = Rect {
                x: i % 5 * 151,
                y: i / 5 * 100,
                width: 151,
                height: 100,
            };
            assert_eq!(*frame, expected);
        }
    }

    #[test]
    fn a_full_last_row_is_not_a_row_of_zero() {
        let image = [128, 32];
        assert_eq!(corners(&cut([16, 16], 16), image)[15], (112, 16));
        let row = corners(&cut([16, 16], 8), image);
        assert_eq!((row.len(), row[7]), (8, (112, 0)));
        assert_eq!(corners(&cut([16, 16], 1), image), [(0, 0)]);
    }

    #[test]
    fn all_225_rectangles_of_a_15_x_15_sheet_are_exact() {
        let whole = Cut {
            size: Some([17, 13]),
            ..Cut::default()
        };
        let frames = slice(&whole, [15 * 17, 15 * 13]).unwrap();
        assert_eq!(frames.len(), 225);
        for (i, frame) in (0u32..).zip(&frames) {
            assert_eq!((frame.x, frame.y), (i % 15 * 17, i / 15 * 13));
        }
    }

    #[test]
    fn a_clip_may_begin_in_mid_row_and_goes_on_at_the_left_edge() {
        let cut = Cut {
            offset: [32, 8],
            ..cut([16, 8], 4)
        };
        assert_eq!(
            corners(&cut, [64, 24]),
            [(32, 8), (48, 8), (0, 16), (16, 16)]
        );
    }

    #[test]
    fn a_stride_of_the_column_count_runs_down_a_column() {
        let cut = Cut {
            offset: [16, 0],
            stride: 4,
            count: None,
            ..cut([16, 16], 1)
        };
        let down: Vec<_> = (0..7).map(|row| (16, row * 16)).collect();
        assert_eq!(corners(&cut, [64, 112]), down);
    }

    #[test]
    fn without_a_size_square_frames_fill_the_one_row() {
        let frames = corners(&Cut::default(), [48, 16]);
        assert_eq!(frames, [(0, 0), (16, 0), (32, 0)]);
        let counted = Cut {
            count: Some(3),
            ..Cut::default()
        };
        assert_eq!(corners(&counted, [48, 16]), frames);
        let wrong = Cut {
            count: Some(7),
            ..Cut::default()
        };
        let error = slice(&wrong, [245, 36]).unwrap_err();
        assert_eq!(
            error,
            ClipError::Uneven {
                size: [36, 36],
                area: [245, 36]
            }
        );
    }

    #[test]
    fn what_cannot_be_cut_is_refused_with_its_figures() {
        let image = [64, 32];
        let error = |cut: Cut| slice(&cut, image).unwrap_err().to_string();
        assert!(error(cut([16, 16], 0)).contains("count = 0"));
        assert!(error(cut([0, 16], 1)).contains("[0, 16]"));
        assert!(
            error(Cut {
                stride: 0,
                ..cut([16, 16], 1)
            })
            .contains("stride = 0")
        );
        let beyond = error(cut([16, 16], 9));
        assert!(
            beyond.contains("frame 8 at (0, 32)") && beyond.contains("64 x 32"),
            "{beyond}"
        );
        let uneven = error(cut([20, 16], 4));
        assert!(
            uneven.contains("20 x 16") && uneven.contains("64 x 16"),
            "{uneven}"
        );
        let askew = error(Cut {
            offset: [8, 0],
            ..cut([16, 16], 5)
        });
        assert!(
            askew.contains("x = 8") && askew.contains("width 16"),
            "{askew}"
        );
        let off = error(Cut {
            offset: [60, 0],
            ..cut([16, 16], 1)
        });
        assert!(off.contains("frame 0 at (60, 0)"), "{off}");
        let rest = error(Cut {
            count: None,
            ..cut([16, 20], 1)
        });
        assert!(rest.contains("16 x 20"), "{rest}");
        let huge = error(Cut {
            offset: [u32::MAX; 2],
            ..cut([u32::MAX; 2], u32::MAX)
        });
        assert!(huge.contains("65535") || huge.contains("frame 0"), "{huge}");
    }

    /// The plainest reading of the rules: walk pixel by pixel of offset, wrap when the row is full.
    fn reference(cut: &Cut, size: [u32; 2], image: [u32; 2], count: u32) -> Option<Vec<Rect>> {
        let [width, height] = size;
        let (mut x, mut y) = (cut.offset[0], cut.offset[1]);
        let mut out = Vec::new();
        let mut step = 0;
        while (out.len() as u32) < count {
            if x + width > image[0] {
                // The first frame must fit; a row not filled to its end is a wrong size.
                if step == 0 || x != image[0] || !image[0].is_multiple_of(width) {
                    return None;
                }
                x = 0;
                y += height;
            }
            if y + height > image[1] {
                return None;
            }
            if step % cut.stride == 0 {
                out.push(Rect {
                    x,
                    y,
                    width,
                    height,
                });
            }
            step += 1;
            x += width;
        }
        Some(out)
    }

    proptest! {
        #[test]
        fn slicing_agrees_with_walking_the_sheet(
            w in 1u32..9, h in 1u32..9, columns in 1u32..7, rows in 1u32..7,
            spare in 0u32..3, ox in 0u32..30, oy in 0u32..30, count in 1u32..30, stride in 1u32..5,
        ) {
            let image = [w * columns + spare, h * rows];
            let cut =
                Cut { offset: [ox, oy], size: Some([w, h]), count: Some(count), stride };
            prop_assert_eq!(slice(&cut, image).ok(), reference(&cut, [w, h], image, count));
        }

        #[test]
        fn no_count_means_as_many_as_there_are(
            w in 1u32..9, h in 1u32..9, columns in 1u32..7, rows in 1u32..7,
            c in 0u32..7, r in 0u32..7, stride in 1u32..5,
        ) {
            let (image, offset) = ([w * columns, h * rows], [c % columns * w, r % rows * h]);
            let all = Cut { offset, size: Some([w, h]), count: None, stride };
            let frames = slice(&all, image).unwrap();
            let count = frames.len() as u32;
            let more = Cut { count: Some(count + 1), ..all };
            prop_assert_eq!(Some(frames), reference(&all, [w, h], image, count));
            prop_assert!(slice(&more, image).is_err());
        }
    }
}
