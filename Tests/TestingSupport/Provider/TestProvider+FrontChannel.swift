// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    import JOSE
    import OIDCBrokerTesting
    import Synchronization
    package import Testing

    /// What travels with the browser.
    extension TestProvider {
        /// The user signs in.
        ///
        /// - Parameter asked: The authorization request, as it stands in a URL or was pushed.
        /// - Returns: the parameters of the authorization response.
        package func authorize(
            _ asked: Query, sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> [(String, String)] {
            let behavior = behavior
            let type = try #require(asked["response_type"], sourceLocation: sourceLocation)
            let rest = [("state", try #require(asked["state"], sourceLocation: sourceLocation)), ("iss", issuer)]
            let grant = try grant(asked, type, behavior, sourceLocation)
            guard type != "id_token" else {
                return [("id_token", try frontChannelToken(grant, code: nil, behavior))] + rest
            }
            let code = behavior.fixed?.code ?? "upstream-code-" + Base64URL.encode(SecureRandom.bytes(24))
            register(code: code, grant)
            guard type == "code id_token" else { return [("code", code)] + rest }
            return [("code", code)] + rest + [("id_token", try frontChannelToken(grant, code: code, behavior))]
        }

        /// What the request binds its code to. Only where grants are fixed it need not bind it.
        private func grant(
            _ asked: Query, _ type: String, _ behavior: Behavior, _ sourceLocation: SourceLocation
        ) throws -> Grant {
            if behavior.fixed == nil {
                _ = try #require(asked["nonce"], sourceLocation: sourceLocation)
                // Without a code there is nothing to prove.
                _ = try #require(
                    asked["code_challenge"] ?? (type == "id_token" ? "" : nil), sourceLocation: sourceLocation)
                _ = try #require(asked["redirect_uri"], sourceLocation: sourceLocation)
            }
            let grant = Grant(
                nonce: asked["nonce"], challenge: asked["code_challenge"], redirectURI: asked["redirect_uri"],
                hasMaximumAge: asked["max_age"] != nil)
            state.withLock { $0.latestGrant = grant }
            return grant
        }

        /// The provider says no.
        package func refuse(_ error: String, state: String, description: String? = nil) -> [(String, String)] {
            let text = description.map { [("error_description", $0)] } ?? []
            return [("error", error)] + text + [("state", state), ("iss", issuer)]
        }
    }
#endif
