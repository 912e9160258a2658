// SPDX-License-Identifier: Apache-2.0

import Accounts
import IdentityToolkit
import JOSE
import OIDCBroker
public import OIDCBrokerConfiguration
import OpenIDRelyingParty
package import Signing

extension AccountsConfiguration {
    /// Validates the configuration beside that of a broker and returns every error. The result is empty if the accounts
    /// can be opened, apart from the database, which is not touched.
    public func validate(beside broker: BrokerConfiguration) -> [ConfigurationError] {
        var errors = boundsErrors(prefix: Self.prefix)
        func add(_ found: [ConfigurationError]) {
            // One error for each key is enough.
            for error in found where !errors.contains(where: { $0.key == error.key }) { errors.append(error) }
        }
        add(keysErrors(beside: broker))
        add(cookieKeysErrors(beside: broker))
        if beforeCreate != nil, broker.webhook == nil {
            add([Self.error(\.beforeCreate, prefix: Self.prefix, expected: Self.beforeCreateTakes)])
        }
        for app in apps {
            add(app.boundsErrors(prefix: app.prefix))
            var unchanged = SDKAppConfiguration(unknown: app.name)
            unchanged.kind = app.kind
            add(app.refusedErrors(prefix: app.prefix, comparedWith: unchanged))
            if let reason = app.require.reason(among: broker.providers, usable: app.providers) {
                let expected = "\(app.takes(\.require)); \(reason)"
                add([SDKAppConfiguration.error(\.require, prefix: app.prefix, expected: expected)])
            }
        }
        let found = SDKApps.errors(
            in: apps.map { $0.app(beside: broker) }, providerNames: Set(broker.providers.map(\.name)),
            providerIDs: Set(broker.providers.map(\.id)),
            takenAudiences: Set(
                broker.apps.flatMap { $0.nativeAudiences.map(\.audience) }
                    + broker.providers.map(\.configuration.clientID)))
        add(found.map { ConfigurationError(key: $0.key, expected: $0.expected) })
        return errors
    }

    /// Returns an error for each value that differs from that of the accounts that are open, although it is fixed while
    /// they are.
    func errors(changing open: AccountsConfiguration) -> [ConfigurationError] {
        var unchanged = self
        return unchanged.keepFixed(of: open, prefix: Self.prefix).map {
            ConfigurationError(key: $0, expected: "the value of the accounts that are open; a change needs a restart")
        }
    }

    /// Returns the keys that sign ID tokens of accounts, which are made if there are none and the broker's public URL is
    /// a loopback one.
    /// - Throws: `SigningKeysError` if there are none or they cannot be used.
    package func keys(beside broker: BrokerConfiguration) throws(SigningKeysError) -> SigningKeys {
        guard signingKeys.isEmpty, broker.publicURL.isLoopback else {
            return try SigningKeys(pem: Self.text(signingKeys))
        }
        return try .generate()
    }

    /// Whether the keys live as long as the process only.
    func makesKeys(beside broker: BrokerConfiguration) -> Bool { signingKeys.isEmpty && broker.publicURL.isLoopback }

    /// Returns what makes session cookies; `nil` if they are not offered.
    /// - Throws: `SigningKeysError` if the keys cannot be used.
    func sessionCookies(for tokens: AccountTokens) throws(SigningKeysError) -> SessionCookies? {
        guard !sessionCookieKeys.isEmpty else { return nil }
        return SessionCookies(for: tokens, keys: try SigningKeys(pem: Self.text(sessionCookieKeys)))
    }

    private func keysErrors(beside broker: BrokerConfiguration) -> [ConfigurationError] {
        guard !makesKeys(beside: broker) else { return [] }
        guard !signingKeys.isEmpty else {
            let expected = Self.keysTake + ", required with accounts"
            return [Self.error(\.signingKeys, prefix: Self.prefix, expected: expected)]
        }
        return Self.problem(of: signingKeys, beside: Self.keys(of: broker)).map {
            [Self.error(\.signingKeys, prefix: Self.prefix, expected: Self.keysTake + "; " + $0)]
        } ?? []
    }

    private func cookieKeysErrors(beside broker: BrokerConfiguration) -> [ConfigurationError] {
        guard !sessionCookieKeys.isEmpty else { return [] }
        let others = Self.keys(of: broker) + [("auth.accounts.signing-keys", signingKeys)]
        return Self.problem(of: sessionCookieKeys, beside: others).map {
            [Self.error(\.sessionCookieKeys, prefix: Self.prefix, expected: Self.cookieKeysTake + "; " + $0)]
        } ?? []
    }

    /// Returns what is wrong with keys; `nil` if nothing is.
    /// - Parameter others: The keys of other purposes, by their names. A key that both use would let a token of one kind
    ///   pass for one of the other.
    private static func problem(of keys: [Secret], beside others: [(name: String, keys: [Secret])]) -> String? {
        guard let keyIDs = keyIDs(of: keys) else { return SigningKeys.problem(of: keys) }
        return others.first { !keyIDs.isDisjoint(with: Self.keyIDs(of: $0.keys) ?? []) }
            .map { "a key is one of " + $0.name }
    }

    private static func keys(of broker: BrokerConfiguration) -> [(name: String, keys: [Secret])] {
        [
            ("auth.signing-keys", broker.signingKeys), ("auth.resource-signing-keys", broker.resourceSigningKeys),
            ("auth.webhook.signing-key", broker.webhook.map { [$0.signingKey] } ?? []),
        ]
    }

    private static func keyIDs(of keys: [Secret]) -> Set<String>? {
        (try? SigningKeys(pem: text(keys))).map { Set($0.all.map(\.keyID)) }
    }

    private static func text(_ keys: [Secret]) -> String { keys.map(\.exposed).joined(separator: "\n") }
}
