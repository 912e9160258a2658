// SPDX-License-Identifier: Apache-2.0

#if Server
    import Accounts
    import JOSE
    import OIDCBrokerConfiguration
    import OIDCBrokerServer
    import OIDCBrokerState
    import OpenIDConnect
    import OpenIDRelyingParty
    import Signing

    /// A token that the broker itself issued, to an app, for an API or for an account, and what it has to be.
    struct OwnToken {
        /// What the token is.
        private let name: String
        private let issuer: String
        private let keys: SigningKeys?
        /// What `aud` must be one of.
        private let audiences: [String]

        /// Returns what a token has to be that names the broker as its issuer; `nil` if it names another one.
        init?(_ token: String, of configuration: LoadedConfiguration) {
            let broker = configuration.broker
            guard let named = Self.part(1, of: token)?["iss"]?.text else { return nil }
            if named.hasSameBytes(as: broker.issuer) {
                guard Self.part(0, of: token)?["typ"]?.text?.hasSameBytes(asASCII: AccessToken.type) != true else {
                    name = "an access token that this server issued for an API"
                    issuer = broker.issuer
                    keys = SigningKeys(pem: broker.resourceSigningKeys)
                    audiences = broker.resources.map(\.identifier)
                    return
                }
                name = "an ID token that this server issued to an app"
                issuer = broker.issuer
                keys = SigningKeys(pem: broker.signingKeys)
                audiences = broker.apps.map(\.clientID)
                return
            }
            guard let accounts = configuration.accounts, named.hasSameBytes(as: accounts.issuer(beside: broker)) else {
                return nil
            }
            name = "an ID token that this server issued for an account"
            issuer = accounts.issuer(beside: broker)
            keys = try? accounts.keys(beside: broker)
            audiences = [accounts.projectID]
        }

        /// Makes every check, and says what each wanted and found.
        /// - Parameter now: The time at which to look, in seconds since 1970.
        func explain(_ token: String, now: Int64) -> (text: String, holds: Bool) {
            let claims = Self.part(1, of: token)
            var lines = ["token: \(name)"]
            lines.append("header: " + (Self.part(0, of: token).map(TerminalJSON.text) ?? "cannot be read"))
            lines.append("claims: " + (claims.map(TerminalJSON.text) ?? "cannot be read"))
            let checks: [Check] = [
                signature(of: token), ("issuer", "'\(issuer)'", "it", true), audience(claims),
                expiry(claims, now: now), issue(claims, now: now),
            ]
            for check in checks {
                lines.append(
                    "\(check.holds ? "pass" : "fail"): \(check.name): expected \(check.wanted), found \(check.found)")
            }
            let holds = checks.allSatisfy(\.holds)
            lines.append(holds ? "All checks passed." : "The token is refused.")
            return (lines.joined(separator: "\n"), holds)
        }

        private typealias Check = (name: String, wanted: String, found: String, holds: Bool)

        private func signature(of token: String) -> Check {
            guard let keys else {
                return ("signature", "one by a key of this server", "no key that can be used", false)
            }
            do throws(JSONWebSignatureError) {
                let signature = try JSONWebSignature(compact: token)
                _ = try signature.verified(by: keys.keySet, algorithms: Set(keys.algorithms))
                return ("signature", "one by a key of this server", "it", true)
            } catch {
                return ("signature", "one by a key of this server", LogText.detail("\(error)"), false)
            }
        }

        private func audience(_ claims: JSONObject?) -> Check {
            let wanted = "one of: " + audiences.joined(separator: ", ")
            guard let audience = claims?["aud"] else { return ("audience", wanted, "none", false) }
            let holds = audiences.contains { audience.text?.hasSameBytes(as: $0) == true }
            return ("audience", wanted, TerminalJSON.escaped(audience), holds)
        }

        private func expiry(_ claims: JSONObject?, now: Int64) -> Check {
            let expiry = claims?["exp"]?.secondsValue
            return ("expires", "after \(now)", expiry.map { "\($0)" } ?? "none", expiry.map { $0 > now } ?? false)
        }

        private func issue(_ claims: JSONObject?, now: Int64) -> Check {
            let latest = now + LoginState.clockSkew
            let issued = claims?["iat"]?.secondsValue
            return (
                "issued at", "at most \(latest)", issued.map { "\($0)" } ?? "none", issued.map { $0 <= latest } ?? false
            )
        }

        /// The header or the claims, which nothing has verified.
        static func part(_ number: Int, of token: String) -> JSONObject? {
            let segments = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard segments.count == 3, let bytes = Base64URL.decode(segments[number]) else { return nil }
            return try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: JSONWebSignature.longestToken))
        }
    }
#endif
