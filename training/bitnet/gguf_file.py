"""Models as GGUF files: `python gguf_file.py RUN_FOLDER/checkpoint.pt OUT.gguf` exports one.

Trunk matrices become TQ2_0 or TQ1_0 (both hold the ternary weights exactly; the second is smaller), the
embedding bytes with one scale, the rest floats. `load` reads a file back into a PyTorch model that computes
what the engine computes.
"""

import argparse

import gguf
import numpy as np
import torch

from model import VOCABULARY, Config, Policy

ARCHITECTURE = "brier"
CHECKSUM = f"{ARCHITECTURE}.checksum"

# Key of the file and field of Config.
SIZES = {
    "context_length": "context",
    "embedding_length": "width",
    "block_count": "layers",
    "feed_forward_length": "feed_forward",
    "attention.head_count": "heads",
    "attention.head_count_kv": "kv_heads",
    "attention.key_length": "head_size",
    "policy.moves": "moves",
}
FLOATS = {"attention.layer_norm_rms_epsilon": "norm_epsilon", "rope.freq_base": "rope_base"}

# Tensor of a block and the path of its parameter in a Block.
MATRICES = {
    "attn_q": "attention.q",
    "attn_k": "attention.k",
    "attn_v": "attention.v",
    "attn_output": "attention.out",
    "ffn_gate": "feed_forward.gate",
    "ffn_up": "feed_forward.up",
    "ffn_down": "feed_forward.down",
}
VECTORS = {
    "attn_norm": "attention_norm.weight",
    "attn_scale": "attention_scale",
    "ffn_norm": "feed_forward_norm.weight",
    "ffn_scale": "feed_forward_scale",
}


def find(module, path):
    for name in path.split("."):
        module = getattr(module, name)
    return module


def save(model, path, ternary_type, note):
    """Writes a trained model."""
    writer = gguf.GGUFWriter(path, ARCHITECTURE)
    writer.add_name("Brier root policy")
    writer.add_description(note)
    writer.add_license("GPL-3.0-or-later")
    writer.add_uint64(CHECKSUM, 0)
    writer.add_uint32(f"{ARCHITECTURE}.vocab_size", VOCABULARY)
    for key, field in SIZES.items():
        writer.add_uint32(f"{ARCHITECTURE}.{key}", getattr(model.config, field))
    for key, field in FLOATS.items():
        writer.add_float32(f"{ARCHITECTURE}.{key}", getattr(model.config, field))

    def floats(name, tensor, kind=np.float32):
        writer.add_tensor(name, tensor.detach().numpy().astype(kind))

    with torch.no_grad():
        table = model.embedding.table()
        scale = table.abs().max() / 127
        writer.add_tensor("token_embd.weight", (table / scale).round().to(torch.int8).numpy())
        floats("token_embd.scale", scale.reshape(1))
        for i, block in enumerate(model.blocks):
            for name, path_in_block in MATRICES.items():
                weight, matrix_scale = find(block, path_in_block).quantised()
                data = gguf.quants.quantize((weight * matrix_scale).numpy(), ternary_type)
                writer.add_tensor(f"blk.{i}.{name}.weight", data, raw_dtype=ternary_type)
            for name, path_in_block in VECTORS.items():
                floats(f"blk.{i}.{name}.weight", find(block, path_in_block))
        floats("output_norm.weight", model.norm.weight)
        floats("output.bias", model.policy_bias, np.float16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    seal(path)


def seal(path):
    """Puts the checksum into a file that has the key: FNV-1a of all bytes, its own eight taken as zero."""
    data = bytearray(open(path, "rb").read())
    key = CHECKSUM.encode()
    # Length and text of the key, then the type (10: 64 bits, unsigned).
    mark = len(key).to_bytes(8, "little") + key + (10).to_bytes(4, "little")
    at = data.index(mark) + len(mark)
    data[at : at + 8] = bytes(8)
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    data[at : at + 8] = value.to_bytes(8, "little")
    open(path, "wb").write(data)


def load(path):
    """A model in evaluation mode and its table of token vectors."""
    reader = gguf.GGUFReader(path)

    def field(key):
        return reader.fields[f"{ARCHITECTURE}.{key}"].contents()

    config = Config(**{f: field(k) for k, f in (SIZES | FLOATS).items()})
    tensors = {t.name: t for t in reader.tensors}

    def values(name):
        t = tensors[name]
        data = gguf.quants.dequantize(t.data, t.tensor_type) if "TQ" in t.tensor_type.name else np.array(t.data)
        return torch.from_numpy(data.astype(np.float32))

    model = Policy(config, torch.zeros(0, dtype=torch.int64)).eval()
    with torch.no_grad():
        table = values("token_embd.weight") * values("token_embd.scale")
        for i, block in enumerate(model.blocks):
            for name, path_in_block in MATRICES.items():
                weight = values(f"blk.{i}.{name}.weight")
                find(block, path_in_block).fixed = (weight.sign(), weight.abs().max())
            for name, path_in_block in VECTORS.items():
                find(block, path_in_block).copy_(values(f"blk.{i}.{name}.weight"))
        model.norm.weight.copy_(values("output_norm.weight"))
        model.policy_bias.copy_(values("output.bias"))
    return model, table


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("checkpoint")
    p.add_argument("out")
    p.add_argument("--type", choices=["TQ1_0", "TQ2_0"], default="TQ1_0")
    p.add_argument("--note", default="Scores the moves of a chess position; see docs/bitnet.md")
    a = p.parse_args()
    saved = torch.load(a.checkpoint, weights_only=False)
    model = Policy(Config(**saved["config"]), saved["reserved"]).eval()
    model.load_state_dict(saved["model"])
    save(model, a.out, gguf.GGMLQuantizationType[a.type], a.note)


if __name__ == "__main__":
    main()
