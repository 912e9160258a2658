// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration {
    /// Everything that is wrong, validated by all rules; empty for a configuration a broker can run with.
    ///
    /// ``ConfigurationError/source`` is nil: a plain value does not know where it came from.
    public func validate() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix)
            + providers.flatMap { $0.errors(in: self) }
            + apps.flatMap { $0.errors(in: self) }
            + (webhook?.errors(besides: signingKey) ?? [])
    }
}
