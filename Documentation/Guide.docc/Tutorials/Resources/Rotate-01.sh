oidc-broker keys rotate signing-keys.pem --kind signing
