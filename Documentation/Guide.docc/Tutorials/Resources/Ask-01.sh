curl --cacert tls-chain.pem https://localhost:8443/__/auth/.well-known/openid-configuration
