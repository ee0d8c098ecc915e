#include "sim/io/scenario_schema_template.h"

namespace heddle::io {
namespace {

constexpr std::string_view kTemplate = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "Heddle scenario: what to train, how, and on which machines",
  "type": "object",
  "additionalProperties": false,
  "required": ["schema", "name", "model", "training", "fabrics", "strategies"],
  "properties": {
    "schema": {"const": @schema@},
    "name": {"type": "string", "minLength": 1},
    "description": {"type": "string", "default": ""},
    "model": {
      "type": "object",
      "additionalProperties": false,
      "required": ["config"],
      "properties": {
        "name": {"description": "default: of the config's folder or file", "type": "string", "minLength": 1},
        "config": {
          "description": "Hugging Face config.json, relative to the scenario's folder",
          "type": "string",
          "minLength": 1
        },
        "image_size": {
          "description": "pixels of a training image's side, image models only; default: config.json's",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_image@
        },
        "layers": {
          "description": "use so many of the config's layers; default: all",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_layers@
        }
      }
    },
    "training": {
      "type": "object",
      "additionalProperties": false,
      "required": ["micro_batch", "precision"],
      "properties": {
        "micro_batch": {
          "description": "sequences or images per GPU and step",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_tokens@
        },
        "sequence_length": {
          "description": "tokens per sequence: required for decoders, refused for image models",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_tokens@
        },
        "precision": {"enum": @precisions@},
        "optimizer": {
          "type": "object",
          "additionalProperties": false,
          "required": ["type"],
          "properties": {
            "type": {"enum": @optimizer_types@},
@optimizer_options@
          }
        },
        "offload": {
          "type": "object",
          "additionalProperties": false,
          "properties": {
@offload_options@
          }
        },
        "lora": {
          "description": "low-rank adapters are trained, everything else is frozen",
          "type": "object",
          "additionalProperties": false,
          "required": ["rank", "targets"],
          "properties": {
            "rank": {"type": "integer", "minimum": 1, "maximum": @max_count@},
            "targets": {
              "description": "linear layers by the last part of their path, e.g. q_proj",
              "type": "array",
              "minItems": 1,
              "items": {"type": "string", "minLength": 1}
            }
          }
        },
@training_options@,
@compute_options@,
        "steps": {
          "description": "simulated; the last is reported",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_steps@,
          "default": 2
        }
      }
    },
    "host": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "per_dispatch": {
          "description": "host time of one eager operator, at most @max_host_time@",
          "$ref": "#/$defs/duration",
          "default": @per_dispatch@
        },
        "per_collective": {
          "description": "host time of one collective call, at most @max_host_time@",
          "$ref": "#/$defs/duration",
          "default": @per_collective@
        },
        "run_ahead": {
          "description": "launches that may wait on a stream before the host waits for the GPU",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_count@,
          "default": @run_ahead@
        },
        "cuda_graph": {
          "description": "each step is captured as one CUDA graph and replayed",
          "type": "boolean",
          "default": false
        },
        "per_step": {
          "description": "host time between two steps (data, logging, callbacks), at most @max_host_time@; default 0 us",
          "$ref": "#/$defs/duration"
        }
      }
    },
    "software": {
      "description": "a software generation of hw_models/software, whose kernels' shares of peak replace the GPU's own",
      "type": "string",
      "default": ""
    },
    "allocator": {
      "description": "PYTORCH_CUDA_ALLOC_CONF of the job, e.g. expandable_segments:True",
      "type": "string",
      "default": ""
    },
    "memory_capacity": {
      "description": "of every GPU, e.g. \"80 GB\"; default: what the driver reports",
      "type": "string"
    },
    "variation": {
      "description": "what --draws draws, besides hardware quantities",
      "type": "object",
      "additionalProperties": false,
      "properties": {
@variation_options@
      }
    },
    "cost": {
      "type": "object",
      "additionalProperties": false,
      "required": ["price"],
      "properties": {
        "price": {
          "description": "per GPU and hour in any currency, e.g. \"2.99 USD/GPU-hour\"",
          "type": "string",
          "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *[A-Za-z]{1,8}/GPU-hour$"
        },
        "power_idle": {"description": "of a GPU; default: its file's", "$ref": "#/$defs/power"},
        "power_busy": {"description": "the same while it computes", "$ref": "#/$defs/power"},
        "pue": {
          "description": "power of the data centre over that of its GPUs",
          "type": "number",
          "minimum": 1,
          "maximum": @max_pue@,
          "default": 1
        },
        "dataset": {
          "description": "size of one epoch, e.g. \"15e12 tokens\"",
          "type": "string",
          "pattern": "^[0-9.eE+]+ *(tokens|samples)$"
        },
        "run": {
          "description": "length of the whole training, e.g. \"20000 steps\"",
          "type": "string",
          "pattern": "^[0-9.eE+]+ *(steps|tokens|samples|epochs)$"
        }
      }
    },
    "headroom": {
      "description": "share of the GPU's memory kept free",
      "type": "string",
      "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *%$",
      "default": "2 %"
    },
    "seed": {"type": "integer", "minimum": 0, "default": 0},
    "fabrics": {
      "type": "array",
      "minItems": 1,
      "maxItems": @max_choices@,
      "items": {"$ref": "#/$defs/fabric"}
    },
    "strategies": {
      "type": "array",
      "minItems": 1,
      "maxItems": @max_choices@,
      "items": {"anyOf": [{"enum": @strategies@}, {"$ref": "#/$defs/strategy"}]}
    },
    "assumptions": {"type": "array", "items": {"type": "string"}, "default": []}
  },
  "$defs": {
    "id": {"type": "string", "pattern": "^[A-Za-z0-9._+-]+$", "maxLength": @max_id@},
    "duration": {
      "type": "string",
      "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *(ps|ns|us|ms|s)$"
    },
    "import": {
      "type": "object",
      "additionalProperties": false,
      "required": ["file"],
      "properties": {
        "file": {"type": "string", "minLength": 1},
        "kind": {"description": "see `heddle import --help`", "enum": @importers@, "default": "auto"},
        "gpu": {"description": "what the text does not say; see `heddle list gpus`", "type": "string"},
        "like": {
          "description": "node of the same kind, whose CPU and efficiencies it has",
          "type": "string"
        }
      }
    },
    "fabric": {
      "type": "object",
      "additionalProperties": false,
      "oneOf": [{"required": ["node"]}, {"required": ["import"]}],
      "properties": {
        "id": {"description": "default: of machine and network", "$ref": "#/$defs/id"},
        "node": {"description": "see `heddle list nodes`", "type": "string", "minLength": 1},
        "import": {
          "description": "a text about the machine, relative to the scenario's folder",
          "anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/import"}]
        },
        "overlay": {
          "description": "values found on this machine: see `heddle list overlays`, or a .json file relative to the scenario's folder",
          "type": "string",
          "minLength": 1
        },
        "nodes": {
          "description": "machines, all alike; several need a network",
          "type": "integer",
          "minimum": 1,
          "maximum": @max_nodes@,
          "default": 1
        },
        "network": {
          "description": "see `heddle list networks`; default: the one that the node preset names",
          "type": "string",
          "minLength": 1
        },
        "gpus": {
          "description": "GPU numbers used on every machine, or \"node:gpu\" strings, rank r on the r-th; or a string as in CUDA_VISIBLE_DEVICES, with ranges (\"0-7\"), or \"all\"",
          "type": ["array", "string"],
          "default": "all",
          "minItems": 1,
          "uniqueItems": true,
          "items": {
            "anyOf": [
              {"type": "integer", "minimum": 0, "maximum": @max_gpu@},
              {"type": "string", "pattern": "^ *[0-9]+:[0-9]+(-[0-9]+)? *$"}
            ]
          }
        },
        "rank_order": {
          "description": "node: one machine after the other; round_robin: neighbours on different machines",
          "enum": @rank_orders@,
          "default": "node"
        },
        "nccl": {
          "description": "NCCL's version; default: the newest whose constants are known",
          "type": "string",
          "pattern": "^[0-9]{1,3}\\.[0-9]{1,3}(\\.[0-9]{1,3})?$"
        },
        "p2p": {"enum": @switches@, "default": "on"},
        "p2p_level": {
          "description": "worst path that peer-to-peer may use, as NCCL_P2P_LEVEL; default PXB",
          "enum": @p2p_levels@
        },
        "shm": {"description": "off: as NCCL_SHM_DISABLE=1", "enum": @switches@, "default": "on"},
        "nvls": {"description": "off: as NCCL_NVLS_ENABLE=0", "enum": @switches@, "default": "on"},
        "algorithm": {"description": "default: as NCCL chooses", "enum": @algorithms@},
        "protocol": {"description": "default: as NCCL chooses", "enum": @protocols@},
        "min_ctas": {"description": "as NCCL_MIN_CTAS", "type": "integer", "minimum": 1, "maximum": @max_ctas@},
        "max_ctas": {"description": "as NCCL_MAX_CTAS", "type": "integer", "minimum": 1, "maximum": @max_ctas@},
        "ring_order": {
          "description": "rank: one ring in rank order whatever the wiring, as Gloo and MPI do",
          "enum": @ring_orders@,
          "default": "nccl"
        },
        "changes": {
          "description": "what-ifs, made in order, each to what those before left",
          "type": "array",
          "maxItems": @max_choices@,
          "items": {"$ref": "#/$defs/change"},
          "default": []
        },
        "background": {
          "description": "traffic of others on the same links",
          "type": "array",
          "maxItems": @max_choices@,
          "items": {"$ref": "#/$defs/background"},
          "default": []
        }
      }
    },
    "power": {
      "type": "string",
      "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *k?W$"
    },
    "rate": {
      "description": "per direction",
      "type": "string",
      "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *((M|G|T|Mi|Gi)B|(M|G|T)bit)/s$"
    },
    "gpu": {
      "description": "name, or number where the fabric is one machine",
      "type": ["integer", "string"],
      "minimum": 0,
      "maximum": @max_gpu@,
      "minLength": 1
    },
    "change": {
      "type": "object",
      "additionalProperties": false,
      "oneOf": [
        {"required": ["link", "state"]},
        {"required": ["link", "capacity"]},
        {"required": ["nvlink"]},
        {"required": ["gpu", "speed"]}
      ],
      "properties": {
        "link": {
          "description": "\"gpu0 - gpu1\" both directions, \"gpu0 -> gpu1\" one",
          "type": "string"
        },
        "state": {"enum": @link_states@},
        "capacity": {
          "description": "a share below 100 %, or the rate of each link",
          "type": "string",
          "anyOf": [{"pattern": "%$"}, {"$ref": "#/$defs/rate"}]
        },
        "nvlink": {"description": "of \"gpu\" if given, else of all", "enum": @nvlink_states@},
        "gpu": {"$ref": "#/$defs/gpu"},
        "speed": {
          "description": "share below 100 %: its kernels take 1/speed of their time",
          "type": "string",
          "pattern": "%$"
        }
      }
    },
    "background": {
      "type": "object",
      "additionalProperties": false,
      "required": ["name"],
      "oneOf": [
        {"required": ["from", "to", "rate"], "not": {"required": ["bytes"]}},
        {"required": ["from", "to", "bytes", "period"]},
        {"required": ["kind", "gpus", "bytes", "period"]}
      ],
      "properties": {
        "name": {"type": "string", "minLength": 1},
        "from": {"description": "a GPU, CPU or NIC, named as the fabric does", "type": "string"},
        "to": {"description": "the same", "type": "string"},
        "rate": {"description": "at most this, per direction", "$ref": "#/$defs/rate"},
        "kind": {"description": "of another job's collective", "enum": @collective_kinds@},
        "gpus": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {"$ref": "#/$defs/gpu"}},
        "bytes": {"description": "of one transfer; absent: a steady flow", "type": "string"},
        "period": {
          "description": "between the starts of transfers, which queue if late",
          "anyOf": [{"const": "continuous"}, {"$ref": "#/$defs/duration"}]
        },
        "start": {"description": "of the first; default: 0 s", "$ref": "#/$defs/duration"}
      }
    },
    "pytorch_ddp": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
