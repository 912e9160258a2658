// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import SingleUse
import Synchronization
import Testing
import TestingSupport

@testable import IdentityToolkit

/// Tickets that are not redeemed.
struct TicketRefusalTests {
    private static let refused = "INVALID_IDP_RESPONSE"

    @Test func `a ticket signs in once`() async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket()
        #expect(try await scene.redeem(ticket).status == 200)
        for _ in 0..<2 {
            let again = try await scene.redeem(ticket)
            #expect(again.status == 400)
            #expect(again.members.message?.hasPrefix("INVALID_IDP_RESPONSE : The ticket was used before.") == true)
            #expect(again.members["pendingToken"] == nil)
        }
    }

    /// How often which code came of fifty redemptions at once.
    private static func codes(ofFiftyRedeeming ticket: SignInTicket, in scene: TicketScene) async throws -> [String:
        Int]
    {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { TicketScene.code(try await scene.redeem(ticket)) }
            }
            var codes: [String: Int] = [:]
            for try await code in group { codes[code, default: 0] += 1 }
            return codes
        }
    }

    @Test func `of fifty redemptions at once one wins`() async throws {
        let scene = try TicketScene()
        for _ in 0..<10 {
            let ticket = try await scene.ticket()
            let codes = try await Self.codes(ofFiftyRedeeming: ticket, in: scene)
            #expect(codes == ["200": 1, Self.refused: 49])
        }
    }

    @Test func `a ticket lives five minutes`() async throws {
        let scene = try TicketScene()
        let (kept, late) = (try await scene.ticket(), try await scene.ticket(of: "bea"))
        scene.installation.clock.advance(by: 299)
        #expect(try await scene.redeem(kept).status == 200)
        scene.installation.clock.advance(by: 2)
        #expect(TicketScene.code(try await scene.redeem(late)) == Self.refused)
    }

    @Test func `what was verified half an hour ago is not used any longer, as a pending credential is not`()
        async throws
    {
        let scene = try TicketScene()
        #expect(try await scene.redeem(try await scene.ticket(age: 1799)).status == 200)
        #expect(TicketScene.code(try await scene.redeem(try await scene.ticket(age: 1800))) == Self.refused)
    }

    @Test(arguments: [nil, "", "another", "session-of-the-page\0", "SESSION-OF-THE-PAGE"] as [String?])
    func `a foreign ticket signs no user in`(session: String?) async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket()
        let answer = try await scene.redeem(ticket, session: session.map { WireText($0) })
        #expect(answer.status == 400)
        #expect(TicketScene.code(answer) == Self.refused)
        #expect(answer.members.message?.contains(" : ") == true)
        // It is still its owner's, who has no other.
        #expect(try await scene.redeem(ticket).status == 200)
        #expect(TicketScene.code(try await scene.redeem(ticket)) == Self.refused)
    }

    @Test func `fifty redemptions with other sessions at once leave the ticket to its owner`() async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket()
        try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask {
                    TicketScene.code(try await scene.redeem(ticket, session: WireText("another-\(number)")))
                }
            }
            for try await code in group { #expect(code == Self.refused) }
        }
        #expect(try await scene.redeem(ticket).status == 200)
    }

    @Test func `of fifty that have read the ticket before any takes it one wins`() async throws {
        let gathering = Gathering(of: 50)
        let scene = try TicketScene { options in
            options.interposing = { store in
                FaultyStore(store) { $0.operation == .read ? .answersAfter(gathering.join) : .answers }
            }
        }
        let ticket = try await scene.ticket()
        let codes = try await Self.codes(ofFiftyRedeeming: ticket, in: scene)
        #expect(codes == ["200": 1, Self.refused: 49])
        // Only the one that took it was a sign-in of the person: there may be thirty in a minute.
        #expect(try await scene.installation.signIn(scene.installation.token("ada")).status == 200)
    }

    @Test func `another record than the one that was read signs no user in`() async throws {
        let scene = try TicketScene { options in
            options.interposing = { store in
                FaultyStore(store) { call in
                    guard call.operation == .read else { return .answers }
                    return .answersAfter { loop in
                        store.put(call.key, value: [1, 2, 3], owner: nil, lifetime: .seconds(300), on: loop).map { _ in
                        }
                    }
                }
            }
        }
        let answer = try await scene.redeem(try await scene.ticket())
        #expect(TicketScene.code(answer) == Self.refused)
    }

    @Test func `the hash of the session is not the session`() async throws {
        let scene = try TicketScene()
        let digest = WireText(HandlerQueries.iosDigest)
        let ticket = try await scene.ticket(
            .signInWithRedirect, for: .ios, boundTo: SessionBinding(startedWith: digest))
        let answer = try await scene.send(TicketScene.request(ticket, .ios, session: digest), as: .ios)
        #expect(TicketScene.code(answer) == Self.refused)
    }

    @Test func `a ticket of another app is none`() async throws {
        let scene = try TicketScene()
        for (owner, other) in [(ToolkitWireClient.javaScript, ToolkitWireClient.ios), (.ios, .android)] {
            let ticket = try await scene.ticket(.signInWithRedirect, for: owner)
            let answer = try await scene.send(TicketScene.request(ticket, other), as: other)
            #expect(TicketScene.code(answer) == Self.refused)
            let own = try await scene.send(TicketScene.request(ticket, owner), as: owner)
            #expect(own.status == 200, "\(own.members.message ?? "")")
        }
    }

    @Test func `a ticket that was never issued, and one of another form, are none`() async throws {
        let scene = try TicketScene()
        var request = TicketScene.request(SignInTicket())
        #expect(TicketScene.code(try await scene.send(request)) == Self.refused)
        let text = try await scene.ticket().text
        for query in [
            "", "?", "?ticket=", "?ticket=\(text)&ticket=\(text)", "?ticket=\(text)A", "?ticket=\(text.dropLast())",
            "?code=\(text)", "?Ticket=\(text)", "?ticket=%zz",
        ] {
            request["requestUri"] = .string(TicketScene.handler + query)
            #expect(TicketScene.code(try await scene.send(request)) == Self.refused, "\(query)")
        }
        request["requestUri"] = .string("\(TicketScene.handler)?ticket=\(text)")
        #expect(try await scene.send(request).status == 200)
    }

    @Test func `another provider than that of the ticket is refused`() async throws {
        let scene = try TicketScene()
        let ticket = try await scene.ticket(.signInWithRedirect, for: .ios, at: "oidc.bold")
        // The request names oidc.acme.
        var request = TicketScene.request(ticket, .ios)
        #expect(TicketScene.code(try await scene.send(request, as: .ios)) == Self.refused)
        request["postBody"] = "providerId=oidc.bold"
        #expect(try await scene.send(request, as: .ios).status == 200)
    }

    @Test(arguments: AuthType.allCases) func `what a ticket was not issued for uses nothing up`(
        authType: AuthType
    ) async throws {
        guard authType.purpose != .any else { return }
        let scene = try TicketScene()
        let (_, bea) = try await scene.installation.signIn(scene.installation.token("bea"))
        let idToken = try #require(bea.string("idToken"))
        let isLink = authType.purpose == .link
        // An account to sign in to again.
        _ = try await scene.redeem(try await scene.ticket(of: isLink ? "cleo" : "ada", at: "oidc.bold"))
        let ticket = try await scene.ticket(authType, at: "oidc.bold")
        let wrong = try await scene.redeem(ticket, idToken: isLink ? nil : idToken)
        #expect(TicketScene.code(wrong) == Self.refused)
        let right = try await scene.redeem(ticket, idToken: isLink ? idToken : nil)
        #expect(right.status == 200, "\(right.members.message ?? "")")
    }

    @Test func `a provider that the app may not use any longer signs no user in`() async throws {
        let scene = try TicketScene { options in
            options.apps = [
                SDKApp(name: "ios", kind: .ios, apiKey: ToolkitWireClient.ios.apiKey, providers: ["bold"])
            ]
        }
        let ticket = try await scene.ticket(.signInWithRedirect, for: .ios)
        let answer = try await scene.send(TicketScene.request(ticket, .ios), as: .ios)
        #expect(TicketScene.code(answer) == "OPERATION_NOT_ALLOWED")
    }

    @Test func `a user who signs in too often is told to wait, and no ticket says more`() async throws {
        let limiter = SwitchedLimiter()
        let scene = try TicketScene { $0.limiter = limiter }
        let ticket = try await scene.ticket()
        limiter.refuse { if case .signIn = $0 { true } else { false } }
        #expect(TicketScene.code(try await scene.redeem(ticket)) == "TOO_MANY_ATTEMPTS_TRY_LATER")
        // After the wait the same ticket is still good.
        limiter.refuse { _ in false }
        #expect(try await scene.redeem(ticket).status == 200)
    }

    @Test func `where a new account is not decided about, or refused, the ticket is still good`() async throws {
        let decisions = Mutex<[NewAccountDecision?]>([
            nil, .refused(reason: "Only for members."), .allowed(customClaims: nil),
        ])
        let decider = NewAccountDecider { _, loop in
            guard let decision = decisions.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return loop.makeFailedFuture(NewAccountError("it is away"))
            }
            return loop.makeSucceededFuture(decision)
        }
        let scene = try TicketScene { $0.newAccounts = decider }
        let ticket = try await scene.ticket()
        for code in ["503", "BLOCKING_FUNCTION_ERROR_RESPONSE", "200", Self.refused] {
            #expect(TicketScene.code(try await scene.redeem(ticket)) == code)
        }
        // No server is asked about a known user.
        #expect(try await scene.redeem(try await scene.ticket()).status == 200)
    }

    @Test func `a ticket that is still good asks about a new account thirty times in a minute at most`() async throws {
        let asked = Mutex(0)
        let decider = NewAccountDecider { _, loop in
            asked.withLock { $0 += 1 }
            return loop.makeFailedFuture(NewAccountError("it is away"))
        }
        let scene = try TicketScene { $0.newAccounts = decider }
        let ticket = try await scene.ticket()
        for _ in 0..<30 { #expect(try await scene.redeem(ticket).status == 503) }
        #expect(TicketScene.code(try await scene.redeem(ticket)) == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(asked.withLock { $0 } == 30)
    }
}
