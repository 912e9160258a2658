swift run oidc-broker-demo
swift run oidc-broker-demo --check
