// SPDX-License-Identifier: Apache-2.0

import JOSE

extension WireText {
    /// Creates a text from a part of a received body; `nil` if it is not UTF-8.
    init?(utf8 bytes: ArraySlice<UInt8>) {
        guard let text = bytes.withUnsafeBufferPointer({ String(strictUTF8: $0) }) else { return nil }
        self.init(text)
    }
}
