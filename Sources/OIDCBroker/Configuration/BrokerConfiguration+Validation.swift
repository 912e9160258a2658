// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Validates the configuration by all rules and returns every error. The result is empty if a broker can run with
    /// the configuration.
    ///
    /// ``ConfigurationError/source`` is `nil`, because the source of a plain value is not known.
    public func validate() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix)
            + providers.flatMap { $0.errors(in: self) }
            + apps.flatMap { $0.errors(in: self) }
            + (webhook?.errors(besides: signingKeys) ?? [])
    }
}
