swift run oidc-broker-demo provider --redirect-uri http://127.0.0.1:8080/__/auth/handler
