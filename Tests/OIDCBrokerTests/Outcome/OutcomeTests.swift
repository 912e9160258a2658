// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import Logging
import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// The outcomes of a callback.
struct OutcomeTests {
    private static let refusal = ProviderError(code: "a-code-of-the-provider", description: "a description")
    private static let failure = RelyingPartyError.unusable(.token, "a reason")

    /// Every outcome once.
    private static let all: [Outcome] = [
        .signedIn, .continuing, .reposting, .readingFragment, .cancelled, .refused(refusal),
        .providerUnavailable(failure),
        .failed(failure), .sharedCallbackPath, .notNavigation, .prefetch, .unreadable("a reason"), .reservedForFirebase,
        .unknownState, .expired, .otherBrowser, .duplicateCookie, .alreadyFinished, .changed, .misdirected(),
        .storeUnavailable, .tooManyHandOffs, .tooManyOfProvider,
        .tooManyFromAddress(ClientExcess(.claims, retryAfter: 1)), .tooManyCallbacks,
        .missingOrInvalidNonce, .repeatedCredential, .accountRefused, .accountNeedsInteraction,
        .accountsUnavailable("a reason"), .requirementNotMet("a reason"), .unusableClaims("a reason"), .missingAuthTime,
    ]

    @Test func `each has a label of its own, lower case, with nothing in it that came from outside`() {
        let labels = Self.all.map(\.label)
        #expect(Set(labels).count == Self.all.count)
        for label in labels {
            #expect(label.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }, "\(label)")
            #expect(!label.contains("code"))
            #expect(!label.contains("reason"))
        }
    }

    @Test(
        arguments: [
            (RelyingPartyError.Step.discovery, "discovery"), (.authorization, "authorization"), (.token, "token"),
            (.keySet, "key_set"), (.idToken, "id_token"), (.userInfo, "user_info"),
            (.pushedAuthorization, "pushed_authorization"),
        ])
    func `a step that failed is in the label, and what it found in the detail`(
        step: RelyingPartyError.Step, name: String
    ) {
        let outcome = Outcome.failed(.unusable(step, "a reason"))
        #expect(outcome.label == "failed_" + name)
        #expect(outcome.detail == name + ": a reason")
    }

    @Test func `a check of the ID token that failed is named, with the expected and the found value`() {
        let finding = IDTokenFinding(check: "nonce", wanted: "the one that was sent", found: "another")
        let outcome = Outcome.failed(.finding(finding))
        #expect(outcome.label == "failed_id_token")
        #expect(outcome.detail == "id_token: nonce: expected the one that was sent, found another")
    }

    @Test func `the log has a sentence for each, of printable ASCII, with nothing in it that came from outside`() {
        let messages = Self.all.map { "\($0.message(of: "sign-in"))" }
        #expect(Set(messages).count == Self.all.count)
        for (outcome, message) in zip(Self.all, messages) {
            #expect(message.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }, "\(message)")
            #expect(!message.contains("a-code-of-the-provider") && !message.contains("a reason"))
            let isFailure = outcome.logLevel != .debug && outcome != .signedIn && outcome != .prefetch
            #expect(message.hasPrefix("sign-in failed: ") == isFailure, "\(message)")
        }
    }

    @Test(
        arguments: [
            (Outcome.signedIn, "sign-in succeeded"), (.cancelled, "sign-in failed: canceled by the user"),
            (.otherBrowser, "sign-in failed: login cookie missing"),
            (.unknownState, "sign-in failed: state was not issued by this server"),
            (.failed(.unusable(.idToken, "a reason")), "sign-in failed: invalid ID token"),
            (.storeUnavailable, "sign-in failed: the single-use store is full or unavailable"),
        ] as [(Outcome, String)])
    func `the sentences say the cause`(outcome: Outcome, message: String) {
        #expect("\(outcome.message(of: "sign-in"))" == message)
    }

    @Test func `a success names the lines that were left out`() {
        #expect(
            "\(Outcome.signedIn.message(of: "native sign-in", leftOut: 7))" == "native sign-in succeeded; 7 left out")
    }

    @Test func `a page has a title, says what to do, and is a 4xx, 501 or 503`() {
        for outcome in Self.all {
            let page = outcome.page(Pages(), reference: nil, link: nil)
            let status = page.status.code
            #expect((400..<500).contains(status) || status == 501 || status == 503, "\(outcome.label)")
            #expect(page.html.contains("<h1"))
            #expect(!page.html.contains("a-code-of-the-provider"))
            #expect(!page.html.contains("a reason"))
        }
        let unavailable = Outcome.providerUnavailable(Self.failure).page(Pages(), reference: nil, link: nil)
        #expect(unavailable.status.code == 503)
    }

    @Test func `what an app is told is a registered error, and nothing of the provider's own text`() {
        let registered: Set<String> = [
            "access_denied", "login_required", "interaction_required", "consent_required",
            "account_selection_required", "temporarily_unavailable", "server_error",
        ]
        for outcome in Self.all {
            guard let error = outcome.error else { continue }
            #expect(registered.contains(error.code))
            #expect(!error.errorDescription.contains("a description"))
            // RFC 6749 section 4.1.2.1: %x20-21, %x23-5B, %x5D-7E.
            #expect(error.errorDescription.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        }
    }

    @Test func `who is told what is decided before the app is known to match, by a page`() {
        let pages: [Outcome] = [
            .notNavigation, .prefetch, .unreadable(""), .reservedForFirebase, .unknownState, .expired, .otherBrowser,
            .duplicateCookie, .alreadyFinished, .changed, .misdirected(), .missingOrInvalidNonce, .repeatedCredential,
        ]
        for outcome in pages { #expect(outcome.error == nil, "\(outcome.label)") }
    }

    @Test func `every line but of a step that waits for the user is bounded in the log`() {
        for outcome in Self.all {
            switch outcome {
            case .continuing: #expect(outcome.repeatableLine == nil)
            default: #expect(outcome.repeatableLine != nil, "\(outcome.label)")
            }
        }
    }

    @Test func `a request that the provider refuses is a warning with its words, and what concerns the user is not`() {
        for (code, level) in [("invalid_request", Logger.Level.warning), ("login_required", .info)] {
            let error = ProviderError(code: WireText(code), description: nil)
            let failure = RelyingPartyError.provider(.authorization, error)
            let outcome = Outcome(of: error, failure)
            #expect(outcome.logLevel == level)
            #expect(outcome.detail == failure.description)
            #expect(Outcome(of: error).logLevel == .info)
        }
    }

    @Test func `a step is debug, a success and what a user met is info, what an operator should see is a warning`() {
        for outcome in Self.all {
            switch outcome {
            case .providerUnavailable, .failed, .sharedCallbackPath, .storeUnavailable, .tooManyOfProvider,
                .tooManyCallbacks, .accountsUnavailable, .unusableClaims:
                #expect(outcome.logLevel == .warning)
            case .continuing, .reposting, .readingFragment:
                #expect(outcome.logLevel == .debug)
            default:
                #expect(outcome.logLevel == .info)
            }
        }
    }
}
