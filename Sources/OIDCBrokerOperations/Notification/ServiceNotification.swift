// SPDX-License-Identifier: Apache-2.0

public import Logging
public import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a service manager is told: systemd's protocol of sd_notify(3), without its library.
///
/// Nothing is sent unless `NOTIFY_SOCKET` names a socket. Sending never waits; what cannot be sent is lost, and the first
/// such error is logged.
public final class ServiceNotification: Sendable {
    /// The maximum length of a status, in bytes.
    static let longestStatus = 256

    /// The interval at which the service manager expects ``watchdog()``, half of its time limit; `nil` if it expects none.
    public let watchdogInterval: TimeAmount?

    private let socket: NotificationSocket?
    private let logger: Logger
    private let isFailureLogged = Atomic(false)

    /// Reads the variables of an environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    public convenience init(environment: [String: String], logger: Logger) {
        self.init(environment: environment, processID: getpid(), logger: logger)
    }

    /// Reads an environment as another process, for tests.
    init(environment: [String: String], processID: Int32, logger: Logger) {
        self.logger = logger
        let name = environment["NOTIFY_SOCKET"]
        socket = name.flatMap { NotificationSocket($0) }
        watchdogInterval = socket == nil ? nil : Self.watchdogInterval(environment, processID: processID)
        if let name, !name.isEmpty, socket == nil {
            logFailure("NOTIFY_SOCKET is neither a path nor a name in the abstract namespace")
        }
    }

    /// Whether there is a service manager to notify.
    public var isEnabled: Bool { socket != nil }

    /// The service is ready: it listens and is configured, or a reload is over.
    public func ready() { send("READY=1") }

    /// The service is ending.
    public func stopping() { send("STOPPING=1") }

    /// The service reads its configuration anew. ``ready()`` ends that, whatever came of it.
    public func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
        // The time tells the service manager that this belongs to the reload that it asked for.
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// A sentence about the state for operators. One line of it is sent: a line break would begin another variable. It
    /// must not contain secrets.
    public func status(_ text: String) { send("STATUS=\(text.oneLine(atMost: Self.longestStatus))") }

    /// The service is alive. See ``ServiceWatchdog``.
    public func watchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let socket, let error = socket.send(Array(message.utf8)) else { return }
        logFailure("the socket did not accept the message: error \(error)")
    }

    private func logFailure(_ reason: String) {
        guard !isFailureLogged.exchange(true, ordering: .relaxed) else { return }
        logger.warning(
            "cannot notify systemd; logged once only", metadata: ["auth.error": "\(reason)"])
    }

    /// Half of the time limit in `WATCHDOG_USEC`, if `WATCHDOG_PID` is this process or is not set.
    private static func watchdogInterval(_ environment: [String: String], processID: Int32) -> TimeAmount? {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let process = environment["WATCHDOG_PID"], Int32(process) != processID { return nil }
        // At most a day, so that no number overflows; at least a millisecond, so that a wrong one keeps no core busy.
        return .microseconds(min(max(microseconds / 2, 1_000), 86_400_000_000))
    }
}
