// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOSSL
import OIDCBroker
package import OIDCBrokerConfiguration
import OIDCBrokerOperations
import OpenIDRelyingParty

/// What an operator should mend in a valid configuration. It is a warning at the start, and an error for
/// `check-config --strict`.
extension LoadedConfiguration {
    /// The number of days before its end from which a certificate or a client secret ends soon.
    package static let fewestDays: Int64 = 14

    /// Returns the certificates and client secrets that have expired, end soon or are not valid yet.
    /// - Parameter now: The current time, in seconds since 1970.
    package func expiryFindings(now: Int64) -> [ConfigurationError] {
        var findings: [ConfigurationError] = []
        func judge(_ certificates: [NIOSSLCertificate], _ key: String) {
            guard let problem = certificates.lazy.compactMap({ Self.problem(of: $0, now: now) }).first else { return }
            findings.append(
                ConfigurationError(
                    key: key,
                    expected: "a certificate with at least \(Self.fewestDays) days left; it \(problem)"))
        }
        if let tls = server.tls {
            judge(Self.first(inFileAt: tls.certificateChain), TLSFiles.prefix + TLSFiles.key(of: \.certificateChain))
        }
        if store.kind == .valkey, let path = store.valkey.clientCertificate {
            judge(
                Self.first(inFileAt: path),
                StoreConfiguration.prefix + StoreConfiguration.key(of: \.valkey.clientCertificate))
        }
        for provider in broker.providers {
            if let certificate = provider.configuration.clientCertificate {
                judge(
                    Array(Self.certificates(certificate.certificateChain[...]).prefix(1)),
                    provider.prefix + "client-certificate")
            }
            if let authorities = provider.configuration.certificateAuthorities {
                judge(Self.certificates(authorities[...]), provider.prefix + "certificate-authorities")
            }
            if let end = provider.clientSecretExpires, let problem = Self.problem(ofEnd: end, now: now) {
                findings.append(
                    ConfigurationError(
                        key: provider.prefix + "client-secret-expires",
                        expected: "a client secret with at least \(Self.fewestDays) days left; it \(problem)"))
            }
        }
        return findings
    }

    /// The file of the audit, if the user of this process can neither write nor make it. The server then does not start;
    /// but a service manager may make the folder only when it starts the server.
    package var auditFindings: [ConfigurationError] {
        guard let path = server.log.audit, let failure = AuditLog.failure(atPath: path) else { return [] }
        let shown = ConfigurationFileError.shown(path)
        return [
            ConfigurationError(
                key: LogConfiguration.prefix + LogConfiguration.key(of: \.audit),
                expected: "a file that can be written or made; \(shown): \(failure.reason)")
        ]
    }

    /// What makes a good first impression on users and apps and is easily forgotten, and what leaves a defense to an app or
    /// to a network.
    package var advice: [ConfigurationError] {
        let scopes = broker.providers.filter { provider in
            !provider.configuration.clientID.isEmpty && !provider.scopesOfApps.contains("email")
        }.map { provider in
            ConfigurationError(
                key: provider.prefix + "scopes",
                expected: "email in scopes or app-scopes; without it ID tokens have no email")
        }
        let networks = broker.providers.filter { $0.configuration.metadataNetwork != .encrypted }.map { provider in
            ConfigurationError(
                key: provider.prefix + "metadata-network",
                expected: "https at metadata-url; with http, anyone on that network can sign in as any user")
        }
        let apps = broker.apps.filter { $0.title == nil }.map { ($0.prefix, $0.displayedName) }
        let sdkApps = (accounts?.apps ?? []).filter { $0.title == nil }.map {
            ($0.prefix, DisplayedName.name(title: nil, key: $0.name))
        }
        // As in every key set, a key that cannot be used is left out.
        let keys = broker.apps.compactMap { app -> ConfigurationError? in
            guard let skipped = app.clientKeys.flatMap(BrokerConfiguration.App.keySet)?.skipped.first else {
                return nil
            }
            return ConfigurationError(
                key: app.prefix + "client-keys",
                expected: "keys that can be used; key \(skipped.index + 1) of the set is left out: \(skipped.reason)")
        }
        let unbound = broker.apps.filter { $0.codeBinding == .none }.map { app in
            ConfigurationError(
                key: app.prefix + BrokerConfiguration.App.key(of: \.codeBinding),
                expected: "pkce or nonce; with none, only the app itself can detect an injected code")
        }
        return scopes + networks + keys + unbound
            + (apps + sdkApps).map { prefix, name in
                ConfigurationError(
                    key: prefix + "title", expected: "the app's name as users know it; pages show '\(name)'")
            }
    }

    /// The scopes that apps ask for, since they are customary or another provider has them, and that a provider never
    /// grants. That is no mistake by itself.
    package var ungrantedScopes: [String] {
        let providers = broker.providers.filter { !$0.configuration.clientID.isEmpty }
        var customary = ["openid", "email", "profile"]
        for scope in providers.flatMap(\.scopesOfApps) where !customary.contains(scope) { customary.append(scope) }
        return providers.compactMap { provider in
            let missing = customary.filter { !provider.scopesOfApps.contains($0) }
            guard !missing.isEmpty else { return nil }
            return provider.prefix
                + "scopes: an app that asks for \(missing.joined(separator: ", ")) is never granted that "
                + "here, and one with requests-oauthlib then needs OAUTHLIB_RELAX_TOKEN_SCOPE"
        }
    }

    private static func first(inFileAt path: String) -> [NIOSSLCertificate] {
        guard let bytes = ConfigurationFile.contents(atPath: path) else { return [] }
        return Array(certificates(bytes[...]).prefix(1))
    }

    private static func certificates(_ bytes: ArraySlice<UInt8>) -> [NIOSSLCertificate] {
        NIOSSLCertificate.certificates(inPEM: Array(bytes))
    }

    /// What is wrong with the time of a certificate, as the end of a sentence; `nil` if nothing is.
    private static func problem(of certificate: NIOSSLCertificate, now: Int64) -> String? {
        let facts = CertificateFacts(certificate, host: "")
        if facts.validUntil > now, facts.validFrom > now { return "is not valid yet" }
        return problem(ofEnd: facts.validUntil, now: now)
    }

    private static func problem(ofEnd end: Int64, now: Int64) -> String? {
        let days = end.subtractingReportingOverflow(now).partialValue / 86_400
        if end <= now { return "expired \(-days) days ago" }
        return days < fewestDays ? "has \(days) days left" : nil
    }
}
