// SPDX-License-Identifier: Apache-2.0

/// The reason why the demo could not start, as a message for the user at the terminal.
struct DemoError: Error, CustomStringConvertible {
    /// The complete message.
    let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// Another process already listens on the port.
    static func portTaken(_ port: Int) -> DemoError {
        DemoError("port \(port) is taken by another program. Choose another one: oidc-broker-demo --port \(port + 1)")
    }

    /// The system does not allow listening on the port.
    static func portRefused(_ port: Int, reason: String) -> DemoError {
        DemoError("cannot listen on 127.0.0.1 port \(port): \(reason)")
    }

    /// The certificate or its key could not be stored.
    static func cannotWrite(path: String, errorNumber: Int32) -> DemoError {
        DemoError("cannot write \(path) (error \(errorNumber))")
    }

    /// A file of the SDK could not be read as text.
    static func cannotRead(path: String) -> DemoError {
        DemoError("cannot read \(path), or it is not a script of at most \(DemoSDK.maximumBytes) bytes")
    }

    /// The server ended without an error.
    static let ended = DemoError("the broker ended by itself")
}
