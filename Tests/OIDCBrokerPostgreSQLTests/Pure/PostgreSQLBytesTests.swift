// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SingleUse
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// What is sent, and what answers mean.
    struct PostgreSQLBytesTests {
        @Test func `numbers have the most significant byte first`() {
            #expect(PostgreSQLBytes.number(0) == [0, 0, 0, 0, 0, 0, 0, 0])
            #expect(PostgreSQLBytes.number(258) == [0, 0, 0, 0, 0, 0, 1, 2])
            #expect(PostgreSQLBytes.number(-1) == [255, 255, 255, 255, 255, 255, 255, 255])
            #expect(PostgreSQLBytes.number(Int64.max) == [127, 255, 255, 255, 255, 255, 255, 255])
        }

        @Test func `lifetimes are rounded up and have bounds`() {
            #expect(Duration.zero.lifetimeInMilliseconds == 1)
            #expect(Duration.seconds(-5).lifetimeInMilliseconds == 1)
            #expect(Duration.nanoseconds(1).lifetimeInMilliseconds == 1)
            #expect(Duration.microseconds(1001).lifetimeInMilliseconds == 2)
            #expect(Duration.seconds(60).lifetimeInMilliseconds == 60_000)
            #expect(Duration.seconds(Int64.max).lifetimeInMilliseconds == 315_360_000_000)
        }

        @Test func `a question has a parameter of each type of its statement`() {
            let (key, attempt) = (SingleUseKey.test(1), SingleUseAttempt())
            let questions: [PostgreSQLQuestion] = [
                .claim(key, attempt: attempt, lifetime: .seconds(1)), .claimant(of: key, attempt: attempt),
                .put(key, value: [], lifetime: .seconds(1)), .take(key, attempt: attempt, claimLifetime: .seconds(1)),
                .removeTaken(key), .read(key), .remove(key, ifEqual: [1]), .isClaimed(key),
            ]
            #expect(Set(questions.map(\.statement)).count == PostgreSQLStatement.allCases.count - 2)
            for question in questions {
                #expect(question.parameters.count == question.statement.parameters.count)
                #expect(question.parameters.first == key.bytes)
                for (number, _) in question.parameters.enumerated() {
                    #expect(question.statement.sql.contains("$\(number + 1)"))
                }
            }
        }

        @Test func `answers`() throws {
            let (none, yes) = (PostgreSQLRows(), PostgreSQLRows(rows: [[[1]]]))
            let no = PostgreSQLRows(rows: [[[0]]])
            #expect(try PostgreSQLAnswers.claim(.success(yes)) == .won)
            #expect(try PostgreSQLAnswers.claim(.success(none)) == .lost)
            #expect(try PostgreSQLAnswers.claim(.failure(.full)) == nil)
            #expect(try PostgreSQLAnswers.claim(ofClaimant: .success(yes)) == .won)
            #expect(try PostgreSQLAnswers.claim(ofClaimant: .success(no)) == .lost)
            #expect(try PostgreSQLAnswers.claim(ofClaimant: .success(none)) == .full)
            #expect(try PostgreSQLAnswers.put(.success(yes)) == .stored)
            #expect(try PostgreSQLAnswers.put(.failure(.full)) == .full)
            #expect(try PostgreSQLAnswers.take(.success(PostgreSQLRows(rows: [[[7], [1]]]))) == .value([7]))
            #expect(try PostgreSQLAnswers.take(.success(PostgreSQLRows(rows: [[[], [1]]]))) == .value([]))
            #expect(try PostgreSQLAnswers.take(.success(PostgreSQLRows(rows: [[nil, [1]]]))) == .taken)
            #expect(try PostgreSQLAnswers.take(.success(PostgreSQLRows(rows: [[nil, [0]]]))) == .absent)
            #expect(try PostgreSQLAnswers.read(.success(none)) == nil)
            #expect(try PostgreSQLAnswers.read(.success(PostgreSQLRows(rows: [[[]]]))) == [])
            #expect(try PostgreSQLAnswers.isClaimed(.success(yes)))
            #expect(try !PostgreSQLAnswers.isClaimed(.success(none)))
        }

        @Test func `everything else is an error`() {
            let odd = [
                PostgreSQLRows(rows: [[]]), PostgreSQLRows(rows: [[nil]]), PostgreSQLRows(rows: [[[2]]]),
                PostgreSQLRows(rows: [[[1]], [[1]]]), PostgreSQLRows(rows: [[[1], [1], [1]]]),
            ]
            for rows in odd {
                #expect(throws: PostgreSQLStoreError.unexpectedAnswer) { try PostgreSQLAnswers.claim(.success(rows)) }
                #expect(throws: PostgreSQLStoreError.unexpectedAnswer) { try PostgreSQLAnswers.take(.success(rows)) }
                #expect(throws: PostgreSQLStoreError.unexpectedAnswer) { try PostgreSQLAnswers.put(.success(rows)) }
                #expect(throws: PostgreSQLStoreError.unexpectedAnswer) { try PostgreSQLAnswers.remove(.success(rows)) }
            }
            #expect(throws: PostgreSQLStoreError.timeout) { try PostgreSQLAnswers.claim(.failure(.timeout)) }
            #expect(throws: PostgreSQLStoreError.full) { try PostgreSQLAnswers.take(.failure(.full)) }
        }
    }
#endif
