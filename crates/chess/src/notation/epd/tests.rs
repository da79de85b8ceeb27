//! Operations of all shapes, and each error once.

use super::Epd;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

const POSITION: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";

fn with(operations: &str) -> String {
    [POSITION, operations].join(" ")
}

fn error(text: &str) -> String {
    Epd::parse(text).unwrap_err().to_string()
}

#[test]
fn a_bare_position_has_no_operations() {
    let epd = Epd::parse(POSITION).unwrap();
    assert_eq!(epd.operations().count(), 0);
    assert_eq!(epd.to_string(), POSITION);
}

#[test]
fn operands_are_words_or_strings() {
    let text = with("bm Ra8# Ra7; id \"a; b\"; c0 \"\" x; noop;");
    let epd = Epd::parse(&text).unwrap();
    let opcodes: Vec<_> = epd.operations().map(|operation| operation.opcode).collect();
    assert_eq!(opcodes, ["bm", "id", "c0", "noop"]);
    assert_eq!(epd.string("id"), Some("a; b"));
    assert_eq!(epd.operation("c0").unwrap().operands().collect::<Vec<_>>(), ["", "x"]);
    assert_eq!(epd.operation("noop").unwrap().operands().count(), 0);
    assert_eq!(epd.string("ce"), None);
    let moves: Vec<_> = epd.moves("bm").map(|mv| mv.unwrap().to_string()).collect();
    assert_eq!(moves, ["a1a8", "a1a7"]);
    assert_eq!(epd.to_string(), text);
}

#[test]
fn counters_come_as_fields_or_as_operations() {
    let fields = Epd::parse("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 7 30 bm Ra8#;").unwrap();
    let text = with("hmvc 7; fmvn 30; bm Ra8#;");
    let operations = Epd::parse(&text).unwrap();
    assert_eq!(fields.board, operations.board);
    assert_eq!(fields.board.halfmove_clock(), 7);
    assert_eq!(fields.board.fullmove_number(), 30);
    assert_eq!(fields.operations().count(), 1);
}

#[test]
fn an_illegal_move_is_reported_where_it_is_read() {
    let text = with("bm Qa8;");
    let epd = Epd::parse(&text).unwrap();
    assert!(epd.moves("bm").next().unwrap().is_err());
}

#[test]
fn each_fault_has_its_error() {
    for (operations, expected) in [
        ("; bm Ra8;", "an opcode such as bm or id, got \"; bm Ra8;\""),
        ("bm Ra8", "a semicolon after \"bm\", got the end of the text"),
        ("id \"never; closed;", "a closing quotation mark after \"id\", got the end of the text"),
        ("hmvc many;", "a number from 0 to 65535 for hmvc or fmvn, got \"many\""),
    ] {
        assert_eq!(error(&with(operations)), format!("EPD: expected {expected}"));
    }
    assert!(error("8/8 w - - bm Ra8;").starts_with("FEN, board"));
    assert!(error(&with("fmvn 0;")).contains("move number"));
}
