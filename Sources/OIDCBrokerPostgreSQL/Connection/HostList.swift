// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import OIDCBroker

    /// The hosts of a connection string with their addresses. libpq would look up names itself, and nothing could be
    /// done before that has ended.
    struct HostList: Sendable, Hashable {
        /// Loopback addresses and those of private networks (RFC 1918, RFC 4193).
        private static let privateNetworks = [
            "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7",
        ].compactMap { IPNetwork($0) }

        /// A host, its port and its address. An empty address is that of a Unix domain socket.
        private struct Host: Sendable, Hashable {
            let name: String
            let port: String
            let address: String
        }

        private let hosts: [Host]

        /// Resolves the hosts of a connection.
        /// - Parameter addresses: Returns the addresses of a name.
        /// - Throws: What the closure throws, or `unreachable` if there is no address or the numbers of hosts and ports
        ///   differ.
        init(
            _ parameters: ConnectionParameters,
            addresses: (String) throws(PostgreSQLStoreError) -> [String]
        ) throws(PostgreSQLStoreError) {
            let given = Self.list(parameters["hostaddr"])
            let names = Self.list(parameters["host"])
            let count = max(given.count, names.count)
            var ports = Self.list(parameters["port"])
            if ports.count <= 1 { ports = Array(repeating: ports.first ?? "", count: count) }
            guard ports.count == count, given.isEmpty || names.isEmpty || given.count == names.count else {
                throw PostgreSQLStoreError.unreachable.with("the numbers of hosts, addresses and ports differ")
            }
            var hosts: [Host] = []
            for (index, port) in ports.enumerated() {
                let name = names.isEmpty ? "" : names[index]
                let address = given.isEmpty ? "" : given[index]
                if !address.isEmpty || name.isEmpty || Self.isSocket(name) {
                    hosts.append(Host(name: name, port: port, address: address))
                } else if IPAddress(utf8: Array(name.utf8)[...]) != nil {
                    hosts.append(Host(name: name, port: port, address: name))
                } else {
                    for address in try addresses(name) { hosts.append(Host(name: name, port: port, address: address)) }
                }
            }
            guard !hosts.isEmpty else { throw PostgreSQLStoreError.unreachable.with("no host has an address") }
            self.hosts = hosts
        }

        /// Returns the parameters with these hosts. Beyond private networks they demand TLS.
        /// - Throws: `notEncrypted` if TLS is switched off there.
        func apply(to parameters: ConnectionParameters) throws(PostgreSQLStoreError) -> ConnectionParameters {
            var parameters = parameters
            parameters["host"] = hosts.map(\.name).joined(separator: ",")
            let (areAddressed, havePorts) = (
                hosts.contains { !$0.address.isEmpty }, hosts.contains { !$0.port.isEmpty }
            )
            parameters["hostaddr"] = areAddressed ? hosts.map(\.address).joined(separator: ",") : nil
            parameters["port"] = havePorts ? hosts.map(\.port).joined(separator: ",") : nil
            guard !hosts.allSatisfy({ Self.isPrivate(host: $0.name, address: $0.address) }) else { return parameters }
            switch parameters["sslmode"] {
            case "require", "verify-ca", "verify-full": break
            case "disable": throw PostgreSQLStoreError.notEncrypted
            // Otherwise a server without TLS would be sent a password.
            default: parameters["sslmode"] = "require"
            }
            return parameters
        }

        /// Returns whether a server is reached by a socket of this machine, a loopback address or one of a private
        /// network.
        /// - Parameter address: Its address; empty for a Unix domain socket.
        static func isPrivate(host: String, address: String) -> Bool {
            guard !address.isEmpty else { return host.isEmpty || isSocket(host) }
            guard let address = IPAddress(utf8: Array(address.utf8)[...]) else { return false }
            return privateNetworks.contains { $0.contains(address) }
        }

        /// A path, or an abstract name.
        private static func isSocket(_ name: String) -> Bool { name.hasPrefix("/") || name.hasPrefix("@") }

        private static func list(_ text: String?) -> [String] {
            text?.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } ?? []
        }
    }
#endif
