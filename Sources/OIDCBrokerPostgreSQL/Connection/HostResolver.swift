// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import NIOConcurrencyHelpers
    import NIOCore
    import NIOPosix
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Looks up the addresses of hosts. The system takes as long as it likes for that, so it happens on another thread,
    /// and once at a time for a name.
    final class HostResolver: Sendable {
        /// A question to the system that was not answered yet.
        private final class Question: Sendable {
            let isAnswered = ConditionLock(value: false)
            let addresses = Mutex<[String]>([])
        }

        /// Not those that many share: the caller that waits for an answer may be on one of them, and where a machine
        /// has one processor there is one. Lookups that the system does not end leave the others of this process alone.
        private static let threads: NIOThreadPool = {
            let threads = NIOThreadPool(numberOfThreads: 4)
            threads.start()
            return threads
        }()

        private let questions = Mutex<[String: Question]>([:])

        /// Returns the addresses of a host, at least one. It blocks until the deadline at most.
        /// - Throws: `unreachable`.
        func addresses(of name: String, before deadline: NIODeadline) throws(PostgreSQLStoreError) -> [String] {
            let question = asked(about: name)
            let time = max(0, (deadline - NIODeadline.now()).nanoseconds)
            guard question.isAnswered.lock(whenValue: true, timeoutSeconds: Double(time) / 1_000_000_000) else {
                throw PostgreSQLStoreError.unreachable.with("the name of the host was not looked up in time")
            }
            question.isAnswered.unlock()
            let addresses = question.addresses.withLock { $0 }
            guard !addresses.isEmpty else {
                throw PostgreSQLStoreError.unreachable.with("the name of the host has no address")
            }
            return addresses
        }

        private func asked(about name: String) -> Question {
            let (question, isNew) = questions.withLock { questions -> (Question, Bool) in
                if let question = questions[name] { return (question, false) }
                let question = Question()
                questions[name] = question
                return (question, true)
            }
            guard isNew else { return question }
            Self.threads.submit { [self] _ in
                let found = Self.lookUp(name)
                question.addresses.withLock { $0 = found }
                questions.withLock { $0[name] = nil }
                question.isAnswered.lock()
                question.isAnswered.unlock(withValue: true)
            }
            return question
        }

        /// Asks the system. It blocks.
        private static func lookUp(_ name: String) -> [String] {
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(name, nil, nil, &list) == 0 else { return [] }
            defer { freeaddrinfo(list) }
            var addresses: [String] = []
            var next = list
            while let info = next {
                next = info.pointee.ai_next
                var text = [CChar](repeating: 0, count: 1025)
                let length = socklen_t(text.count)
                guard
                    getnameinfo(
                        info.pointee.ai_addr, info.pointee.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0
                else { continue }
                let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                let address = String(decoding: bytes, as: UTF8.self)
                // There is an entry for each kind of socket.
                if !addresses.contains(address) { addresses.append(address) }
            }
            return addresses
        }
    }
#endif
