# Written by scripts/engine-lists from src/engines/engines.def.
m4_define([WEFT_ENGINE_NAMES], [weave eftree beft sftree mftree vftree eft psssp p2sssp dmodk smodk opt fatpaths random minhop updn null])
