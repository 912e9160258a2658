verifier=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n')
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
redirect=http%3A%2F%2F127.0.0.1%3A9000%2Fcallback
echo "https://localhost:8443/__/auth/authorize?client_id=web&redirect_uri=$redirect&response_type=code" \
    "&scope=openid%20email%20profile&state=1&code_challenge=$challenge&code_challenge_method=S256" | tr -d ' '
read -r -p 'The code in the address: ' code
curl --cacert tls-chain.pem https://localhost:8443/__/auth/token -d grant_type=authorization_code -d code="$code" \
    -d code_verifier="$verifier" -d redirect_uri="$redirect" -d client_id=web
