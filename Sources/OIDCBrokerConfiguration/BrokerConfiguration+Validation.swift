// SPDX-License-Identifier: Apache-2.0

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
        errors += webhook?.errors(besides: keys) ?? []
        return errors + branding.boundsErrors(prefix: Branding.prefix)
    }

    private var unusableSigningKeys: ConfigurationError {
        Self.error(
            \.signingKeys, prefix: Self.prefix,
            expected: takes(\.signingKeys) + "; " + SigningKeys.problem(of: signingKeys))
    }
}
