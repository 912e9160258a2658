oidc-broker check-config --strict --live --config broker.yaml
