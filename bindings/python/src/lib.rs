//! The native half of the Python package `brier`.
//!
//! Thin: positions come as a FEN and moves in UCI notation, results go out as plain objects. What
//! is friendlier in Python (python-chess boards, arrays, keyword arguments) is in `python/brier`.

mod engine;
mod evaluate;
mod games;
mod position;

use pyo3::prelude::*;

#[pymodule]
fn _brier(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Answer>()?;
    module.add_class::<engine::Line>()?;
    module.add_class::<games::Reviewed>()?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(games::review, module)?)
}
