swift build -c release --static-swift-stdlib --product oidc-broker
swift build -c release --static-swift-stdlib --product callback-latency
