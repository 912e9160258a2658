chmod 600 broker.yaml
oidc-broker check-config --strict --live --config broker.yaml
