export AUTH_PUBLIC_URL=http://127.0.0.1:8080
export AUTH_PROVIDERS=acme
export AUTH_PROVIDER_ACME_ISSUER=http://localhost:9443
export AUTH_PROVIDER_ACME_INSECURE_LOOPBACK_ISSUER=true
export AUTH_PROVIDER_ACME_CLIENT_ID=broker
export AUTH_PROVIDER_ACME_CLIENT_SECRET=secret-of-the-development-provider
export AUTH_PROVIDER_ACME_SCOPES=openid,email,profile
export AUTH_APPS=site
export AUTH_APP_SITE_KIND=in-process
swift run embedded-server
