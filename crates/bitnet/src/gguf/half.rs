//! 16-bit floats: one sign bit, five bits of exponent, ten of fraction.

/// The value of a 16-bit float, exactly.
pub const fn f16_to_f32(half: u16) -> f32 {
    let sign = (half as u32 & 0x8000) << 16;
    let exponent = (half as u32 >> 10) & 31;
    let fraction = half as u32 & 0x3FF;
    let magnitude = match exponent {
        // Zero and the numbers too small for a full fraction: fraction · 2⁻²⁴.
        0 => fraction as f32 / 16_777_216.0,
        31 => f32::from_bits(0x7F80_0000 | fraction << 13),
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    };
    f32::from_bits(magnitude.to_bits() | sign)
}

/// The nearest 16-bit float; of two equally near the even one. Too large a number becomes infinite.
pub const fn f32_to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    if magnitude > 0x7F80_0000 {
        return sign | 0x7E00;
    }
    if magnitude >= 0x477F_F000 {
        return sign | 0x7C00;
    }
    if magnitude < 0x3880_0000 {
        // Below the smallest full fraction: adding 0.5 leaves the units of 2⁻²⁴ in the low bits,
        // rounded by the addition itself.
        let shifted = f32::from_bits(magnitude) + 0.5;
        return sign | (shifted.to_bits() - 0x3F00_0000) as u16;
    }
    let odd = (magnitude >> 13) & 1;
    sign | ((magnitude - 0x3800_0000 + 0xFFF + odd) >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::{f16_to_f32, f32_to_f16};

    #[test]
    fn every_half_survives_the_round_trip() {
        for half in 0..=u16::MAX {
            let value = f16_to_f32(half);
            if value.is_nan() {
                assert!(f16_to_f32(f32_to_f16(value)).is_nan());
            } else {
                assert_eq!(f32_to_f16(value), half, "{value}");
            }
        }
    }

    #[test]
    fn the_middle_between_two_halves_goes_to_the_even_one() {
        for half in (0..0x7BFF).step_by(7) {
            let (low, high) = (f16_to_f32(half), f16_to_f32(half + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(f32_to_f16(middle), half + (half & 1), "{middle}");
            assert_eq!(f32_to_f16(middle.next_down()), half);
            assert_eq!(f32_to_f16(middle.next_up()), half + 1);
        }
    }

    #[test]
    fn known_values() {
        for (half, value) in [(0x3C00, 1.0), (0xC000, -2.0), (0x7BFF, 65504.0), (1, 5.960_464_5e-8)]
        {
            assert_eq!(f16_to_f32(half), value);
        }
        assert_eq!(f32_to_f16(65520.0), 0x7C00);
        assert_eq!(f32_to_f16(65519.996), 0x7BFF);
    }
}
