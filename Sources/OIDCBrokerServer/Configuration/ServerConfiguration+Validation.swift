// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

extension ServerConfiguration {
    /// Validates the configuration, including the contents of the TLS files, and returns every error. The result is
    /// empty if a server can run with the configuration.
    public func validate() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix) + (tls?.errors() ?? [])
    }
}