@ddp_options@
      }
    },
    "deepspeed": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
@deepspeed_options@
      }
    },
    "fsdp": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
@fsdp_options@
      }
    },
    "megatron": {
      "type": "object",
      "additionalProperties": false,
      "properties": {
@megatron_options@
      }
    },
    "strategy": {
      "type": "object",
      "additionalProperties": false,
      "oneOf": [{"required": ["strategy"]}, {"required": ["from"]}],
      "properties": {
        "id": {"description": "default: the strategy's name", "$ref": "#/$defs/id"},
        "from": {
          "description": "instead of strategy, dialect and options: DeepSpeed's ds_config.json, Accelerate's YAML or TrainingArguments as JSON",
          "type": "string",
          "minLength": 1
        },
        "strategy": {"enum": @strategies@},
        "dialect": {"description": "default: the strategy's first", "enum": @dialects@},
        "options": {
          "description": "switches of the dialect",
          "anyOf": [
            {"$ref": "#/$defs/pytorch_ddp"},
            {"$ref": "#/$defs/deepspeed"},
            {"$ref": "#/$defs/fsdp"},
            {"$ref": "#/$defs/megatron"}
          ]
        }
      }
    }
  }
}
)";

}  // namespace

std::string_view scenario_schema_template() {
  return kTemplate;
}

}  // namespace heddle::io
