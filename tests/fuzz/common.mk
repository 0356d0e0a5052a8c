# Fuzz targets.  Each is a file with LLVMFuzzerTestOneInput(): with
# --enable-fuzzers it becomes a libFuzzer program, else one that runs the files
# it is given (replay.c).  "make check" runs all on seeds/TARGET/*.
#   ./configure --enable-fuzzers --enable-sanitizers CC=clang
#   make && tests/fuzz/fuzz_lft -max_total_time=60 CORPUS ../tests/fuzz/seeds/fuzz_lft
if LIBFUZZER
fuzz_main =
fuzz_ldflags = -fsanitize=fuzzer
else
fuzz_main = tests/fuzz/replay.c
fuzz_ldflags =
endif
fuzz_ldadd = libweft_more.la libweft_core.la
TESTS += tests/fuzz/seeds.sh
EXTRA_DIST += tests/fuzz/seeds.sh tests/fuzz/seeds tests/fuzz/replay.c
