// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Admission

    /// The hosts of a connection string, with their addresses once they were looked up. libpq would look up names itself,
    /// and nothing could be done before that has ended.
    struct HostList: Sendable, Hashable {
        /// A host, its port and its address. An empty address is that of a Unix domain socket, or of a name that was not
        /// looked up.
        private struct Host: Sendable, Hashable {
            let name: String
            let port: String
            let address: String

            /// Whether its address is known without a lookup.
            var isResolved: Bool { !address.isEmpty || name.isEmpty || HostList.isSocket(name) }
        }

        private let hosts: [Host]

        private init(_ hosts: [Host]) {
            self.hosts = hosts
        }

        /// Reads the hosts of a connection. No name is looked up.
        /// - Throws: `unreachable` if the numbers of hosts and ports differ.
        init(_ parameters: ConnectionParameters) throws(PostgreSQLStoreError) {
            let given = Self.list(parameters["hostaddr"])
            let names = Self.list(parameters["host"])
            let count = max(given.count, names.count)
            var ports = Self.list(parameters["port"])
            if ports.count <= 1 { ports = Array(repeating: ports.first ?? "", count: count) }
            guard ports.count == count, given.isEmpty || names.isEmpty || given.count == names.count else {
                throw PostgreSQLStoreError.unreachable.with("the numbers of hosts, addresses and ports differ")
            }
            hosts = ports.enumerated().map { index, port in
                let name = names.isEmpty ? "" : names[index]
                let address = given.isEmpty ? "" : given[index]
                let isAddress = address.isEmpty && IPAddress(utf8: Array(name.utf8)[...]) != nil
                return Host(name: name, port: port, address: isAddress ? name : address)
            }
        }

        /// Each host alone. It is this list itself where libpq has to see it as a whole: it takes what is left out in a
        /// list from elsewhere than what is left out altogether, and `prefer-standby` goes through it twice.
        func apart(in parameters: ConnectionParameters) -> [HostList] {
            let isWhole =
                hosts.contains { $0.name.isEmpty && $0.address.isEmpty } || Set(hosts.map(\.port.isEmpty)).count > 1
                || parameters["target_session_attrs"] == "prefer-standby"
            return isWhole ? [self] : hosts.map { HostList([$0]) }
        }

        /// Each address alone. It is this list itself where libpq has to see it as a whole.
        var addresses: [HostList] {
            // Only the addresses of one host are alike in the rest.
            Set(hosts.map { [$0.name, $0.port] }).count > 1 ? [self] : hosts.map { HostList([$0]) }
        }

        /// Looks the names up.
        /// - Parameter addresses: Returns the addresses of a name.
        /// - Throws: What the closure throws, or `unreachable` if there is no address.
        func resolved(
            by addresses: (String) throws(PostgreSQLStoreError) -> [String]
        ) throws(PostgreSQLStoreError) -> HostList {
            var found: [Host] = []
            for host in hosts {
                guard !host.isResolved else {
                    found.append(host)
                    continue
                }
                for address in try addresses(host.name) {
                    found.append(Host(name: host.name, port: host.port, address: address))
                }
            }
            guard !found.isEmpty else { throw PostgreSQLStoreError.unreachable.with("no host has an address") }
            return HostList(found)
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
            return IPAddress(utf8: Array(address.utf8)[...])?.isOfPrivateNetwork ?? false
        }

        /// A path, or an abstract name.
        private static func isSocket(_ name: String) -> Bool { name.hasPrefix("/") || name.hasPrefix("@") }

        private static func list(_ text: String?) -> [String] {
            text?.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } ?? []
        }
    }
#endif
