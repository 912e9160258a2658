swift run oidc-broker-demo
