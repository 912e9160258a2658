// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What every transport must do, for each of them. Here: what it sends.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct ProviderTransportTests {
    @Test(arguments: TransportKind.allCases)
    func `a GET asks for JSON, for no encoding, and says no more than it must`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("")]) }) { server in
            _ = try await withTransport(kind) {
                try await TestRequest.execute($0, server.url + "/path?x=1%20&y", authorization: "Bearer token")
            }
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.line == "GET /path?x=1%20&y HTTP/1.1")
            #expect(request.header("host") == ["127.0.0.1:\(server.port)"])
            #expect(request.header("accept") == ["application/json"])
            #expect(request.header("accept-encoding") == ["identity"])
            #expect(request.header("authorization") == ["Bearer token"])
            #expect(request.header("content-type") == [])
            #expect(request.header("cookie") == [])
            #expect(request.body.isEmpty)
        }
    }

    @Test(arguments: TransportKind.allCases, ["", "/", "?x=1", "/?x=1", "/a%2Fb/?x=%C3%A9&y"])
    func `the request target is path and query of the URL, as they are`(
        kind: TransportKind, text: String
    ) async throws {
        let target = text.hasPrefix("/") ? text : "/" + text
        try await ScriptedServer.run({ _ in .send([TestRequest.response("")]) }) { server in
            _ = try await withTransport(kind) { try await TestRequest.execute($0, server.url + text) }
            #expect(server.requests.map(\.line) == ["GET \(target) HTTP/1.1"])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `a form is posted, head and body whole`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("")]) }) { server in
            let form = "grant_type=authorization_code&code=" + String(repeating: "c", count: 4096)
            _ = try await withTransport(kind) { try await TestRequest.execute($0, server.url + "/token", form: form) }
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /token HTTP/1.1")
            #expect(request.header("content-type") == ["application/x-www-form-urlencoded"])
            #expect(request.header("content-length") == ["\(form.utf8.count)"])
            #expect(request.header("transfer-encoding") == [])
            #expect(request.header("authorization") == [])
            #expect(request.body == form)
        }
    }

    @Test(arguments: TransportKind.allCases, [nil, "a=b"])
    func `additional fields are sent, in a GET and in a POST`(kind: TransportKind, form: String?) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("")]) }) { server in
            let fields = [(name: "traceparent", value: "00-a-b-01"), (name: "tracestate", value: "a=b,c=d")]
            try await withTransport(kind) { transport in
                _ = try await TestRequest.execute(transport, server.url + "/token", form: form, fields: fields)
                _ = try await TestRequest.execute(transport, server.url + "/token", form: form)
            }
            #expect(server.requests.map { $0.header("traceparent") } == [["00-a-b-01"], []])
            #expect(server.requests.map { $0.header("tracestate") } == [["a=b,c=d"], []])
            #expect(server.requests.map(\.body) == [form ?? "", form ?? ""])
        }
    }

    @Test(arguments: TransportKind.allCases)
    func `no request sees another's fields or form`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ request in .send([TestRequest.response(request.line)]) }) { server in
            try await withTransport(kind) { transport in
                let first = try await TestRequest.execute(
                    transport, server.url + "/a", authorization: "Basic x", form: "a=1")
                let second = try await TestRequest.execute(transport, server.url + "/a")
                let third = try await TestRequest.execute(transport, server.url + "/a", form: "b=2")
                #expect(String(buffer: first.body) == "POST /a HTTP/1.1")
                #expect(String(buffer: second.body) == "GET /a HTTP/1.1")
                #expect(String(buffer: third.body) == "POST /a HTTP/1.1")
            }
            #expect(server.requests.map(\.body) == ["a=1", "", "b=2"])
            #expect(server.requests.map { $0.header("authorization") } == [["Basic x"], [], []])
        }
    }

    @Test(.attack(.splitHeaderFields), arguments: TransportKind.allCases)
    func `a field that splits the head is never sent`(kind: TransportKind) async throws {
        try await ScriptedServer.run({ _ in .send([TestRequest.response("x")]) }) { server in
            await #expect(throws: ProviderTransportError.self) {
                try await withTransport(kind) {
                    try await TestRequest.execute($0, server.url, authorization: "Bearer x\r\nx: y", form: "code=c")
                }
            }
            #expect(server.requests.isEmpty)
        }
    }
}
