umask 077
oidc-broker keys new sealing --output sealing-keys
oidc-broker keys new signing --algorithm rs256 --output signing-keys.pem
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -keyout tls-key.pem -out tls-chain.pem
