// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
public import OIDCBrokerConfiguration

extension ServerConfiguration {
    /// Validates the configuration, including the contents of the TLS files, and returns every error. The result is
    /// empty if a server can run with the configuration.
    public func validate() -> [ConfigurationError] {
        validateWithoutFiles() + (tls?.errors() ?? [])
    }

    /// Validates all but the TLS files, which a running server has read already, and reads again by itself.
    func validateWithoutFiles() -> [ConfigurationError] {
        boundsErrors(prefix: Self.prefix) + limits.boundsErrors(prefix: Self.prefix)
            + loopback.boundsErrors(prefix: LoopbackConfiguration.prefix)
            + operations.boundsErrors(prefix: OperationsConfiguration.prefix)
            + log.boundsErrors(prefix: LogConfiguration.prefix) + portErrors
    }

    /// The errors of listeners whose port another one has at the same address. Port 0 is any free one.
    private var portErrors: [ConfigurationError] {
        var taken: [(key: String, host: String, port: Int)] = []
        var errors: [ConfigurationError] = []
        func take(_ key: String, _ host: String, _ port: Int?) {
            guard let port, port != 0 else { return }
            if let other = taken.first(where: { $0.port == port && Self.overlap($0.host, host) }) {
                errors.append(
                    ConfigurationError(
                        key: key, expected: "another port than that of \(other.key), at the same address"))
            }
            taken.append((key, host, port))
        }
        if unixSocket == nil { take(Self.prefix + Self.key(of: \.port), host, port) }
        take(Self.prefix + Self.key(of: \.redirectPort), host, redirectPort)
        take(
            OperationsConfiguration.prefix + OperationsConfiguration.key(of: \.port), operations.host, operations.port)
        take(LoopbackConfiguration.prefix + LoopbackConfiguration.key(of: \.port), "localhost", loopback.port)
        return errors
    }

    /// Whether listeners on two hosts have an address in common, as far as their texts tell.
    private static func overlap(_ first: String, _ second: String) -> Bool {
        let hosts: Set = [first, second]
        if hosts.count == 1 || hosts.contains("::") { return true }
        if hosts.contains("0.0.0.0") { return !hosts.contains { $0.contains(":") } }
        return hosts.contains("localhost") && !hosts.isDisjoint(with: ["127.0.0.1", "::1"])
    }
}
