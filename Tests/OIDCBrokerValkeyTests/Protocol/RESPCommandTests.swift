// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// What is written.
struct RESPCommandTests {
    private func bytes(_ command: RESPCommand) -> [UInt8] {
        var buffer = ByteBuffer()
        command.write(into: &buffer)
        return Array(buffer.readableBytesView)
    }

    @Test func `a command is a list of bulk strings`() {
        let command = RESPCommand("SET", .bytes([0, 13, 10]), "", .text("\u{FC}"), .number(1000))
        let text = "*5\r\n$3\r\nSET\r\n$3\r\n\u{0}\r\n\r\n$0\r\n\r\n$2\r\n\u{FC}\r\n$4\r\n1000\r\n"
        #expect(bytes(command) == Array(text.utf8))
        #expect(bytes(RESPCommand("TIME")) == Array("*1\r\n$4\r\nTIME\r\n".utf8))
    }

    @Test func `its length is known before`() {
        for count in [0, 1, 9, 10, 11, 99, 100, 999, 1000, 65_536] {
            let command = RESPCommand("SET", .bytes([UInt8](repeating: 0xFF, count: count)), .number(-1))
            #expect(bytes(command).count == command.byteCount, "\(count)")
        }
    }

    @Test func `commands follow one another`() {
        var buffer = ByteBuffer()
        RESPCommand("TIME").write(into: &buffer)
        RESPCommand("PING").write(into: &buffer)
        #expect(String(buffer: buffer) == "*1\r\n$4\r\nTIME\r\n*1\r\n$4\r\nPING\r\n")
    }
}
