# Written by scripts/engine-lists from src/engines/engines.def.
m4_define([WEFT_ENGINE_NAMES], [weave eftree beft sftree mftree vftree psssp dmodk parts eft p2sssp smodk opt fatpaths random minhop updn null])
