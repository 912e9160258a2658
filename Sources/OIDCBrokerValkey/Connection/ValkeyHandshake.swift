// SPDX-License-Identifier: Apache-2.0

/// What is asked of a server before anything is stored there, and whether its answers will do. It performs no I/O.
struct ValkeyHandshake {
    /// The oldest version that is used.
    static let oldestVersion: Int64 = 7
    /// The name of the connections, which `CLIENT LIST` shows.
    static let name = "oidc-broker"

    enum Action: Hashable {
        /// Other answers are to come, or it is decided already.
        case wait
        /// The server may be used. This is its time, in seconds since 1970.
        case accept(seconds: Int64)
        /// The server must not be used.
        case refuse(ValkeyStoreError)
    }

    enum Question: Sendable, Hashable {
        case authenticate, select, name, server, replication, memory, time
    }

    /// What is asked, in this order.
    let asked: [(question: Question, command: RESPCommand)]
    /// What to send, in this order.
    var commands: [RESPCommand] { asked.map { $0.command } }
    /// What has not been answered, the next one last.
    private var questions: [Question]
    private var isDecided = false

    /// Creates a handshake; without a password it does not authenticate.
    init(username: String?, password: String?, database: Int) {
        var asked: [(question: Question, command: RESPCommand)] = []
        if let password {
            let command =
                username.map { RESPCommand("AUTH", .text($0), .text(password)) }
                ?? RESPCommand("AUTH", .text(password))
            asked.append((.authenticate, command))
        }
        if database != 0 { asked.append((.select, RESPCommand("SELECT", .number(Int64(database))))) }
        asked.append((.name, RESPCommand("CLIENT", "SETNAME", .text(Self.name))))
        asked.append((.server, RESPCommand("INFO", "server")))
        asked.append((.replication, RESPCommand("INFO", "replication")))
        asked.append((.memory, RESPCommand("INFO", "memory")))
        asked.append((.time, RESPCommand("TIME")))
        self.asked = asked
        questions = asked.reversed().map { $0.question }
    }

    /// Takes the answer to the next command.
    mutating func answered(_ answer: RESPValue) -> Action {
        guard let question = questions.popLast(), !isDecided else { return .wait }
        do throws(ValkeyStoreError) {
            guard let seconds = try Self.examine(answer, to: question) else { return .wait }
            isDecided = true
            return .accept(seconds: seconds)
        } catch {
            isDecided = true
            return .refuse(error)
        }
    }

    /// The next command has no answer: the connection ended.
    mutating func failed(_ error: ValkeyStoreError) -> Action {
        guard !isDecided else { return .wait }
        isDecided = true
        // A connection that ends here was never of use.
        return .refuse(error == .closed ? .unreachable.with(error.detail) : error)
    }

    /// Returns the time if the answer is one.
    static func examine(_ answer: RESPValue, to question: Question) throws(ValkeyStoreError) -> Int64? {
        if case .error(let text) = answer { throw refusal(text, of: question) }
        switch question {
        case .authenticate, .select, .name:
            guard answer == .simple("OK") else { throw ValkeyStoreError(unexpected: answer) }
        case .server:
            let fields = try info(answer)
            // The keys of one script would be at different nodes.
            guard (fields["server_mode"] ?? fields["redis_mode"]) != "cluster" else { throw ValkeyStoreError.isCluster }
            let version = fields["valkey_version"] ?? fields["redis_version"] ?? ""
            let digits = version.utf8.prefix { $0 != UInt8(ascii: ".") }
            guard let major = RESPNumber.integer(digits), major >= oldestVersion else {
                throw ValkeyStoreError.wrongVersion.with(version.isEmpty ? "no version" : "version \(version)")
            }
        case .replication:
            let role = try info(answer)["role"] ?? "unknown"
            guard role == "master" else { throw ValkeyStoreError.notPrimary.with("its role is \(role)") }
        case .memory:
            let policy = try info(answer)["maxmemory_policy"] ?? "unknown"
            guard policy == "noeviction" else { throw ValkeyStoreError.evicts.with("maxmemory-policy is \(policy)") }
        case .time:
            guard case .array(let parts) = answer, case .bulk(let text)? = parts.first,
                let seconds = RESPNumber.integer(text)
            else { throw ValkeyStoreError(unexpected: answer) }
            return seconds
        }
        return nil
    }

    static func info(_ answer: RESPValue) throws(ValkeyStoreError) -> ValkeyInfo {
        guard case .bulk(let text) = answer else { throw ValkeyStoreError(unexpected: answer) }
        return ValkeyInfo(text)
    }

    private static func refusal(_ text: String, of question: Question) -> ValkeyStoreError {
        // A server without a password says that with the general word.
        if question == .authenticate, text.hasPrefix("ERR AUTH ") {
            return .wrongPassword.with("the server has no password")
        }
        return ValkeyStoreError(answer: text)
    }
}
