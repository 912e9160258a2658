// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect

/// The APIs for which an app may get access tokens (RFC 8707), and the key that signs these.
struct AppResources: Sendable {
    let signingKey: SigningKey
    /// The API of a token whose app asked for none; `nil` if such a token is for UserInfo alone.
    let usual: BrokerConfiguration.Resource?
    private let all: [BrokerConfiguration.Resource]

    /// - Parameter key: The key that signs access tokens for APIs; `nil` if there is none.
    /// - Returns: `nil` if the app has no resources.
    init?(of app: BrokerConfiguration.App, among resources: [BrokerConfiguration.Resource], signedBy key: SigningKey?) {
        guard let key, !app.resources.isEmpty else { return nil }
        signingKey = key
        all = resources.filter { app.resources.contains($0.name) }
        usual = all.first { $0.name == app.defaultResource }
    }

    /// Returns the API that a request names; `nil` if it is not one of the app's.
    func named(_ sent: WireText) -> BrokerConfiguration.Resource? {
        all.first { sent.hasSameBytes(as: $0.identifier) }
    }

    /// Returns whether an API of the app gets a claim with its tokens.
    func listClaim(_ name: String) -> Bool { all.contains { $0.claims.contains(name) } }

    /// Returns those that a sign-in is for, in the order of the request.
    /// - Parameter asked: The names of those for which the app asked at the start; empty for the usual one.
    func granted(_ asked: [String]) -> [BrokerConfiguration.Resource] {
        guard !asked.isEmpty else { return usual.map { [$0] } ?? [] }
        return asked.compactMap { name in all.first { $0.name == name } }
    }
}

/// A `resource` that the app may not have, or not in this sign-in (RFC 8707 section 2).
struct InvalidTarget: Error {
    static let code = "invalid_target"
    static let errorDescription = "resource is not allowed for this app, or was not in the authorization request."
}

extension AppError {
    static let invalidTarget = AppError(InvalidTarget.code, InvalidTarget.errorDescription)
}

extension TokenError {
    static let invalidTarget = TokenError(InvalidTarget.code, InvalidTarget.errorDescription)
}

extension AppEntry {
    /// The slowest of the keys that sign the app's tokens.
    var slowestKey: SigningKey { signingKey.isSlow ? signingKey : resources?.signingKey ?? signingKey }

    /// Returns the API of an access token: the one that the token request names, or else the first of the sign-in; `nil`
    /// for a token for UserInfo alone.
    /// - Parameters:
    ///   - sent: What the token request names; `nil` if it names none.
    ///   - asked: The names of those for which the app asked at the start.
    func resource(_ sent: WireText?, asked: [String]) throws(InvalidTarget) -> BrokerConfiguration.Resource? {
        let granted = resources?.granted(asked) ?? []
        if sent == nil, asked.isEmpty { return granted.first }
        guard let resource = granted.first(where: { sent?.hasSameBytes(as: $0.identifier) ?? true }) else {
            throw InvalidTarget()
        }
        return resource
    }

    /// Returns the API of an access token that no start is the measure of: the one of the app's that the request names, or
    /// the usual one; `nil` for a token for UserInfo alone.
    func resource(_ sent: WireText?) throws(TokenError) -> BrokerConfiguration.Resource? {
        guard let sent else { return resources?.usual }
        guard let named = resources?.named(sent) else { throw .invalidTarget }
        return named
    }

    /// Returns the lifetime of an access token for an API, or for UserInfo alone, in seconds.
    func accessTokenLifetime(for resource: BrokerConfiguration.Resource?) -> Int64 {
        resource?.accessTokenLifetime.components.seconds ?? accessTokenLifetime
    }

    /// Whether UserInfo takes a token of the app: an opaque one, or one for the usual API with the scope `openid`. A client
    /// that asked for another API knows that the token is for that one alone.
    func isForUserInfo(_ token: AccessToken) -> Bool {
        guard let resource = token.resource else { return true }
        guard resources?.usual?.identifier.hasSameBytes(as: resource) == true else { return false }
        return Scopes.split(token.claims.object?["scope"]?.text ?? "").contains("openid")
    }
}
