.build/release/callback-latency compare shared.json pinned.json
.build/release/callback-latency table --target Benchmarks/targets/ours.json --target yours.json --algorithm rs256 \
    --target-processors 0 --own-processors 1 --json table.json
