// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Shows how far an import is: in one line of a terminal, or a line every ten seconds.
    struct ImportProgress {
        private let byteCount: Int
        private let isTerminal: Bool
        private let begin: NIODeadline
        private var shown: NIODeadline

        init(byteCount: Int) {
            self.byteCount = byteCount
            isTerminal = isatty(STDERR_FILENO) == 1
            begin = .now()
            shown = begin
        }

        mutating func show(users: Int, bytes: Int) {
            let now = NIODeadline.now()
            guard now - shown >= (isTerminal ? .milliseconds(200) : .seconds(10)) else { return }
            shown = now
            let line = Self.line(
                users: users, bytes: bytes, of: byteCount, seconds: Double((now - begin).nanoseconds) / 1e9)
            // The line of before is replaced.
            StandardError.write(line, terminator: isTerminal ? "\u{1B}[K\r" : "\n")
        }

        func end() {
            if isTerminal, shown > begin { StandardError.write("") }
        }

        /// A bar, the number of users, the rate and the time left.
        static func line(users: Int, bytes: Int, of byteCount: Int, seconds: Double) -> String {
            let part = byteCount > 0 ? min(1, max(0, Double(bytes) / Double(byteCount))) : 0
            let filled = Int(part * 20)
            let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
            let rate = seconds > 0 ? Int(Double(users) / seconds) : 0
            let left = part > 0 && seconds > 0 ? "\(Int(seconds / part - seconds)) s left" : "- left"
            return "[\(bar)] \(Int(part * 100)) %, \(users) users, \(rate) a second, \(left)"
        }
    }
#endif
