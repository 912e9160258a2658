chmod 600 broker.yaml
oidc-broker check-config --strict --live --config broker.yaml
oidc-broker serve --config broker.yaml
