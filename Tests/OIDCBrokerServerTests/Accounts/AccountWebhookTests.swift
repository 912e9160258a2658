// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerOperations
import OpenIDRelyingParty
import StoreTesting
import Synchronization
import Testing
import TestingSupport

@testable import Accounts
@testable import OIDCBrokerServer

/// Events of accounts and the question before one is made, to a server of the operator over a real socket.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct AccountWebhookTests {
    private static let key = P256.Signing.PrivateKey()

    /// A server of the operator.
    private final class Receiver: Sendable {
        let received = Mutex<[(head: HTTPRequestHead, body: [UInt8])]>([])
        let eventStatus = Mutex(HTTPResponseStatus.noContent)
        let answer = Mutex(#"{"allow": true, "custom_claims": {"role": "member"}}"#)

        func respond(to head: HTTPRequestHead, _ body: [UInt8]) -> AnsweringServer.Answer {
            received.withLock { $0.append((head: head, body: body)) }
            guard head.uri == "/new" else { return .init(status: eventStatus.withLock { $0 }) }
            return .init(
                status: .ok, headers: ["content-type": "application/json"], body: Array(answer.withLock { $0 }.utf8))
        }
    }

    private static func run(
        _ handlers: AccountHandlers = AccountHandlers(),
        _ body: (BrokerAccounts, ModelAccountStore, Receiver, any EventLoop) async throws -> Void
    ) async throws {
        let receiver = Receiver()
        try await AnsweringServer.run {
            receiver.respond(to: $0, $1)
        } body: { root in
            var variables = SourcesFixture.accounts
            variables["AUTH_WEBHOOK_URL"] = root + "/events"
            variables["AUTH_WEBHOOK_SIGNING_KEY"] = Self.key.pemRepresentation
            variables["AUTH_ACCOUNTS_BEFORE_CREATE"] = root + "/new"
            let loaded = try await SourcesFixture.load(environment: SourcesFixture.environment(with: variables))
            let store = ModelAccountStore()
            let accounts = try BrokerAccounts(
                configuration: try #require(loaded.accounts), broker: loaded.broker, store: store, handlers: handlers,
                logger: .quiet)
            try await ProviderTransportKind.nio.withTransport(on: RunningServer.eventLoops) { transport in
                let broker = try accounts.makeBroker(
                    configuration: loaded.broker, transport: transport, logger: .quiet)
                try await body(accounts, store, receiver, RunningServer.eventLoops.any())
                withExtendedLifetime(broker) {}
            }
        }
    }

    private static func enter(_ accounts: BrokerAccounts, on loop: any EventLoop) async throws -> EnteredAccount {
        var request = SignInRequest(
            VerifiedIdentity(
                IdentityKey(issuer: "https://p", subject: "ada"), providerID: "p",
                email: EmailAddress("ada@example.com"), isEmailProved: true))
        request.claims = ["hd": "example.com"]
        return try await accounts.service.enter(request, on: loop).get()
    }

    /// RFC 9530 and RFC 9421 section 2.5, from the request as it came, by swift-crypto.
    private static func isSigned(_ head: HTTPRequestHead, _ body: [UInt8]) throws -> Bool {
        func field(_ name: String) throws -> String { try #require(head.headers[name].first, "\(name)") }
        let digest = Data(SHA256.hash(data: Data(body))).base64EncodedString()
        guard try field("content-digest") == "sha-256=:\(digest):" else { return false }
        let base = """
            "@method": POST
            "@target-uri": http://\(try field("host"))\(head.uri)
            "content-type": application/json
            "content-digest": \(try field("content-digest"))
            "@signature-params": \(try field("signature-input").dropFirst("sig1=".count))
            """
        let text = try field("signature").dropFirst("sig1=:".count).dropLast()
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Data(base64Encoded: String(text))))
        return key.publicKey.isValidSignature(signature, for: Data(base.utf8))
    }

    private static func json(_ body: [UInt8]) throws -> JSONObject {
        try JSONParser.object(body, limits: JSONLimits(maximumBytes: 65_536))
    }

    private static func names(_ accounts: BrokerAccounts) -> [String] {
        accounts.samples.samples().filter { $0.name.hasPrefix("auth_account_events") }.map {
            "\($0.name) \(Int($0.value))"
        }
    }

    @Test func `an account is asked about, made with the claims of the answer, and its events arrive signed`()
        async throws
    {
        try await Self.run { accounts, _, receiver, loop in
            let entered = try await Self.enter(accounts, on: loop)
            #expect(entered.isNew && entered.account.customClaims?.json == #"{"role":"member"}"#)
            await accounts.events.measure(on: loop)
            #expect(Self.names(accounts).first == "auth_account_events_waiting 2")
            for _ in 0..<3 { _ = await accounts.events.pass(on: loop) }
            await accounts.events.measure(on: loop)
            #expect(
                Self.names(accounts) == [
                    "auth_account_events_waiting 0", "auth_account_events_oldest_seconds 0",
                    "auth_account_events_given_up 0",
                ])
            let received = receiver.received.withLock { $0 }
            #expect(received.map(\.head.uri) == ["/new", "/events", "/events"])
            for request in received { #expect(try Self.isSigned(request.head, request.body)) }
            let bodies = try received.map { try Self.json($0.body) }
            #expect(
                bodies.map { $0["type"]?.text?.makeString() } == [
                    "account.before_create", "account.created", "account.first_sign_in",
                ])
            #expect(bodies[0]["claims"] == .object(["hd": "example.com"]))
            #expect(bodies[0]["email"] == "ada@example.com" && bodies[0]["email_verified"] == true)
            #expect(bodies[0]["upstream_sub"] == "ada" && bodies[0]["provider"] == "p")
        }
    }

    @Test func `an event that is refused waits, and the reason is kept`() async throws {
        try await Self.run { accounts, store, receiver, loop in
            receiver.eventStatus.withLock { $0 = .internalServerError }
            _ = try await Self.enter(accounts, on: loop)
            #expect(await accounts.events.pass(on: loop) == 1)
            let waiting = try store.transact(.list) { try $0.outbox?.events(after: 0, limit: 9) ?? [] }
            #expect(waiting.map(\.attempts) == [1, 0])
            #expect(waiting.first?.detail == "the receiver of the webhook responded with 500")
        }
    }

    @Test func `answers that cannot be used, and none, make no account`() async throws {
        try await Self.run { accounts, store, receiver, loop in
            let answers = [
                "", "[]", "{}", #"{"allow": "yes"}"#, #"{"allow": false}"#,
                #"{"allow": false, "reason": "\#(String(repeating: "x", count: 201))"}"#,
                #"{"allow": true, "custom_claims": {"sub": "x"}}"#, #"{"allow": true, "custom_claims": 1}"#,
                #"{"allow": true, "more": "\#(String(repeating: "x", count: 4096))"}"#,
            ]
            for answer in answers {
                receiver.answer.withLock { $0 = answer }
                await #expect(throws: NewAccountError.self, "\(answer)") {
                    _ = try await Self.enter(accounts, on: loop)
                }
            }
            receiver.answer.withLock { $0 = #"{"allow": false, "reason": "no"}"# }
            let refusal = await #expect(throws: AccountRefusal.self) { _ = try await Self.enter(accounts, on: loop) }
            #expect(refusal?.blockingReason == "no" && store.contents.accounts.isEmpty)
            receiver.answer.withLock { $0 = #"{"allow": true, "custom_claims": null, "more": 1}"# }
            let allowed = try await Self.enter(accounts, on: loop)
            #expect(allowed.account.customClaims == nil)
        }
    }

    @Test func `handlers of an embedding server take the place of both addresses`() async throws {
        let events = Mutex<[String]>([])
        let handlers = AccountHandlers(
            event: { event in events.withLock { $0.append(event.type) } },
            newAccount: { question in
                question.claimsJSON == #"{"hd":"example.com"}"# ? .allowed(customClaims: nil) : .refused(reason: "no")
            })
        try await Self.run(handlers) { accounts, _, receiver, loop in
            let entered = try await Self.enter(accounts, on: loop)
            #expect(entered.isNew)
            for _ in 0..<2 { _ = await accounts.events.pass(on: loop) }
            #expect(events.withLock { $0 } == ["account.created", "account.first_sign_in"])
            #expect(receiver.received.withLock { $0.isEmpty })
        }
    }
}
