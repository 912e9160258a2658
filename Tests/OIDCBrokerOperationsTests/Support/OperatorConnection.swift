// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestingSupport

/// A connection to the listener for operators, on which a test writes and reads bytes itself.
typealias OperatorConnection = RawConnection

extension RawConnection {
    /// Asks the listener once, and returns everything that comes until the close.
    static func ask(port: Int, _ request: String) async throws -> OperatorResponse {
        try await open(port: port) { connection in
            try await connection.send(request)
            return OperatorResponse(await connection.rest())
        }
    }

    /// Asks the listener for a path.
    static func get(_ path: String, port: Int, accept: String = "*/*") async throws -> OperatorResponse {
        try await ask(port: port, "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n")
    }
}

/// What the listener answered.
struct OperatorResponse: Sendable {
    /// Everything as it came.
    let text: String
    /// The status line and the fields.
    let head: String
    let body: String

    init(_ text: String) {
        self.text = text
        let end = text.range(of: "\r\n\r\n")
        head = end.map { String(text[..<$0.lowerBound]) } ?? text
        body = end.map { String(text[$0.upperBound...]) } ?? ""
    }

    var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// Whether there is a field of this name with this value.
    func has(_ name: String, _ value: String) -> Bool {
        head.lowercased().contains("\r\n\(name.lowercased()): \(value.lowercased())")
    }
}
