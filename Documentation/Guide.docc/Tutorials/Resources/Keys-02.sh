umask 077
oidc-broker keys new sealing --output sealing-keys
oidc-broker keys new signing --algorithm rs256 --output signing-keys.pem
