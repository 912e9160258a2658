.build/release/callback-latency compare shared.json pinned.json
