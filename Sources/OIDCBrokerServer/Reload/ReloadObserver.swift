// SPDX-License-Identifier: Apache-2.0

/// What is told of reloads of the configuration.
public struct ReloadObserver: Sendable {
    /// Called before the configuration is read anew, whether or not it has changed.
    public var willRead: @Sendable () -> Void
    /// Called when that is over, whatever came of it.
    public var didRead: @Sendable () -> Void
    /// Called with a configuration that is in use from now on and behaves differently from the one before.
    public var didApply: @Sendable (LoadedConfiguration) -> Void
    /// Called with each configuration that was read and is valid, also if it behaves as the one before, and after
    /// ``didApply`` if it does not.
    public var didUse: @Sendable (LoadedConfiguration) -> Void
    /// Called when a configuration was refused, with the number of its errors.
    public var didRefuse: @Sendable (Int) -> Void

    /// Creates an observer.
    public init(
        willRead: @escaping @Sendable () -> Void = {}, didRead: @escaping @Sendable () -> Void = {},
        didApply: @escaping @Sendable (LoadedConfiguration) -> Void = { _ in },
        didUse: @escaping @Sendable (LoadedConfiguration) -> Void = { _ in },
        didRefuse: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.willRead = willRead
        self.didRead = didRead
        self.didApply = didApply
        self.didUse = didUse
        self.didRefuse = didRefuse
    }
}
