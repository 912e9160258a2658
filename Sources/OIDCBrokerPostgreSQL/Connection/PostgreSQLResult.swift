// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibPQ

    /// What a result of libpq holds.
    enum PostgreSQLResult {
        /// A field of an error or a notice; `nil` if it has none.
        /// - Parameter code: The letter of the field in the protocol.
        static func field(_ code: Unicode.Scalar, of result: OpaquePointer) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }

        /// The error of a result that is one.
        static func error(of result: OpaquePointer) -> PostgreSQLStoreError {
            guard let state = field("C", of: result) else {
                // An error of libpq itself: the connection ended.
                return PQresultStatus(result) == PGRES_FATAL_ERROR ? .closed : .unexpectedAnswer
            }
            return PostgreSQLStoreError(sqlState: state)
        }

        /// The rows of a result.
        static func rows(of result: OpaquePointer) -> PostgreSQLRows {
            let columns = PQnfields(result)
            return PostgreSQLRows(
                rows: (0..<max(0, PQntuples(result))).map { row in
                    (0..<max(0, columns)).map { column -> [UInt8]? in
                        guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
                            return nil
                        }
                        let length = max(0, Int(PQgetlength(result, row, column)))
                        return Array(UnsafeRawBufferPointer(start: value, count: length))
                    }
                }, command: PQcmdStatus(result).map { String(cString: $0) } ?? "")
        }
    }
#endif
