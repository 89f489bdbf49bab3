#!/bin/sh
# The main job, end to end: spec -> generated files -> RTL in Verilator beside the model over a socket -> the trace judged
# again offline -> verdict. `make demo` calls it. The exit code is that of the worst verdict (0 same, 1 different, ...).
# BUG=<name> seeds a bug of verification/bugs into a copy of the RTL; UNIT (rx), SEED, COUNT and OUT choose the run.
set -u
cd "$(dirname "$0")/../.."
: "${METAROCE:=bin/metaroce}" "${BUG:=}" "${UNIT:=rx}" "${OUT:=out/demo}"

worst=0
step() {
    printf '\n== %s\n   $ %s\n' "$1" "$2"
}
run() {
    title=$1
    shift
    step "$title" "$*"
    "$@"
    code=$?
    [ "$code" -le "$worst" ] || worst=$code
    return 0
}

run "The spec is what every generated file says" "$METAROCE" gen --check
[ "$worst" = 0 ] || exit "$worst"

if [ -n "$BUG" ]; then
    run "Model and RTL side by side over a socket; the RTL has the seeded bug $BUG" \
        "$METAROCE" cosim --bug "$BUG" ${SEED:+--seed "$SEED"} ${COUNT:+--count "$COUNT"} --out "$OUT"
else
    run "Model and RTL side by side over a socket" \
        "$METAROCE" cosim --unit "$UNIT" --seed "${SEED:-1}" --count "${COUNT:-200}" --waves --out "$OUT"
fi
[ "$worst" -le 1 ] || exit "$worst"

# What the simulator wrote is judged again, by itself. A dump that begins at a difference cannot be: the model's state
# before it is not in the file.
[ ! -f "$OUT/capture.pcapng" ] || run "The packets that crossed the wire, judged offline" "$METAROCE" diff "$OUT/capture.pcapng"
[ -n "$BUG" ] || run "The waves, judged offline" "$METAROCE" diff "$OUT/window.vcd"

printf '\n== Verdict: '
case $worst in
0) echo "same" ;;
1) echo "different" ;;
*) echo "exit code $worst" ;;
esac
echo "   report: $OUT/report.html"
if [ "$worst" = 1 ]; then
    for save in "$OUT"/*.gtkw; do
        [ ! -f "$save" ] || echo "   waves:  gtkwave $save"
    done
fi
exit "$worst"
