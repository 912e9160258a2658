// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore

/// Writes the lines of an HTTP/1 response head (RFC 9112 sections 4 and 5), each in one step.
extension ByteBuffer {
    /// Writes the status line with its line break.
    mutating func writeStatusLine(_ status: HTTPResponse.Status) {
        writeStaticString("HTTP/1.1 ")
        writeString(String(status.code))
        writeStaticString(" ")
        writeString(status.reasonPhrase)
        writeStaticString("\r\n")
    }

    /// Writes a field line with its line break. A control character in the value, whatever `HTTPField` does about it,
    /// is written as a space, so a field cannot split the response.
    mutating func writeField(_ field: HTTPField) {
        var name = field.name.rawName
        var value = field.value
        name.withUTF8 { name in
            value.withUTF8 { value in
                let length = name.count + value.count + 4
                writeWithUnsafeMutableBytes(minimumWritableBytes: length) { line in
                    line.copy(name, to: 0)
                    line[name.count] = UInt8(ascii: ":")
                    line[name.count + 1] = UInt8(ascii: " ")
                    line.copy(value, to: name.count + 2)
                    line.replaceControls(in: (name.count + 2)..<(length - 2))
                    line[length - 2] = UInt8(ascii: "\r")
                    line[length - 1] = UInt8(ascii: "\n")
                    return length
                }
            }
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func copy(_ bytes: UnsafeBufferPointer<UInt8>, to position: Int) {
        UnsafeMutableRawBufferPointer(rebasing: self[position...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
    }

    /// Replaces control characters. The search has no early exit, so that it is vectorized; the rare replacements are
    /// done one by one.
    fileprivate func replaceControls(in range: Range<Int>) {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: self[range])
        var found: UInt8 = 0
        for byte in bytes { found |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
        guard found != 0 else { return }
        for position in bytes.indices
        where bytes[position] < 0x20 && bytes[position] != UInt8(ascii: "\t") || bytes[position] == 0x7F {
            bytes[position] = UInt8(ascii: " ")
        }
    }
}
