// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && canImport(Testing)
    package import Accounts
    import Foundation
    import FuzzingSupport
    import Glibc
    package import NIOCore
    import NIOPosix
    package import StoreTesting
    import Synchronization
    import Testing

    /// Takes users through four stages, notes each answer, and kills its own process in the midst of it.
    package struct KilledAccountWriter: Sendable {
        private static let now: Int64 = 1_790_000_000
        private static let operations = AccountOperations(policy: AccountPolicy())
        private let folder: String
        private let round: Int

        /// - Parameters:
        ///   - folder: Where the answers are noted, in the file `answers`.
        ///   - round: What decides when it ends.
        package init(folder: String, round: Int) {
            self.folder = folder
            self.round = round
        }

        /// Writes until the process is killed.
        package func run(_ store: any AccountStore) async throws {
            let descriptor = open(folder + "/answers", O_CREAT | O_WRONLY | O_APPEND, 0o600)
            var random = SeededRandom(seed: UInt64(round))
            let (last, spins) = (30 + random.below(300), random.below(400_000))
            let answers = AnswerCounter()
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in 0... {
                            let person = worker + 8 * number
                            for stage in 1...4 {
                                _ = try await Self.write(stage, person: person, to: store, on: loop)
                                let line = "\(person) \(stage)\n"
                                _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
                                guard answers.next() == last else { continue }
                                // Others go on writing meanwhile, and are anywhere when this is over.
                                var spun: UInt64 = 0
                                for spin in 0..<spins { spun = spun &* 31 &+ UInt64(spin) }
                                kill(getpid(), SIGKILL)
                                withExtendedLifetime(spun) {}
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// The last stage of each user that was answered.
        package static func answers(in folder: String) throws -> [Int: Int] {
            var answered: [Int: Int] = [:]
            for line in try String(contentsOfFile: folder + "/answers", encoding: .utf8).split(separator: "\n") {
                let numbers = line.split(separator: " ").compactMap { Int($0) }
                answered[numbers[0]] = numbers[1]
            }
            return answered
        }

        /// Checks what is there after the process was killed.
        package static func check(_ contents: AccountStoreContents, answered: [Int: Int]) {
            #expect(contents.violations(under: AccountPolicy()).isEmpty)
            #expect(!answered.isEmpty)
            for (person, stage) in answered {
                let found = Self.stage(of: person, in: contents)
                // What was under way may have been committed without an answer.
                #expect(found == stage || found == stage + 1, "person \(person): answered \(stage), found \(found)")
            }
        }

        private static func identity(_ person: Int, _ provider: String) -> VerifiedIdentity {
            VerifiedIdentity(
                IdentityKey(issuer: "https://\(provider)", subject: "person-\(person)"), providerID: provider,
                email: EmailAddress("person-\(person)@example.com"), isEmailProved: true)
        }

        private static func session(_ person: Int) -> NewSession {
            NewSession(id: AccountStep.session(person), secretHash: AccountStep.secretHash(person))
        }

        /// One stage: an account, a second identity, without the first one, and gone.
        package static func write(
            _ stage: Int, person: Int, to store: any AccountStore, on loop: any EventLoop
        ) async throws -> Bool {
            try await store.transact(.write, on: loop) { transaction in
                let account = AccountID("account-\(person)") ?? AccountID()
                let asking = AuthenticatedSession(AccountStep.session(person), of: account)
                switch stage {
                case 1:
                    _ = try operations.signIn(
                        SignInRequest(identity(person, "p"), authTime: now, newAccount: account),
                        session: session(person),
                        in: transaction, now: now)
                case 2:
                    _ = try operations.link(
                        LinkRequest(identity(person, "q"), asking: asking),
                        session: NewSession(RefreshToken(session: AccountSession.ID())),
                        in: transaction, now: now)
                case 3: _ = try operations.unlink(providerID: "p", asking: asking, in: transaction, now: now)
                default: try operations.delete(asking: asking, in: transaction, now: now)
                }
                return true
            }.get()
        }

        /// The stage at which a user is; 4 as well for one who never came.
        package static func stage(of person: Int, in contents: AccountStoreContents) -> Int {
            let own = contents.identities.filter { $0.account.text == "account-\(person)" }.map(\.verified.providerID)
            return switch own {
            case ["p"]: 1
            case ["p", "q"]: 2
            case ["q"]: 3
            default: 4
            }
        }
    }

    private final class AnswerCounter: Sendable {
        private let count = Atomic(0)

        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }
#endif
