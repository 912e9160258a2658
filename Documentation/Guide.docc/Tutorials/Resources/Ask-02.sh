curl --cacert tls-chain.pem https://localhost:8443/__/auth/.well-known/openid-configuration
oidc-broker healthcheck --ready --config broker.yaml
curl http://127.0.0.1:9464/metrics
