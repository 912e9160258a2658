swift build -c release --static-swift-stdlib --product oidc-broker
export PATH="$PWD/.build/release:$PATH"
