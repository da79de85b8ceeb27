//! Translates LLVM IR, the part of it that rustc writes for the pocket engine, to C99.
//!
//! There is no Rust compiler for the eZ80 and many other small processors, but each has a C
//! compiler. So rustc writes IR for a target with 16-bit addresses, and [`translate`] turns it
//! into one C file that depends on neither the width of `int` nor that of a pointer.
//!
//! | module | what |
//! |---|---|
//! | `ir`, `module` | reading: types, globals, functions, blocks |
//! | `translate` | the file, one function after the other, values and addresses |
//! | `operations`, `flow` | what computes; what jumps and calls |
//! | `uses` | what is read at all |
//! | `c` | types, names and widths in C |
//!
//! What is outside that part of the language is an error that names the instruction.

mod c;
mod flow;
mod ir;
mod module;
mod operations;
mod translate;
mod uses;

/// A translated file.
pub struct Translation {
    /// The C text.
    pub c: String,
    /// The bytes of its constant tables.
    pub constant_bytes: usize,
}

/// Translates one file of IR; the error says what was expected and what came.
pub fn translate(ir: &str) -> Result<Translation, String> {
    let module = module::Module::parse(ir)?;
    let tables = module.globals.iter().filter(|global| global.constant);
    let constant_bytes = tables.filter_map(|table| Some(table.bytes.as_ref()?.len())).sum();
    Ok(Translation { c: translate::to_c(&module)?, constant_bytes })
}
