// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A text from its bytes; `nil` if they are not UTF-8.
    ///
    /// The standard library's own failable initializer is generic code that is not specialized: ten times the price for
    /// the ASCII that nearly every text here is.
    package init?(strictUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isASCII {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }

    /// Whether every character is one of %x20-7E.
    package var isPrintableASCII: Bool {
        utf8.withContiguousBytes { bytes in
            // No exit from the loop, so that it is compiled into vector instructions: a token has a thousand characters.
            var others: UInt8 = 0
            for byte in bytes { others |= byte &- 0x20 > 0x5E ? 1 : 0 }
            return others == 0
        }
    }

    /// Whether there is a control character of ASCII, %x00-1F or %x7F: what could end a line.
    package var hasControlCharacters: Bool {
        utf8.withContiguousBytes { bytes in
            // Without an exit as well.
            var controls: UInt8 = 0
            for byte in bytes { controls |= byte < 0x20 || byte == 0x7F ? 1 : 0 }
            return controls != 0
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether no byte is above 0x7F.
    var isASCII: Bool {
        var seen: UInt8 = 0
        for byte in self { seen |= byte }
        return seen < 0x80
    }
}
