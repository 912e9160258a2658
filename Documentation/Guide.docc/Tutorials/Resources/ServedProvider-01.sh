oidc-broker provider --redirect-uri https://localhost:8443/__/auth/handler
