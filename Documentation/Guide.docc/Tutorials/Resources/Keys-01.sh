umask 077
oidc-broker keys new sealing --output sealing-keys
