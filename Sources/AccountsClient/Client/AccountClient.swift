// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The accounts of a server, as an app uses them: it signs a user in, keeps the session, and refreshes its tokens.
///
/// Make one for a server and keep it as long as the app runs. The calls are those of Firebase's SDK for Apple's
/// systems, by their names; a signed-in user stays so until ``signOut()``, ``delete()``, or until the server
/// says that the session has ended. No other error signs a user out.
///
/// What changes the account or the session is done one after the other, in the order of the calls: ``signIn(with:)``,
/// ``link(with:)``, ``reauthenticate(with:)``, ``updateProfile(displayName:photoURL:)``, ``unlink(providerID:)`` and
/// ``delete()``. ``signOut()`` does not wait for them, and those in progress no longer sign a user in.
///
/// All errors are ``AccountsError``, or `CancellationError` where the task was canceled.
public actor AccountClient {
    let server: AccountServer
    let storage: any SessionStorage
    let now: @Sendable () -> Date

    /// The session, and what follows for it.
    var state = SessionState()
    /// The last write to the storage.
    var lastWrite: Task<Void, any Error>?
    /// The refreshes of the ID token.
    var refreshes = Refreshes<Task<RefreshOutcome, any Error>>()
    /// The turns of those who change the account or the session.
    var turns = Turns<CheckedContinuation<Void, any Error>>()
    /// Those who follow who is signed in.
    var subscribers = UserSubscribers()

    /// Creates a client. Nothing is read or sent yet.
    ///
    /// - Parameters:
    ///   - server: The public URL of the server: scheme, host and port. It is https; http is accepted for `localhost`,
    ///     `127.0.0.1` and `[::1]`.
    ///   - apiKey: The API key of the app at the server, which is public.
    ///   - appID: The `google-app-id` or the `oauth-client-id` of the app at the server, for ``OAuthProvider``; `nil` if
    ///     the app does not use it.
    ///   - storage: Where the session is kept.
    ///   - configuration: The configuration of the `URLSession` that the client makes for itself, since it follows no
    ///     redirect and takes no response of more than 1 MiB. Cookies, caches and stored credentials are not used, and
    ///     an exchange takes at most 30 seconds, whatever it says.
    /// - Throws: ``AccountsError`` if the URL, the key or the ID cannot be used.
    public init(
        server: URL, apiKey: String, appID: String? = nil, storage: any SessionStorage,
        configuration: URLSessionConfiguration = .ephemeral
    ) throws {
        self.server = try AccountServer(
            url: server, apiKey: apiKey, bundleID: Bundle.main.bundleIdentifier, appID: appID,
            exchange: URLSessionExchange(configuration: configuration))
        self.storage = storage
        now = { Date() }
    }

    /// Creates a client with another way to the server and another clock, for tests.
    init(server: AccountServer, storage: any SessionStorage, now: @escaping @Sendable () -> Date) {
        self.server = server
        self.storage = storage
        self.now = now
    }

    deinit {
        subscribers.finish()
    }

    // MARK: The user

    /// The signed-in user; `nil` if none is. The server is not asked.
    ///
    /// - Throws: ``AccountsError`` of ``AccountsError/Code/storageFailed`` if the session cannot be read now.
    public var currentUser: User? {
        get async throws {
            try await load()
            return state.held?.user
        }
    }

    /// The signed-in user, now and after each change; `nil` while none is. A sign-in is a change once it is
    /// stored.
    ///
    /// Each access creates a sequence of its own, which ends with the client. A slow consumer skips intermediate values
    /// and gets the latest one. While the session cannot be read from the storage, the sequence has no value.
    public nonisolated var users: AsyncStream<User?> {
        AsyncStream(User?.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            continuation.onTermination = { [weak self] _ in
                Task { [weak self] in await self?.unsubscribe(id) }
            }
            Task { [weak self] in
                guard let self else { return continuation.finish() }
                await self.subscribe(continuation, id)
            }
        }
    }

    private func subscribe(_ continuation: AsyncStream<User?>.Continuation, _ id: UUID) async {
        subscribers.add(continuation, id)
        // It publishes what it has read.
        if !state.isLoaded { try? await load() }
    }

    private func unsubscribe(_ id: UUID) {
        subscribers.remove(id)
    }
}
