// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OpenIDConnect
import StoreTesting
import Synchronization
import Testing

@testable import IdentityToolkit

/// The question before an account is made, and what both kinds of apps are told.
struct NewAccountDecisionTests {
    /// What is decided, and what was asked.
    private final class Decider: Sendable {
        let decision = Mutex<NewAccountDecision?>(.allowed(customClaims: nil))
        let asked = Mutex<[NewAccountQuestion]>([])

        var asking: NewAccountDecider {
            NewAccountDecider { [self] question, loop in
                asked.withLock { $0.append(question) }
                guard let decision = decision.withLock({ $0 }) else {
                    return loop.makeFailedFuture(NewAccountError("it is away"))
                }
                return loop.makeSucceededFuture(decision)
            }
        }

        func decide(_ decision: NewAccountDecision?) { self.decision.withLock { $0 = decision } }
    }

    @Test func `who is asked knows the verified claims, and gives an account its own`() async throws {
        let decider = Decider()
        let installation = try DecisionInstallation(newAccounts: decider.asking)
        decider.decide(.allowed(customClaims: CustomClaims(json: #"{"role":"member"}"#)))
        _ = try await installation.signIn("ada", at: .acme, email: "ada@example.com")
        _ = try await installation.present(installation.credential("bob"))
        #expect(
            installation.store.model.contents.accounts.map(\.customClaims?.json) == [
                #"{"role":"member"}"#, #"{"role":"member"}"#,
            ])
        let asked = decider.asked.withLock { $0 }
        #expect(asked.map(\.app) == ["sdk", nil])
        #expect(asked.map(\.identity.key.subject) == ["ada", "bob"])
        for question in asked {
            let claims = try JSONParser.object(Array(question.claimsJSON.utf8), limits: JSONLimits(maximumBytes: 4096))
            #expect(claims["sub"]?.text?.makeString() == question.identity.key.subject)
            #expect(claims["iss"]?.text?.makeString() == DecisionInstallation.Provider.acme.issuer)
        }
    }

    @Test func `a refused one is BLOCKING_FUNCTION_ERROR_RESPONSE to an SDK, and access_denied to an app`() async throws
    {
        let decider = Decider()
        let installation = try DecisionInstallation(newAccounts: decider.asking)
        decider.decide(.refused(reason: "Only for members."))
        let sdk = try await installation.answerToSignIn("ada", at: .acme)
        #expect(sdk.status == 400)
        #expect(
            sdk.members["error"]?.objectValue?["message"]
                == "BLOCKING_FUNCTION_ERROR_RESPONSE : Only for members.")
        let app = try await installation.present(installation.credential("ada"))
        #expect(app.error == "access_denied")
        #expect(installation.store.model.contents.accounts.isEmpty)
    }

    @Test func `without a decision no new user gets in, and known users sign in`() async throws {
        let decider = Decider()
        let installation = try DecisionInstallation(newAccounts: decider.asking)
        _ = try await installation.signIn("ada", at: .acme)
        decider.decide(nil)
        let sdk = try await installation.answerToSignIn("bob", at: .acme)
        #expect(sdk.status == 503 && sdk.members.members.isEmpty)
        let app = try await installation.present(installation.credential("bob"))
        #expect(app.status == 503 && app.error == "temporarily_unavailable")
        #expect(try await installation.answerToSignIn("ada", at: .acme).status == 200)
        #expect(try await installation.present(installation.credential("ada")).status == 200)
        #expect(installation.store.model.contents.accounts.count == 1)
    }
}
