// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Testing

@testable import OIDCBrokerValkey

/// What the answers to the store mean.
struct ValkeyAnswersTests {
    private let attempt = SingleUseAttempt()
    private let outOfMemory = RESPValue.error("OOM command not allowed when used memory > 'maxmemory'.")

    @Test func `claims`() throws {
        #expect(try ValkeyAnswers.claim(.null, by: attempt) == .won)
        #expect(try ValkeyAnswers.claim(.bulk(attempt.bytes), by: attempt) == .won)
        #expect(try ValkeyAnswers.claim(.bulk(SingleUseAttempt().bytes), by: attempt) == .lost)
        #expect(try ValkeyAnswers.claim(.bulk([]), by: attempt) == .lost)
        #expect(try ValkeyAnswers.claim(outOfMemory, by: attempt) == nil)
        #expect(try ValkeyAnswers.claim(ofClaimant: .null, by: attempt) == .full)
        #expect(try ValkeyAnswers.claim(ofClaimant: .bulk(attempt.bytes), by: attempt) == .won)
        #expect(try ValkeyAnswers.claim(ofClaimant: .bulk([1]), by: attempt) == .lost)
        for answer in [RESPValue.simple("OK"), .integer(1), .error("ERR no"), .array([])] {
            #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.claim(answer, by: attempt) }
            #expect(throws: ValkeyStoreError.unexpectedAnswer) {
                try ValkeyAnswers.claim(ofClaimant: answer, by: attempt)
            }
        }
    }

    @Test func `values`() throws {
        #expect(try ValkeyAnswers.put(.simple("OK")) == .stored)
        #expect(try ValkeyAnswers.put(outOfMemory) == .full)
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.put(.null) }
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.put(.simple("QUEUED")) }
        #expect(try ValkeyAnswers.read(.null) == nil)
        #expect(try ValkeyAnswers.read(.bulk([1])) == [1])
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.read(.integer(0)) }
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.remove(.null) }
        #expect(try ValkeyAnswers.isClaimed(.integer(1)))
        #expect(try !ValkeyAnswers.isClaimed(.integer(0)))
        #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.isClaimed(.integer(2)) }
    }

    @Test func `takes`() throws {
        #expect(try ValkeyAnswers.take(.array([.integer(0)])) == .absent)
        #expect(try ValkeyAnswers.take(.array([.integer(1)])) == .taken)
        #expect(try ValkeyAnswers.take(.array([.integer(2), .bulk([7])])) == .value([7]))
        #expect(throws: ValkeyStoreError.full) { try ValkeyAnswers.take(outOfMemory) }
        let others: [RESPValue] = [
            .null, .array([]), .array([.integer(2)]), .array([.integer(2), .null]), .array([.integer(3)]),
            .array([.integer(0), .bulk([7])]), .array([.null]), .integer(0),
        ]
        for answer in others {
            #expect(throws: ValkeyStoreError.unexpectedAnswer) { try ValkeyAnswers.take(answer) }
        }
    }

    @Test func `errors of the server keep their first word only`() {
        let codes: [(text: String, error: ValkeyStoreError)] = [
            ("READONLY no", .readOnly), ("LOADING no", .loading), ("MASTERDOWN no", .notPrimary),
            ("CLUSTERDOWN no", .unreachable), ("NOPERM no", .wrongPassword), ("BUSY a script", .busy),
            ("WRONGTYPE no", .unexpectedAnswer), ("", .unexpectedAnswer), ("no", .unexpectedAnswer),
        ]
        for (text, error) in codes { #expect(ValkeyStoreError(answer: text) == error, "\(text)") }
        #expect(ValkeyStoreError(answer: "ERR of 'secret'").description == "unexpectedAnswer: the server answered ERR")
    }
}
