// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ

    /// The address of a PostgreSQL server, and the user and password for it: a connection string of libpq, such as
    /// `host=… dbname=… user=…` or `postgresql://…`. It may hold a password, so it is never printed.
    public struct PostgreSQLConnectionString: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// What libpq understood.
        let parameters: ConnectionParameters

        /// Reads a connection string.
        /// - Returns: `nil` if libpq does not understand it, or if it names no host, or a service whose host is in
        ///   another file. An absolute path of a folder is a host, too: that of a Unix domain socket.
        public init?(_ text: String) {
            guard let parameters = Self.parse(text), !parameters.isOfService else { return nil }
            guard parameters["host"] != nil || parameters["hostaddr"] != nil else { return nil }
            self.parameters = parameters
        }

        public var description: String { "a connection string" }
        public var debugDescription: String { description }
        public var customMirror: Mirror { Mirror(self, children: [:]) }

        private static func parse(_ text: String) -> ConnectionParameters? {
            guard !text.utf8.contains(0) else { return nil }
            // It quotes the text, and is not looked at.
            var message: UnsafeMutablePointer<CChar>?
            defer { if let message { PQfreemem(message) } }
            guard let options = PQconninfoParse(text, &message) else { return nil }
            defer { PQconninfoFree(options) }
            var parameters = ConnectionParameters()
            var option = options
            while let keyword = option.pointee.keyword {
                if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
                option += 1
            }
            return parameters
        }
    }
#endif
