// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct HostileScriptRunTests {
    private static let target = HostileTarget(port: 4711)

    private static func receive(_ text: String, _ run: inout HostileScriptRun) {
        Array(text.utf8).withUnsafeBytes { run.received($0) }
    }

    private static func receive(_ bytes: [UInt8], _ run: inout HostileScriptRun) {
        bytes.withUnsafeBytes { run.received($0) }
    }

    private static func text(_ action: HostileScriptRun.Action) -> String? {
        guard case .write(let bytes) = action else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a login is begun and ends in a callback with its state and its cookie`() throws {
        var run = HostileScriptRun(HostileInput.errorCallbacks.script(for: Self.target), target: Self.target)
        let start = try #require(Self.text(run.next()))
        #expect(start.hasPrefix("GET /__/auth/authorize?client_id=bench&"))
        #expect(run.next() == .read)
        Self.receive("HTTP/1.1 303 See Other\r\nlocation: http://127.0.0.1/p0/authorize?a=b&sta", &run)
        #expect(run.next() == .read)
        Self.receive("te=abc\r\nset-cookie: __Host-oidc-x=y; Path=/; Secure\r\ncontent-length: 0\r\n\r\n", &run)
        let callback = try #require(Self.text(run.next()))
        #expect(callback.hasPrefix("GET /__/auth/handler?state=abc&error=access_denied"))
        #expect(callback.contains("\r\ncookie: __Host-oidc-x=y\r\n"))
        #expect(run.next() == .read)
        #expect(run.counts.sent == 2)
        #expect(run.counts.text == "1 x 303")
    }

    @Test func `where no login was begun there is no callback`() {
        var run = HostileScriptRun(HostileInput.junkCodes.script(for: Self.target), target: Self.target)
        _ = run.next()
        Self.receive("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", &run)
        #expect(run.next() == .close)
        run.closed()
        #expect(run.counts.text == "1 x 503")
    }

    @Test func `a slow head goes out a byte at a time, and its response is seen although the connection was closed`() {
        var run = HostileScriptRun(HostileInput.slowHead.script(for: Self.target), target: Self.target)
        #expect(run.next() == .write([UInt8(ascii: "G")]))
        #expect(run.next() == .pause(milliseconds: 1000, reads: true))
        #expect(run.next() == .write([UInt8(ascii: "E")]))
        Self.receive("HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n", &run)
        run.closed()
        #expect(run.next() == .close)
        #expect(run.counts.text == "1 x 408, 1 x closed")
    }

    @Test func `frames are counted by what they say of a request, however they are cut`() {
        var run = HostileScriptRun(HostileInput.rapidResets.script(for: Self.target), target: Self.target)
        _ = run.next()
        #expect(run.next() == .pause(milliseconds: 500, reads: true))
        // SETTINGS, HEADERS of one byte, RST_STREAM of four, GOAWAY of eight.
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        let headers: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]
        let reset: [UInt8] = [0, 0, 4, 3, 0, 0, 0, 0, 3, 0, 0, 0, 8]
        let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11]
        for byte in settings + headers + reset + reset + goAway { Self.receive([byte], &run) }
        #expect(run.counts.text == "2 x reset, 1 x GOAWAY, 1 x answered")
    }

    @Test func `a handshake ends with the flight behind the ServerHello, however it is cut`() {
        var run = HostileScriptRun(HostileInput.clientHellos.script(for: Self.target), target: Self.target)
        guard case .write(let hello) = run.next() else {
            Issue.record("it begins with something else")
            return
        }
        #expect(hello.first == 22)
        // ServerHello, change_cipher_spec, an empty record.
        for byte in [22, 3, 3, 0, 2, 7, 7, 20, 3, 3, 0, 1, 1, 20, 3, 3, 0, 0] as [UInt8] {
            Self.receive([byte], &run)
            #expect(run.next() == .read)
        }
        Self.receive([23, 3, 3, 0, 2, 9], &run)
        #expect(run.next() == .read)
        Self.receive([9, 23, 3, 3, 0, 1, 9], &run)
        #expect(run.next() == .close)
        run.closed()
        #expect(run.counts.sent == 1)
        #expect(run.counts.text == "1 x flight")
    }

    @Test func `a handshake that is refused ends with its alert`() {
        var run = HostileScriptRun(HostileInput.clientHellos.script(for: Self.target), target: Self.target)
        _ = run.next()
        Self.receive([21, 3, 3, 0, 2, 2, 40], &run)
        #expect(run.next() == .close)
        run.closed()
        #expect(run.counts.text == "1 x alert")
    }

    @Test func `one who gives up has no response, one whose time is up counts nothing`() {
        var run = HostileScriptRun(HostileInput.tokenMarks.script(for: Self.target), target: Self.target)
        _ = run.next()
        var other = run
        run.gaveUp()
        run.closed()
        #expect(run.counts.text == "1 x no response")
        other.stopped()
        other.closed()
        #expect(other.counts.text.isEmpty)
        #expect(other.next() == .close)
    }

    @Test(arguments: ["nothing of the kind\r\n\r\n", "\u{16}\u{3}\u{3}", "HTTP/1.1 OK\r\n"])
    func `a response that is not HTTP ends the script`(text: String) {
        var run = HostileScriptRun(HostileInput.tokenMarks.script(for: Self.target), target: Self.target)
        _ = run.next()
        Self.receive(text, &run)
        #expect(run.next() == .close)
        #expect(run.counts.text == "1 x unreadable")
        // What the connection does then is not counted.
        run.closed()
        #expect(run.counts.text == "1 x unreadable")
    }
}
