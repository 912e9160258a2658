swift build -c release --static-swift-stdlib --product oidc-broker
swift build -c release --static-swift-stdlib --product callback-latency
.build/release/callback-latency run --rounds 3 --json shared.json
