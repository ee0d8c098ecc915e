# Sourced by ./heddle: the test half of the bootstrap.
#   default   Release, everything; then the label "fast" under ASan and UBSan
#   --all     every preset, everything, and clang-tidy on all files
# Other arguments go to ctest (-R NAME, -L LABEL, ...): they must match a test in Release, but need not
# in the presets after it, which run even if an earlier one had failing tests.

failed_presets=()
summaries=()

# run_preset PRESET [ctest arguments]
run_preset() {
  local preset=$1 log=$root/build/ctest-$1.log
  say "testing ($preset)"
  (cd "$root" && ctest --preset "$preset" --output-log "$log" "${@:2}") ||
    failed_presets+=("$preset")
  summaries+=("$preset: $(grep 'tests passed' "$log" || echo 'no test was run')")
}

run_default() {
  locked compile_release all ON
  run_preset release "$@"
  locked compile asan all ON
  run_preset asan-fast "$@" ${1:+--no-tests=ignore}
}

run_all() {
  export HEDDLE_LINT=all
  locked compile_release all ON
  run_preset release "$@"
  local preset
  for preset in dev asan; do
    locked compile "$preset" all ON
    run_preset "$preset" "$@" ${1:+--no-tests=ignore}
  done
  need "${to_fuzz[@]}"
  locked compile fuzz fuzz ON
  run_preset fuzz "$@" ${1:+--no-tests=ignore}
}

run_presets() {
  locked need "${to_run[@]}" "${to_test[@]}" "${to_validate[@]}" "${to_gui[@]}"
  if [[ ${1:-} == --all ]]; then run_all "${@:2}"; else run_default "$@"; fi
  printf '%s\n' "" "${summaries[@]}"
  [[ ${#failed_presets[@]} == 0 ]] || fail 1 "tests failed in: ${failed_presets[*]}"
}
