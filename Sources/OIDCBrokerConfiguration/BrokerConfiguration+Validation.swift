// SPDX-License-Identifier: Apache-2.0

import JOSE
package import Signing

extension BrokerConfiguration {
    /// Validates the configuration by all rules and returns every error. The result is empty if a broker can run with
    /// the configuration.
    ///
    /// ``ConfigurationError/source`` is `nil`, because the source of a plain value is not known.
    public func validate() -> [ConfigurationError] {
        validate(with: SigningKeys(pem: signingKeys))
    }

    /// Validates the configuration like its overload.
    /// - Parameter keys: The signing keys, which take long to read; `nil` if there are none or they cannot be used.
    package func validate(with keys: SigningKeys?) -> [ConfigurationError] {
        var errors = boundsErrors(prefix: Self.prefix)
        if keys == nil, !signingKeys.isEmpty { errors.append(unusableSigningKeys) }
        for provider in providers { errors += provider.errors(in: self) }
        for app in apps { errors += app.errors(in: self, signedBy: keys) }
        let resourceKeys = SigningKeys(pem: resourceSigningKeys)
        errors += resourceKeyErrors(resourceKeys, besides: keys)
        for resource in resources { errors += resource.errors(in: self) }
        errors += webhook?.errors(besides: [keys, resourceKeys].compactMap { $0 }) ?? []
        return errors + branding.boundsErrors(prefix: Branding.prefix)
    }

    /// Returns the errors in the keys that sign access tokens for resources. A key with two purposes would let a token of
    /// one kind pass for one of the other.
    private func resourceKeyErrors(_ own: SigningKeys?, besides keys: SigningKeys?) -> [ConfigurationError] {
        let problem: String
        if resourceSigningKeys.isEmpty {
            guard !resources.isEmpty, !publicURL.isLoopback else { return [] }
            problem = ", required with auth.resources (made at start only where auth.public-url is loopback)"
        } else if let own {
            guard let keys else { return [] }
            if own.all.contains(where: { key in keys.all.contains { $0.keyID == key.keyID } }) {
                problem = "; a key is one of auth.signing-keys"
            } else if !keys.algorithms.contains(own.signing.algorithm) {
                problem = "; auth.signing-keys has no key for \(own.signing.algorithm.rawValue)"
            } else {
                return []
            }
        } else {
            problem = "; " + SigningKeys.problem(of: resourceSigningKeys)
        }
        return [
            Self.error(
                \.resourceSigningKeys, prefix: Self.prefix, expected: takes(\.resourceSigningKeys) + problem)
        ]
    }

    private var unusableSigningKeys: ConfigurationError {
        Self.error(
            \.signingKeys, prefix: Self.prefix,
            expected: takes(\.signingKeys) + "; " + SigningKeys.problem(of: signingKeys))
    }
}
