//! The translator as a whole: small functions of IR become C, which a compiler runs if one is here.

use super::module::Module;
use super::translate::to_c;

fn translate(text: &str) -> Result<String, String> {
    to_c(&Module::parse(text).unwrap())
}

#[test]
fn a_loop_keeps_its_phis_apart() {
    // Fibonacci: both phis take each other's old values.
    let text = "define i16 @pk_fib(i16 %n) {\nstart:\n  br label %loop\n\nloop:\n\
        \x20 %a = phi i16 [ 0, %start ], [ %b, %loop ]\n  %b = phi i16 [ 1, %start ], [ %s, %loop ]\n\
        \x20 %i = phi i16 [ 0, %start ], [ %j, %loop ]\n  %s = add i16 %a, %b\n  %j = add nuw i16 %i, 1\n\
        \x20 %d = icmp ult i16 %j, %n\n  br i1 %d, label %loop, label %out\n\nout:\n  ret i16 %b\n}\n";
    let c = translate(text).unwrap();
    assert!(c.contains("uint16_t pk_fib(uint16_t v1)"), "{c}");
    assert!(c.contains("uint16_t t0 = v3;"), "{c}");
    assert!(
        compile_and_call(&c, "uint16_t pk_fib(uint16_t);", "pk_fib(10)").is_none_or(|x| x == 55)
    );
}

#[test]
fn narrow_and_signed_arithmetic_wraps() {
    let text = "define i16 @pk_f(i8 %a, i8 %b) {\nstart:\n  %s = add i8 %a, %b\n  %n = ashr i8 %s, 1\n\
        \x20 %w = sext i8 %n to i16\n  %t = trunc i8 %a to i1\n  %m = call i16 @llvm.smax.i16(i16 %w, i16 -100)\n\
        \x20 %r = select i1 %t, i16 %m, i16 7\n  ret i16 %r\n}\ndeclare i16 @llvm.smax.i16(i16, i16)\n";
    let c = translate(text).unwrap();
    // 101 + 61 wraps to -94, half of it is -47.
    let found = compile_and_call(&c, "uint16_t pk_f(uint8_t, uint8_t);", "(int16_t)pk_f(101, 61)");
    assert!(found.is_none_or(|x| x == -47), "{found:?}\n{c}");
}

#[test]
fn structures_are_returned_in_parts() {
    let text = "define internal { i1, i8 } @g(i8 %x) {\nstart:\n  %o = icmp ugt i8 %x, 4\n\
        \x20 %p = insertvalue { i1, i8 } poison, i1 %o, 0\n  %q = insertvalue { i1, i8 } %p, i8 9, 1\n\
        \x20 ret { i1, i8 } %q\n}\ndefine i8 @pk_h(i8 %x) {\nstart:\n\
        \x20 %r = call fastcc { i1, i8 } @g(i8 %x)\n  %a = extractvalue { i1, i8 } %r, 0\n\
        \x20 %b = extractvalue { i1, i8 } %r, 1\n  %c = select i1 %a, i8 %b, i8 0\n  ret i8 %c\n}\n";
    let c = translate(text).unwrap();
    let found = compile_and_call(&c, "uint8_t pk_h(uint8_t);", "pk_h(5) * 10 + pk_h(3)");
    assert!(found.is_none_or(|x| x == 90), "{found:?}\n{c}");
}

#[test]
fn pointers_in_memory_are_refused() {
    let text =
        "define void @pk_f(ptr %p) {\nstart:\n  %q = load ptr, ptr %p, align 2\n  ret void\n}\n";
    assert!(translate(text).unwrap_err().contains("expected no pointer in memory"));
}

#[test]
fn an_unknown_instruction_is_named() {
    let text = "define void @pk_f(i8 %x) {\nstart:\n  %q = frobnicate i8 %x, 3\n  ret void\n}\n";
    let error = translate(text).unwrap_err();
    assert!(error.contains("frobnicate"), "{error}");
}

/// Compiles the C and evaluates an expression; none without a C compiler.
fn compile_and_call(c: &str, prototype: &str, expression: &str) -> Option<i64> {
    use std::process::Command;
    let id = std::thread::current().name()?.replace(':', "_");
    let folder = std::env::temp_dir().join(format!("brier-ez80-{}-{id}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let (source, program) = (folder.join("t.c"), folder.join("t"));
    let main = format!(
        "{c}\n#include <stdio.h>\n{prototype}\nvoid pk_trap(void) {{}}\n\
         int main(void) {{ printf(\"%ld\", (long)({expression})); return 0; }}\n"
    );
    std::fs::write(&source, main).ok()?;
    let built =
        Command::new("cc").args(["-std=c99", "-w", "-o"]).arg(&program).arg(&source).status();
    let found = match built {
        Ok(status) if status.success() => {
            let output = Command::new(&program).output().ok()?;
            Some(String::from_utf8(output.stdout).ok()?.parse().expect("a number"))
        }
        Ok(_) => panic!("the C does not compile:\n{c}"),
        Err(_) => None,
    };
    let _ = std::fs::remove_dir_all(&folder);
    found
}
