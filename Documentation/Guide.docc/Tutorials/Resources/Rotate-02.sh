oidc-broker keys rotate signing-keys.pem --kind signing
oidc-broker keys list signing-keys.pem
