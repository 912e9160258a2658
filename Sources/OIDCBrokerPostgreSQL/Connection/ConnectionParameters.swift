// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import JOSE

    /// The parameters of a connection, by their keywords in libpq. They may hold a password, so they are never printed.
    struct ConnectionParameters: Sendable, Hashable, Unprinted {
        private var values: [String: String] = [:]

        /// The value of a keyword; `nil` if there is none, or an empty one, which libpq takes for none.
        subscript(keyword: String) -> String? {
            get { values[keyword] }
            set { values[keyword] = newValue?.isEmpty == false ? newValue : nil }
        }

        /// Whether they are in a file of services.
        var isOfService: Bool { self["service"] != nil }

        /// The parameters with what the store adds: its name, the primary unless something else was asked for, and what
        /// could wait for more than the server.
        var completed: ConnectionParameters {
            var parameters = self
            parameters["application_name"] = "oidc-broker"
            parameters["client_encoding"] = "UTF8"
            // Deadlines are kept by this module. This one has a minimum of two seconds.
            parameters["connect_timeout"] = nil
            if parameters["target_session_attrs"] == nil { parameters["target_session_attrs"] = "read-write" }
            if parameters["gssencmode"] == nil { parameters["gssencmode"] = "disable" }
            return parameters
        }

        /// The parameters as a connection string, whose values are all quoted.
        var text: String {
            values.sorted { $0.key < $1.key }.map { keyword, value in
                var quoted = ""
                for character in value.unicodeScalars {
                    if character == "'" || character == "\\" { quoted.unicodeScalars.append("\\") }
                    quoted.unicodeScalars.append(character)
                }
                return "\(keyword)='\(quoted)'"
            }.joined(separator: " ")
        }
    }
#endif
