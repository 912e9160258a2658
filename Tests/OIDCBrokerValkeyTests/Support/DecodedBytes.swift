// SPDX-License-Identifier: Apache-2.0

import NIOCore

@testable import OIDCBrokerValkey

/// What a decoder makes of bytes that arrive in pieces.
struct DecodedBytes: Hashable {
    var values: [RESPValue] = []
    var error: RESPError?
    /// How many bytes it did not consume.
    var rest = 0

    init(_ pieces: [[UInt8]]) {
        var decoder = RESPDecoder()
        var buffer = ByteBuffer()
        for piece in pieces where error == nil {
            buffer.writeBytes(piece)
            do throws(RESPError) {
                while let value = try decoder.next(&buffer) { values.append(value) }
            } catch {
                self.error = error
            }
        }
        rest = buffer.readableBytes
    }

    init(_ text: String) {
        self.init([Array(text.utf8)])
    }
}
