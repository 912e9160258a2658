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

    private static let authorization =
        "http://127.0.0.1/p0/authorize?state=a.b&nonce=n-1&code_challenge=c_2&code_challenge_method=S256"

    private static func response(_ status: String, _ fields: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(fields)content-length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func began() -> String {
        response("303 See Other", "location: \(authorization)\r\nset-cookie: __Host-oidc-x=y; Path=/\r\n")
    }

    @Test func `a user who signs in comes back with a code that holds what the authorization request had`() throws {
        var subjects: [String] = []
        let runs: [(HostileInput, UInt64)] = [(.unredeemedCodes, 17), (.newAccounts, 17), (.newAccounts, 18)]
        for (input, number) in runs {
            var run = HostileScriptRun(input.script(for: Self.target), target: Self.target, number: number)
            _ = run.next()
            Self.receive(Self.began(), &run)
            let callback = try #require(Self.text(run.next()))
            #expect(callback.contains("\r\ncookie: __Host-oidc-x=y\r\n"))
            let target = String(try #require(callback.split(separator: " ").dropFirst().first))
            #expect(target.hasPrefix("/__/auth/handler?"))
            let parameters = URLParameters(of: target)
            #expect(parameters["state"] == "a.b")
            let sent = try #require(parameters["code"])
            let code = try #require(VisitorCode(sent))
            #expect(code.nonce == "n-1")
            #expect(code.challenge == "c_2")
            subjects.append(code.subject)
        }
        #expect(subjects[0] == "known-1")
        #expect(Set(subjects).count == 3)
    }

    @Test func `a visitor's code is read as it was written, and no other one is such a code`() {
        let code = VisitorCode(subject: "s", nonce: "", challenge: "c")
        #expect(VisitorCode(code.text) == code)
        for other in ["", "c1-2", "visitor.s.n", "visitor..n.c", "visitor.s.n.c.d", "other.s.n.c"] {
            #expect(VisitorCode(other) == nil)
        }
    }

    @Test func `an app's URL with a code is accepted, one with an error is not`() {
        var run = HostileScriptRun(HostileInput.newAccounts.script(for: Self.target), target: Self.target)
        for end in ["code=c", "error=temporarily_unavailable"] {
            _ = run.next()
            Self.receive(Self.began(), &run)
            _ = run.next()
            Self.receive(
                Self.response("303 See Other", "location: https://people.example.com/callback?\(end)&state=s\r\n"), &run
            )
        }
        _ = run.next()
        #expect(run.counts.text == "4 x 303, 1 x accepted")
    }

    @Test func `a browser that has a result is shut out if it gets no further one, and keeps its cookies`() throws {
        let script = HostileInput.unclaimedResults.script(for: Self.target)
        let cookies = (0..<3).map { "set-cookie: __Host-oidc-\($0)=y; Path=/\r\n" }
        let next = Self.authorization.split(separator: "&").joined(separator: "\\u0026")
        let began =
            "<style>a{}</style><script type=\"application/json\" id=\"redirect\">{\"next\":\"\(next)\"}</script>"
        let refused = "{\"result\":\"oidc-broker=error\\u0026code=auth%2Finternal-error\"}"
        for hasResult in [false, true] {
            var run = HostileScriptRun(script, target: Self.target)
            for (number, cookie) in cookies.enumerated() {
                let start = try #require(Self.text(run.next()))
                #expect(start.hasPrefix("GET /__/auth/handler?apiKey="))
                Self.receive(Self.response("200 OK", cookie, began), &run)
                let callback = try #require(Self.text(run.next()))
                for other in 0...number { #expect(callback.contains("__Host-oidc-\(other)=y")) }
                Self.receive(
                    Self.response("200 OK", "", hasResult && number == 0 ? "oidc-broker=done\\u0026login=l" : refused),
                    &run)
            }
            _ = run.next()
            #expect(run.counts.text == (hasResult ? "6 x 200, 2 x shut out, 1 x accepted" : "6 x 200"))
        }
    }

    @Test func `a session is asked for with the ticket of a popup, and looked up more often than it may be`() throws {
        var run = HostileScriptRun(HostileInput.sessionLookups.script(for: Self.target), target: Self.target)
        _ = run.next()
        Self.receive(Self.began(), &run)
        _ = run.next()
        let event = "{\"origin\":\"o\",\"authEvent\":{\"urlResponse\":\"https://a/h?ticket=t\",\"sessionId\":\"i\"}}"
        Self.receive(
            Self.response("200 OK", "", "<script type=\"application/json\" id=\"auth-event\">\(event)</script>"), &run)
        let signIn = try #require(Self.text(run.next()))
        #expect(signIn.hasPrefix("POST /identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=bench-page-key-"))
        #expect(signIn.contains("\r\ncontent-type: application/json\r\n"))
        #expect(signIn.contains("ticket=t"))
        Self.receive(Self.response("200 OK", "", "{\"idToken\":\"aa.bb.cc\",\"refreshToken\":\"r\"}"), &run)
        for _ in 0..<162 {
            let lookup = try #require(Self.text(run.next()))
            #expect(lookup.hasSuffix("{\"idToken\":\"aa.bb.cc\"}"))
            Self.receive(Self.response("200 OK", "", "{\"users\":[]}"), &run)
        }
        _ = run.next()
        Self.receive(Self.response("400 Bad Request", "", "{\"error\":{}}"), &run)
        _ = run.next()
        #expect(
            run.counts.text
                == "164 x 200, 160 x accepted, 2 x accepted beyond the limit, 1 x 303, 1 x 400")
    }

    @Test func `without a session nothing is looked up`() {
        var run = HostileScriptRun(HostileInput.sessionRefreshes.script(for: Self.target), target: Self.target)
        _ = run.next()
        Self.receive(Self.began(), &run)
        _ = run.next()
        Self.receive(Self.response("429 Too Many Requests"), &run)
        #expect(run.next() == .close)
        #expect(run.counts.text == "1 x 303, 1 x 429")
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
