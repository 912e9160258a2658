// SPDX-License-Identifier: Apache-2.0

public import OIDCBroker

extension ServerConfiguration {
    /// Everything that is wrong, the contents of the TLS files included; empty for a configuration that can be served.
    public func validate() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix) + (tls?.errors() ?? [])
    }
}
