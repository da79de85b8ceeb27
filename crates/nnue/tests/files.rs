//! Network files come back as they were, and a damaged one is refused with a reason.

use nnue::arch::FT;
use nnue::{NetError, Network, file};

fn bytes() -> Vec<u8> {
    Network::default_net().to_bytes()
}

/// Bytes before the weights: magic, version, nine numbers (two more with threats), scale, name.
const HEADER: usize = 8 + 4 + 4 * 9 + 4 + 64;

#[test]
fn writing_and_reading_gives_the_same_network() {
    let network = Network::from_bytes(&bytes()).unwrap();
    assert_eq!(network, *Network::default_net());
}

#[test]
fn networks_with_and_without_threats_come_back() {
    let plain = Network::new(FT, "plain", 200);
    let mut threats = Network::with_threats(FT, "threats", 200);
    for (i, weight) in threats.threat_weights.iter_mut().enumerate() {
        *weight = (i % 251) as i8;
    }
    for (network, version) in [(plain, file::PLAIN), (threats, file::WITH_THREATS)] {
        let bytes = network.to_bytes();
        assert_eq!(bytes[8..12], version.to_le_bytes());
        assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
    }
    // A header that promises other threats is refused.
    let mut bytes = Network::with_threats(FT, "threats", 200).to_bytes();
    bytes[48..52].copy_from_slice(&60_144u32.to_le_bytes());
    let error = Network::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "threat inputs: expected 67920, got 60144");
    let mut bytes = Network::with_threats(FT, "threats", 200).to_bytes();
    bytes[52..56].copy_from_slice(&512u32.to_le_bytes());
    let error = Network::from_bytes(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "threat lanes: expected 256, got 512");
}

#[test]
fn networks_of_every_width_come_back() {
    for width in [128, 256, 384, 512] {
        let mut network = Network::new(width, "narrow", 200);
        for (i, weight) in network.ft_weights.iter_mut().enumerate() {
            *weight = (i % 65_521) as i16;
        }
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
        // The length is that of the width, so a file that is cut short is refused by it.
        let error = Network::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
        assert_eq!(error, NetError::Length { expected: bytes.len(), got: bytes.len() - 1 });
    }
    for width in [0u32, 64, 100, 640, u32::MAX] {
        let mut bytes = bytes();
        bytes[16..20].copy_from_slice(&width.to_le_bytes());
        let error = Network::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, NetError::Width { got: width });
        assert!(error.to_string().contains("expected a multiple of 128 up to 512"), "{error}");
    }
}

#[test]
fn a_long_name_is_cut_between_letters() {
    let mut network = Network::new(FT, &"é".repeat(60), 200);
    network.ft_biases[0] = 7;
    let again = Network::from_bytes(&network.to_bytes()).unwrap();
    assert_eq!(again.name, "é".repeat(32));
    assert_eq!(again.ft_biases, network.ft_biases);
}

#[test]
fn every_truncation_is_refused() {
    let bytes = bytes();
    // A reader that looks at the length first makes all of them cheap.
    for len in 0..bytes.len() {
        match Network::from_bytes(&bytes[..len]) {
            Err(NetError::Length { expected, got }) => {
                // Without its version a file might be of either length.
                assert!(expected == bytes.len() || len < 12, "{len} bytes: expected {expected}");
                assert_eq!(got, len);
            }
            other => panic!("{len} bytes gave {other:?}"),
        }
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(Network::from_bytes(&longer), Err(NetError::Length { .. })));
}

#[test]
fn every_changed_header_byte_is_refused() {
    let bytes = bytes();
    for at in 0..HEADER {
        for flip in [1, 0x80] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let error = Network::from_bytes(&damaged).expect_err("a changed header was read");
            assert!(error.to_string().contains("expected"), "{error}");
        }
    }
}

#[test]
fn changed_weights_are_refused() {
    let bytes = bytes();
    for at in (HEADER..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(matches!(Network::from_bytes(&damaged), Err(NetError::Checksum { .. })));
    }
}

#[test]
fn reasons_name_what_was_expected_and_what_came() {
    let mut other = bytes();
    other[..8].copy_from_slice(b"GGUFGGUF");
    let error = Network::from_bytes(&other).unwrap_err();
    assert!(error.to_string().contains("BRIERNET") && error.to_string().contains("GGUF"));
    let mut other = bytes();
    other[8] = 9;
    assert_eq!(Network::from_bytes(&other).unwrap_err(), NetError::Version { got: 9 });
    let mut other = bytes();
    other[12..16].copy_from_slice(&77u32.to_le_bytes());
    let error = Network::from_bytes(&other).unwrap_err();
    assert_eq!(error.to_string(), "king buckets: expected 8, got 77");
    assert_eq!(file::MAGIC, b"BRIERNET");
}

#[test]
fn a_gap_scale_that_lets_quantiles_cross_is_refused() {
    let mut network = Network::new(FT, "crossing", 200);
    network.heads[3].gap_scales[2] = -1;
    let error = Network::from_bytes(&network.to_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "gap scale: expected 0 to 16384, got -1");
}
