//! Any bytes as a policy file: the reader answers with a file or an error that names its place,
//! and a model is either loaded or refused; neither panics.
#![no_main]

use bitnet::Model;
use bitnet::gguf::{Gguf, seal};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match Gguf::parse(bytes) {
        Err(error) => assert!(!error.place.is_empty() && !error.to_string().is_empty()),
        Ok(file) => {
            // What was promised: tensors lie inside the file, without overlap.
            let total: usize = file.tensors.iter().map(|tensor| tensor.data.len()).sum();
            assert!(total <= bytes.len());
            // With the right checksum, so that not everything is refused for that.
            let sealed = seal(bytes).expect("it has just been read");
            let _ = Model::from_bytes(&sealed, simd::kernels()).map(|_| ());
        }
    }
});
