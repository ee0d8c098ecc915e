#pragma once
// config.json of MPT as llm-foundry 0.4 trains it: fused attention whatever `attn_impl` says of the
// kernel, no key/value cache. transformers' own MPT writes attention out and is another model.

#include "sim/io/hf_fields.h"

namespace heddle::io {

void read_hf_mpt(HfFields& fields, model::ModelSpec& spec);

}  // namespace heddle::io
