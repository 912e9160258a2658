// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerState

/// A login in process that waits for the person to choose a provider.
struct InProcessLogin: Hashable {
    let destination: String
    let state: String?
    let loginHint: String?

    func write(to writer: inout ByteWriter) {
        writer.write(counted: destination.utf8)
        for text in [state, loginHint] {
            writer.write(UInt8(text == nil ? 0 : 1))
            writer.write(counted: (text ?? "").utf8)
        }
    }

    init(destination: String, state: String?, loginHint: String?) {
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
