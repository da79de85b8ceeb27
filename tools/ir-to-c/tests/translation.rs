//! The translator as a whole: small functions of IR become C, which a compiler runs if one is
//! here, with a stop at anything that C leaves undefined.
#![expect(clippy::print_stdout, reason = "says what it had to skip")]

use std::process::Command;

fn translate(text: &str) -> Result<String, String> {
    Ok(ir_to_c::translate(text)?.c)
}

/// One function `engine_f` with one block.
fn function(head: &str, lines: &[&str]) -> String {
    let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("define {head} {{\nstart:\n{body}}}\n")
}

/// Translates, compiles and checks what an expression is; without a C compiler only the
/// translation is checked, and that is said.
#[track_caller]
fn check(ir: &str, prototype: &str, cases: &[(&str, i64)]) {
    let c = translate(ir).unwrap_or_else(|error| panic!("{error}\n{ir}"));
    let name = std::thread::current().name().unwrap_or("test").replace(':', "_");
    let folder = std::env::temp_dir().join(format!("ir-to-c-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("t.c"), folder.join("t"));
    let prints: String =
        cases.iter().map(|(call, _)| format!("printf(\"%ld \", (long)({call}));")).collect();
    let main = format!(
        "#include <stdint.h>\n#include <string.h>\n#include <stdio.h>\n\
         static void pk_trap(void) {{}}\n{prototype}\n{c}\nint main(void) {{ {prints} return 0; }}\n"
    );
    std::fs::write(&source, main).unwrap();
    let flags = ["-std=c99", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o"];
    let built = Command::new("gcc").args(flags).arg(&program).arg(&source).output();
    let said = built.map(|built| {
        let why = String::from_utf8_lossy(&built.stderr).into_owned();
        assert!(built.status.success(), "the C does not compile: {why}\n{c}");
        let run = Command::new(&program).output().unwrap();
        String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned()
    });
    std::fs::remove_dir_all(&folder).unwrap();
    let Ok(said) = said else {
        println!("skipped running the C: gcc is not here");
        return;
    };
    let wanted: String = cases.iter().map(|(_, value)| format!("{value} ")).collect();
    assert_eq!(said, wanted, "{c}");
}

#[test]
fn conditions_that_are_asked_once_get_no_variable() {
    let text = function(
        "i8 @engine_f(i8 %a, i8 %b)",
        &[
            "%big = icmp ugt i8 %a, 7",
            "%odd = trunc i8 %b to i1",
            "%both = and i1 %big, %odd",
            "%low = icmp slt i8 %a, 3",
            "%any = select i1 %both, i1 true, i1 %low",
            "%r = select i1 %any, i8 1, i8 2",
            "ret i8 %r",
        ],
    );
    let cases = [
        ("engine_f(8, 1)", 1),
        ("engine_f(8, 2)", 2),
        ("engine_f(2, 2)", 1),
        ("engine_f(200, 0)", 1),
        ("engine_f(5, 1)", 2),
    ];
    check(&text, "uint8_t engine_f(uint8_t, uint8_t);", &cases);
    assert!(translate(&text).unwrap().contains("&&"));
}

#[test]
fn a_loop_keeps_its_phis_apart() {
    // Fibonacci: both phis take each other's old values. The first block has no name.
    let text = "define i16 @engine_f(i16 %n) {\n  br label %loop\n\nloop:\n\
        \x20 %a = phi i16 [ 0, %0 ], [ %b, %loop ]\n  %b = phi i16 [ 1, %0 ], [ %s, %loop ]\n\
        \x20 %i = phi i16 [ 0, %0 ], [ %j, %loop ]\n  %s = add i16 %a, %b\n  %j = add nuw i16 %i, 1\n\
        \x20 %d = icmp ult i16 %j, %n\n  br i1 %d, label %loop, label %out\n\nout:\n  ret i16 %b\n}\n";
    check(text, "uint16_t engine_f(uint16_t);", &[("engine_f(1)", 1), ("engine_f(10)", 55)]);
}

#[test]
fn a_phi_without_a_value_for_a_way_is_refused() {
    let text = "define i16 @engine_f() {\nstart:\n  br label %b\n\nb:\n\
        \x20 %a = phi i16 [ 0, %elsewhere ]\n  ret i16 %a\n}\n";
    let error = translate(text).unwrap_err();
    assert!(error.contains("expected a value for the way from %start"), "{error}");
}

#[test]
fn narrow_and_signed_arithmetic_wraps() {
    let text = function(
        "i16 @engine_f(i8 %a, i8 %b)",
        &[
            "%s = add i8 %a, %b",
            "%n = ashr i8 %s, 1",
            "%w = sext i8 %n to i16",
            "%t = trunc i8 %a to i1",
            "%m = call i16 @llvm.smax.i16(i16 %w, i16 -100)",
            "%r = select i1 %t, i16 %m, i16 7",
            "ret i16 %r",
        ],
    );
    // 101 + 61 wraps to -94, half of it is -47.
    let cases = [("(int16_t)engine_f(101, 61)", -47), ("engine_f(100, 61)", 7)];
    check(&text, "uint16_t engine_f(uint8_t, uint8_t);", &cases);
}

#[test]
fn products_and_shifts_do_not_overflow_an_int() {
    let text = function(
        "i16 @engine_f(i16 %a)",
        &["%p = mul i16 %a, %a", "%q = shl i16 %p, 15", "%r = xor i16 %p, %q", "ret i16 %r"],
    );
    // 65535 squared is 1 in 16 bits; in a signed 32-bit int it would overflow.
    check(&text, "uint16_t engine_f(uint16_t);", &[("engine_f(65535)", 0x8001)]);
}

#[test]
fn widths_that_c_does_not_have_are_cut() {
    let text = function(
        "i32 @engine_f(i32 %a)",
        &[
            "%n = trunc i32 %a to i24",
            "%s = shl i24 %n, 4",
            "%m = ashr i24 %s, 4",
            "%w = sext i24 %m to i32",
            "ret i32 %w",
        ],
    );
    let cases = [("(int32_t)engine_f(0x12345678)", 0x45678), ("(int32_t)engine_f(0xFFFFFFUL)", -1)];
    check(&text, "uint32_t engine_f(uint32_t);", &cases);
}

#[test]
fn eight_bytes_are_copied_and_taken_apart() {
    let text = "@t = internal constant [8 x i8] c\"\\01\\02\\03\\04\\05\\06\\07\\08\"\n"
        .to_string()
        + &function(
            "i8 @engine_f()",
            &[
                "%v = load i64, ptr @t, align 2",
                "%s = lshr i64 %v, 48",
                "%r = trunc i64 %s to i8",
                "ret i8 %r",
            ],
        );
    check(&text, "uint8_t engine_f(void);", &[("engine_f()", 7)]);
}

#[test]
fn addresses_count_both_ways() {
    let text = "@t = internal constant [4 x i16] [i16 10, i16 20, i16 30, i16 40]\n".to_string()
        + &function(
            "i16 @engine_f(i16 %i)",
            &[
                "%p = getelementptr inbounds [4 x i16], ptr @t, i16 0, i16 3",
                "%q = getelementptr i16, ptr %p, i16 %i",
                "%r = load i16, ptr %q, align 2",
                "ret i16 %r",
            ],
        );
    let cases = [("engine_f(0)", 40), ("engine_f((uint16_t)-3)", 10)];
    check(&text, "uint16_t engine_f(uint16_t);", &cases);
}

#[test]
fn saturating_and_checked_arithmetic_is_written_out() {
    let text = function(
        "i16 @engine_f(i16 %a, i16 %b)",
        &[
            "%s = call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)",
            "%m = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %a, i16 %b)",
            "%o = extractvalue { i16, i1 } %m, 1",
            "%r = select i1 %o, i16 %s, i16 0",
            "ret i16 %r",
        ],
    );
    let cases = [
        ("engine_f(32000, 32000)", 32767),
        ("(int16_t)engine_f((uint16_t)-32000, (uint16_t)-32000)", -32768),
        ("engine_f(3, 4)", 0),
    ];
    check(&text, "uint16_t engine_f(uint16_t, uint16_t);", &cases);
}

#[test]
fn a_switch_goes_where_it_should() {
    let text = "define i8 @engine_f(i8 %x) {\nstart:\n  switch i8 %x, label %c [\n    i8 1, label %a\n    \
        i8 -1, label %b\n  ]\n\na:\n  br label %c\n\nb:\n  ret i8 9\n\nc:\n\
        \x20 %r = phi i8 [ 4, %start ], [ 5, %a ]\n  ret i8 %r\n}\n";
    let cases = [("engine_f(1)", 5), ("engine_f(255)", 9), ("engine_f(2)", 4)];
    check(text, "uint8_t engine_f(uint8_t);", &cases);
}

#[test]
fn structures_are_returned_in_parts() {
    let text = function(
        "internal { i1, i8 } @g(i8 %x)",
        &[
            "%o = icmp ugt i8 %x, 4",
            "%p = insertvalue { i1, i8 } poison, i1 %o, 0",
            "%q = insertvalue { i1, i8 } %p, i8 9, 1",
            "ret { i1, i8 } %q",
        ],
    ) + &function(
        "i8 @engine_f(i8 %x)",
        &[
            "%r = call fastcc { i1, i8 } @g(i8 %x)",
            "%a = extractvalue { i1, i8 } %r, 0",
            "%b = extractvalue { i1, i8 } %r, 1",
            "%c = select i1 %a, i8 %b, i8 0",
            "ret i8 %c",
        ],
    );
    check(&text, "uint8_t engine_f(uint8_t);", &[("engine_f(5)", 9), ("engine_f(3)", 0)]);
}

#[test]
fn what_depends_on_a_pointers_width_is_refused() {
    let load = function("void @engine_f(ptr %p)", &["%q = load ptr, ptr %p, align 2", "ret void"]);
    let store = function("void @engine_f(ptr %p)", &["store ptr %p, ptr %p, align 2", "ret void"]);
    for text in [load, store] {
        let error = translate(&text).unwrap_err();
        assert!(error.contains("expected no pointer in memory"), "{error}");
    }
    let number = function("i16 @engine_f(ptr %p)", &["%q = ptrtoint ptr %p to i16", "ret i16 %q"]);
    let error = translate(&number).unwrap_err();
    assert!(error.contains("ptrtoint"), "{error}");
    let long = translate("@t = internal global [32768 x i8] zeroinitializer\n").unwrap_err();
    assert_eq!(long, "expected at most 32767 bytes in @t, got 32768");
}

#[test]
fn an_unknown_instruction_is_named() {
    let text = function("void @engine_f(i8 %x)", &["%q = frobnicate i8 %x, 3", "ret void"]);
    let error = translate(&text).unwrap_err();
    assert!(error.contains("frobnicate"), "{error}");
}
