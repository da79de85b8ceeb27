//! Any bytes as a policy file: the reader answers with a file or an error that names its place,
//! and a model is either loaded or refused; neither panics.
#![no_main]

use bitnet::Model;
use bitnet::gguf::Gguf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match Gguf::parse(bytes) {
        Err(error) => assert!(!error.place.is_empty() && !error.to_string().is_empty()),
        Ok(file) => {
            // What was promised: tensors lie inside the file, without overlap.
            let total: usize = file.tensors.iter().map(|tensor| tensor.data.len()).sum();
            assert!(total <= bytes.len());
            let _ = Model::from_bytes(bytes, simd::kernels()).map(|_| ());
        }
    }
});
