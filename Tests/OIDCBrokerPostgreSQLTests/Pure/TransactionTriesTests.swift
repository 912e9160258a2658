// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import NIOCore
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// Which failures of a transaction are followed by another try.
    struct TransactionTriesTests {
        private static func remedy(_ state: String, isCommitting: Bool = false) -> TransactionFailure.Remedy {
            TransactionFailure(PostgreSQLStoreError(sqlState: state), isCommitting: isCommitting).remedy
        }

        @Test func `failures by their SQLSTATE`() {
            for isCommitting in [false, true] {
                for state in ["40001", "40P01"] { #expect(Self.remedy(state, isCommitting: isCommitting) == .again) }
                for state in ["23505", "23503"] { #expect(Self.remedy(state, isCommitting: isCommitting) == .alone) }
                for state in ["23514", "57014", "53100", "42P01", "40003", "22021"] {
                    #expect(Self.remedy(state, isCommitting: isCommitting) == .none)
                }
            }
            // The connection ended: nothing was committed before the commit was sent, and after that it is unknown.
            for state in ["57P01", "08006", "25P03"] {
                #expect(Self.remedy(state) == .anotherConnection)
                #expect(Self.remedy(state, isCommitting: true) == .none)
            }
            for error in [PostgreSQLStoreError.timeout, .notDurable, .unexpectedAnswer] {
                #expect(TransactionFailure(error, isCommitting: true).remedy == .none)
                #expect(TransactionFailure(error, isCommitting: true).error.code == .unavailable)
            }
            #expect(TransactionFailure(.closed, isCommitting: true).remedy == .none)
            #expect(TransactionFailure(.closed, isCommitting: false).remedy == .anotherConnection)
            #expect(
                TransactionFailure(PostgreSQLStoreError(sqlState: "23514"), isCommitting: false).error.code == .conflict
            )
        }

        @Test func `there are five tries, the last two of them alone, with longer and longer pauses between`() {
            for _ in 0..<100 {
                var tries = TransactionTries()
                #expect(tries.exclusion == .nothing)
                for failures in 1...4 {
                    guard let pause = tries.pause(after: .again) else {
                        Issue.record("no further try after \(failures)")
                        return
                    }
                    #expect(pause >= .milliseconds(1))
                    #expect(pause <= TransactionTries.longestPause(after: failures))
                    #expect(tries.exclusion == (failures < 3 ? .sameRecords : .everything))
                }
                #expect(tries.pause(after: .again) == nil)
            }
            #expect(
                (1...4).map { TransactionTries.longestPause(after: $0) }
                    == [.milliseconds(10), .milliseconds(20), .milliseconds(40), .milliseconds(80)])
        }

        @Test func `a constraint is tried again until it was alone, and a lost connection takes no turn`() {
            var tries = TransactionTries()
            #expect(tries.pause(after: .none) == nil)
            tries = TransactionTries()
            for _ in 1...3 { #expect(tries.pause(after: .alone) != nil) }
            #expect(tries.exclusion == .everything)
            #expect(tries.pause(after: .alone) == nil)
            tries = TransactionTries()
            for _ in 1...3 {
                #expect(tries.pause(after: .anotherConnection) != nil)
                #expect(tries.exclusion == .nothing)
            }
            // The last one cannot starve, whatever the others failed by.
            #expect(tries.pause(after: .again) != nil)
            #expect(tries.exclusion == .everything)
        }

        @Test func `the locks are those of the records, in one order, and of a few only`() {
            func keys(_ questions: [AccountQuestion]) -> [Int64] {
                var locks = RecordLocks()
                for question in questions { locks.note(question) }
                return locks.keys
            }
            let (ada, grace) = (
                AccountQuestion(.account, [.text("a")]), AccountQuestion(.updateAccount, [.text("b"), .number(9)])
            )
            #expect(keys([ada, grace]).count == 2)
            #expect(keys([ada, grace]) == keys([grace, ada, AccountQuestion(.sessions, [.text("a")])]))
            #expect(keys([AccountQuestion(.accountOfEmail, [.text("a")])]) != keys([ada]))
            #expect(
                keys([AccountQuestion(.identity, [.bytes([1]), .bytes([2])])])
                    != keys([AccountQuestion(.identity, [.bytes([1]), .bytes([3])])]))
            #expect(keys([AccountQuestion(.commit), AccountQuestion(.session, [.bytes([1])])]).isEmpty)
            let many = (0...UInt8(RecordLocks.limit)).map { AccountQuestion(.account, [.bytes([$0])]) }
            #expect(keys(many.dropLast()).count == RecordLocks.limit)
            #expect(keys(many).isEmpty)
        }

        @Test func `a number of rows is that of the command`() {
            for (command, count) in [("DELETE 3", 3), ("INSERT 0 1", 1), ("UPDATE 0", 0), ("COMMIT", 0), ("", 0)] {
                #expect(PostgreSQLRows(command: command).count == count)
            }
        }

        @Test func `each statement has its parameters`() {
            #expect(Set(PreparedAccountStatement.all.map(\.name)).count == PreparedAccountStatement.all.count)
            for statement in PreparedAccountStatement.all {
                for number in statement.parameters.indices {
                    #expect(statement.sql.contains("$\(number + 1)"), "\(statement)")
                }
                #expect(!statement.sql.contains("$\(statement.parameters.count + 1)"), "\(statement)")
            }
        }

        @Test func `numbers and Booleans come back`() {
            for number in [Int64.min, -1, 0, 1, 258, .max] {
                #expect(PostgreSQLBytes.number(PostgreSQLBytes.number(number)) == number)
            }
            #expect(PostgreSQLBytes.number([0, 0, 0, 1]) == nil)
            for value in [true, false] { #expect(PostgreSQLBytes.boolean(PostgreSQLBytes.boolean(value)) == value) }
        }

        @Test func `a column that is not what is expected is an error`() {
            let columns = PostgreSQLColumns([nil, [0xFF], [1, 2], [2]])
            #expect(throws: AccountStoreError.unreadable) { try columns.bytes(0) }
            #expect(throws: AccountStoreError.unreadable) { try columns.bytes(4) }
            #expect(throws: AccountStoreError.unreadable) { try columns.bytesIfAny(-1) }
            #expect(throws: AccountStoreError.unreadable) { try columns.text(1) }
            #expect(throws: AccountStoreError.unreadable) { try columns.number(2) }
            #expect(throws: AccountStoreError.unreadable) { try columns.boolean(3) }
            #expect(throws: AccountStoreError.unreadable) { try columns.emailIfAny(2) }
        }
    }
#endif
