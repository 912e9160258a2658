// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ

    /// What a server says beside its answers. It belongs to a connection, and is used on the thread of that one only.
    ///
    /// A commit whose wait for a synchronous standby is canceled, by an administrator or by the end of the server, is a
    /// success with a warning: it is on this server, and may not be anywhere else.
    final class ConnectionNotices {
        private var isWarned = false

        /// Returns whether there was such a warning since the last call.
        func takeWarning() -> Bool {
            defer { isWarned = false }
            return isWarned
        }

        /// Notes a warning.
        /// - Parameters:
        ///   - severity: The severity, which the server does not translate here.
        ///   - state: The SQLSTATE: that of a general warning, or of the end of the server.
        func note(severity: String, state: String) {
            if severity == "WARNING", state.hasPrefix("01000") || state == "57P01" { isWarned = true }
        }

        /// Lets libpq tell this object, which must live as long as the connection.
        func listen(to handle: OpaquePointer) {
            _ = PQsetNoticeReceiver(
                handle,
                { context, result in
                    guard let context, let result else { return }
                    let notices = Unmanaged<ConnectionNotices>.fromOpaque(context).takeUnretainedValue()
                    notices.note(
                        severity: PostgreSQLResult.field("V", of: result) ?? "",
                        state: PostgreSQLResult.field("C", of: result) ?? "")
                }, Unmanaged.passUnretained(self).toOpaque())
        }
    }
#endif
