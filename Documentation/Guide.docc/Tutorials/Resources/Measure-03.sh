swift build -c release --static-swift-stdlib --product oidc-broker
swift build -c release --static-swift-stdlib --product callback-latency
.build/release/callback-latency run --rounds 3 --json shared.json
.build/release/callback-latency run --rounds 3 --json pinned.json --target-processors 0 --own-processors 1
