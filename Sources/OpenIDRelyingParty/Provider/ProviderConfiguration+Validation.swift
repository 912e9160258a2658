// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOSSL
import OpenIDConnect

extension ProviderConfiguration {
    /// Returns everything that is wrong with the configuration itself, without any request. It is empty if nothing is
    /// wrong.
    ///
    /// The texts are fit for a log line and contain no secret. This parses the keys and certificates, so it is meant
    /// for the start and not for each request.
    public func validate() -> [ProviderConfigurationError] {
        var errors: [ProviderConfigurationError] = []
        func require(
            _ isRight: Bool, _ code: ProviderConfigurationError.Code,
            _ member: ProviderConfigurationError.Member, _ expected: String
        ) {
            if !isRight { errors.append(ProviderConfigurationError(code, member, expected)) }
        }
        let issuerURL = AbsoluteURL(issuer)
        require(
            issuerURL.map { $0.isHTTPS || (insecureLoopbackIssuer && $0.isLoopback) } == true, .invalid, \.issuer,
            "an https URL, or http on this machine where that is allowed")
        require(metadataURLError == nil, .invalid, \.metadataURL, metadataURLError ?? "")
        require(scopes.contains("openid"), .missing, \.scopes, "'openid' among them")
        require(
            !responseType.hasIDToken || responseMode.carrier != .query, .conflicting, \.responseMode,
            "form_post, fragment, form_post.jwt or fragment.jwt, since an ID token comes with the authorization response"
        )
        require(
            responseType.hasCode || !userInfo, .conflicting, \.userInfo,
            "false with the response type id_token, which brings no access token")
        validateAuthentication(require)
        if let certificateAuthorities {
            let isKey = certificateAuthorities.contains("PRIVATE KEY-----".utf8)
            require(
                !NIOSSLCertificate.certificates(inPEM: certificateAuthorities).isEmpty, .invalid,
                \.certificateAuthorities,
                "PEM certificates that can be read, the root among them" + (isKey ? "; the file has a private key" : "")
            )
        }
        require(
            Self.clockSkewBounds.contains(clockSkew), .invalid, \.clockSkew,
            "0 to \(Self.clockSkewBounds.upperBound.components.seconds) seconds")
        validateRequest(require)
        if let proxy {
            let url = AbsoluteURL("http://" + (proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host))
            require(
                url.map { $0.path.isEmpty && $0.query == nil } == true && (1...65_535).contains(proxy.port), .invalid,
                \.proxy, "a host and a port from 1 to 65535")
        }
        let keys = ClientKeys(self)
        return errors + keys.errors + contradictions(signingAlgorithm: keys.credentials.signingKey?.algorithm)
    }

    private typealias Requirement = (
        Bool, ProviderConfigurationError.Code, ProviderConfigurationError.Member, String
    ) -> Void

    private func validateAuthentication(_ require: Requirement) {
        if let clientAuthentication {
            switch clientAuthentication {
            case .clientSecretBasic, .clientSecretPost:
                require(
                    clientSecret != nil || clientSecretSource != nil, .missing, \.clientSecret,
                    "a secret for the client authentication")
            case .clientSecretJWT:
                require(
                    (clientSecret?.exposed.utf8.count ?? 0) >= 32, clientSecret == nil ? .missing : .invalid,
                    \.clientSecret, "at least 32 bytes for client_secret_jwt (RFC 7518 section 3.2)")
            case .privateKeyJWT:
                require(clientSigningKey != nil, .missing, \.clientSigningKey, "a private key for private_key_jwt")
            case .tlsClientAuth, .selfSignedTLSClientAuth:
                require(
                    clientCertificate != nil, .missing, \.clientCertificate,
                    "a certificate for the client authentication")
            default:
                break
            }
        }
        require(
            clientSigningKey != nil || requestObject != .sign, .missing, \.clientSigningKey,
            "a private key that signs request objects")
        require(
            clientSigningKey != nil || clientSigningAlgorithm == nil, .conflicting, \.clientSigningAlgorithm,
            "no value without a signing key")
        require(
            clientSigningKey != nil || clientSigningKeyID == .thumbprint, .conflicting, \.clientSigningKeyID,
            "no value without a signing key")
        if let certificate = clientSigningCertificate {
            // The key is compared as that of a TLS certificate is.
            let pair = ClientCertificate(certificateChain: certificate, privateKey: clientSigningKey ?? Secret(""))
            require(
                pair.isUsable, clientSigningKey == nil ? .conflicting : .invalid, \.clientSigningCertificate,
                clientSigningKey == nil
                    ? "no value without a signing key" : "a PEM certificate of the client signing key")
        }
        require(
            clientCertificate != nil || !certificateBoundAccessTokens, .conflicting, \.certificateBoundAccessTokens,
            "false without a client certificate")
        require(
            clientCertificate?.isUsable != false, .invalid, \.clientCertificate,
            "a PEM certificate chain and its own private key, not encrypted"
                + (clientCertificate.flatMap { $0.isUsable ? nil : "; \($0.problem)" } ?? ""))
    }

    private func validateRequest(_ require: Requirement) {
        require(
            tenants.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x7B } },
            .invalid, \.tenants, "tenant ids")
        require(
            !IssuerRule.hasTenantPlaceholder(issuer) || !tenants.isEmpty, .missing, \.tenants,
            "the tenants that may sign in, since the issuer is a template")
        require(
            trustedAudiences.allSatisfy { !$0.isEmpty }, .invalid, \.trustedAudiences, "audiences that are not empty")
        require(
            requiredACRValues.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }, .invalid,
            \.requiredACRValues, "authentication context classes without spaces")
        if let claims = claimsParameter {
            let object = try? JSONParser.object(Array(claims.utf8), limits: JSONLimits(maximumBytes: 8192))
            let isRequest = object?.members.allSatisfy { member in
                ["userinfo", "id_token"].contains(member.name) && member.value.objectValue != nil
            }
            require(
                isRequest == true, .invalid, \.claimsParameter,
                "a JSON object of at most 8192 bytes with the objects 'userinfo' and 'id_token' and nothing else")
        }
        require(
            resources.allSatisfy(Self.isAbsoluteURI), .invalid, \.resources,
            "absolute URIs without a fragment (RFC 8707)")
    }

    /// Whether a text is an absolute URI (RFC 3986 section 4.3): a scheme followed by at least one character, without a
    /// fragment.
    package static func isAbsoluteURI(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isScheme = scheme.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default:
                false
            }
        }
        return isScheme && !scheme.isEmpty && text.utf8.count > scheme.count + 1 && text.utf8.count <= 2048
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
