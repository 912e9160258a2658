// SPDX-License-Identifier: Apache-2.0

/// A login in process that waits for the user to choose a provider.
package struct InProcessLogin: Hashable {
    /// The path on the broker's origin to which the user wants to go.
    package let destination: String
    /// The value that the sign-in contains; `nil` for none.
    package let state: String?
    /// The `login_hint` for the provider; `nil` for none.
    package let loginHint: String?

    func write(to writer: inout ByteWriter) {
        writer.write(counted: destination.utf8)
        for text in [state, loginHint] {
            writer.write(UInt8(text == nil ? 0 : 1))
            writer.write(counted: (text ?? "").utf8)
        }
    }

    /// Creates a login.
    package init(destination: String, state: String?, loginHint: String?) {
        self.destination = destination
        self.state = state
        self.loginHint = loginHint
    }

    init?(from reader: inout ByteReader) {
        guard let destination = reader.readCountedString(), let hasState = reader.readByte(),
            let state = reader.readCountedString(), let hasHint = reader.readByte(),
            let hint = reader.readCountedString(), hasState < 2, hasHint < 2, hasState == 1 || state.isEmpty,
            hasHint == 1 || hint.isEmpty
        else { return nil }
        self.init(
            destination: destination, state: hasState == 1 ? state : nil, loginHint: hasHint == 1 ? hint : nil)
    }
}
