// SPDX-License-Identifier: Apache-2.0

/// Requests and responses as they stand on the wire.
enum Messages {
    static func get(_ target: String, _ fields: String..., version: String = "1.1") -> String {
        "GET \(target) HTTP/\(version)\r\nHost: broker.test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    static func post(_ target: String, _ fields: String..., body: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: broker.test\r\nContent-Length: \(body.utf8.count)\r\n"
            + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    static func chunked(_ target: String, _ chunks: [String], trailers: String = "") -> String {
        "POST \(target) HTTP/1.1\r\nHost: broker.test\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks.map { String($0.utf8.count, radix: 16) + "\r\n" + $0 + "\r\n" }.joined() + "0\r\n\(trailers)\r\n"
    }

    /// Returns the stub's response to a target on a connection that is kept.
    static func broker(_ target: String) -> String {
        self.ok("broker \(target)", name: "Content-Length")
    }

    /// Returns the application's response to a target.
    static func app(_ target: String) -> String {
        self.ok("app \(target)", name: "content-length")
    }

    private static func ok(_ body: String, name: String) -> String {
        "HTTP/1.1 200 OK\r\n\(name): \(body.utf8.count)\r\n\r\n\(body)"
    }
}
