swift run oidc-broker-demo provider --redirect-uri https://localhost:8443/__/auth/handler
