// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import Testing

/// The caches around their state machines: the promises that are completed, and the number of fetches.
@Suite struct CacheTests {
    /// Fetches that a test ends when it likes.
    private final class Fetches<Value: Sendable>: Sendable {
        private let promises = Mutex<[EventLoopPromise<Value>]>([])

        var count: Int { promises.withLock { $0.count } }

        func begin(on eventLoop: any EventLoop) -> Eventual<Value> {
            let promise = eventLoop.makePromise(of: Value.self)
            promises.withLock { $0.append(promise) }
            return .future(promise.futureResult)
        }

        func end(_ result: Result<Value, any Error>) {
            promises.withLock { $0.last }?.completeWith(result)
        }
    }

    @Test func `two lookups of metadata are one fetch and two results`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = MetadataCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<ProviderMetadata>>()
        let first = cache.metadata(on: loop) { fetches.begin(on: $0) }
        let second = cache.metadata(on: loop) { fetches.begin(on: $0) }
        #expect(fetches.count == 1)
        fetches.end(.success(FetchedDocument(try metadata("https://issuer.example"))))
        #expect(try first.wait().issuer == "https://issuer.example")
        #expect(try second.wait().issuer == "https://issuer.example")
        let third = cache.metadata(on: loop) { fetches.begin(on: $0) }
        #expect(try third.wait().issuer == "https://issuer.example")
        #expect(fetches.count == 1)
    }

    @Test func `a failed fetch of metadata fails all waiting lookups, and a later one succeeds`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = MetadataCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<ProviderMetadata>>()
        let down = RelyingPartyError.status(.discovery, 503)
        let first = cache.metadata(on: loop) { fetches.begin(on: $0) }
        fetches.end(.failure(down))
        #expect(throws: down) { try first.wait() }
        #expect(throws: down) { try cache.metadata(on: loop) { fetches.begin(on: $0) }.wait() }
        #expect(fetches.count == 1)
        clock.advance(by: 2)
        let second = cache.metadata(on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try metadata("https://issuer.example"))))
        #expect(try second.wait().issuer == "https://issuer.example")
        #expect(fetches.count == 2)
    }

    @Test func `a background refresh of metadata delays no lookup and is used when it ends`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = MetadataCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<ProviderMetadata>>()
        let first = cache.metadata(on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try metadata("https://old.example"))))
        _ = try first.wait()
        clock.advance(by: 2880)
        let during = cache.metadata(on: loop) { fetches.begin(on: $0) }
        #expect(fetches.count == 2)
        #expect(try during.wait().issuer == "https://old.example")
        fetches.end(.success(FetchedDocument(try metadata("https://new.example"))))
        let after = cache.metadata(on: loop) { fetches.begin(on: $0) }
        #expect(try after.wait().issuer == "https://new.example")
        #expect(fetches.count == 2)
    }

    @Test func `a missing key is fetched once, and all lookups that missed it get it`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = KeySetCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<KeySet>>()
        let first = cache.keySet(containing: "a", on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try keySet("a"))))
        #expect(try first.wait().contains(keyID: "a"))
        let second = cache.keySet(containing: "b", on: loop) { fetches.begin(on: $0) }
        let third = cache.keySet(containing: "b", on: loop) { fetches.begin(on: $0) }
        #expect(fetches.count == 2)
        fetches.end(.success(FetchedDocument(try keySet("b"))))
        #expect(try second.wait().contains(keyID: "b"))
        #expect(try third.wait().contains(keyID: "b"))
    }

    @Test func `if the keys cannot be refetched the old ones are used, or the error if there are none`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let down = RelyingPartyError.transport(.keySet, .timedOut)
        let fetches = Fetches<FetchedDocument<KeySet>>()

        let filled = KeySetCache(elapsed: clock.elapsed)
        let first = filled.keySet(containing: "a", on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try keySet("a"))))
        _ = try first.wait()
        let missed = filled.keySet(containing: "b", on: loop) { fetches.begin(on: $0) }
        fetches.end(.failure(down))
        #expect(try missed.wait().contains(keyID: "a"))

        let empty = KeySetCache(elapsed: clock.elapsed)
        let second = empty.keySet(containing: "a", on: loop) { fetches.begin(on: $0) }
        fetches.end(.failure(down))
        #expect(throws: down) { try second.wait() }
    }

    @Test func `expired metadata is used while it cannot be refetched`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = MetadataCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<ProviderMetadata>>()
        let first = cache.metadata(on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try metadata("https://issuer.example"))))
        _ = try first.wait()
        clock.advance(by: 3600)
        let second = cache.metadata(on: loop) { fetches.begin(on: $0) }
        let third = cache.metadata(on: loop) { fetches.begin(on: $0) }
        fetches.end(.failure(RelyingPartyError.status(.discovery, 503)))
        #expect(try second.wait().issuer == "https://issuer.example")
        #expect(try third.wait().issuer == "https://issuer.example")
        #expect(fetches.count == 2)
    }

    @Test func `a lookup that waited for a fetch from before its key existed fetches once more`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = KeySetCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<KeySet>>()
        let first = cache.keySet(containing: "a", on: loop) { fetches.begin(on: $0) }
        let second = cache.keySet(containing: "b", on: loop) { fetches.begin(on: $0) }
        let third = cache.keySet(containing: "c", on: loop) { fetches.begin(on: $0) }
        let fourth = cache.keySet(containing: nil, on: loop) { fetches.begin(on: $0) }
        #expect(fetches.count == 1)
        fetches.end(.success(FetchedDocument(try keySet("a"))))
        #expect(try first.wait().contains(keyID: "a"))
        #expect(try fourth.wait().contains(keyID: "a"))
        // One more fetch for both, and no third one.
        #expect(fetches.count == 2)
        fetches.end(.success(FetchedDocument(try keySet("b"))))
        #expect(try second.wait().contains(keyID: "b"))
        #expect(try third.wait().contains(keyID: "b"))
        #expect(fetches.count == 2)
    }

    @Test func `keys after a mismatch are fetched again, by one request for all lookups`() throws {
        let clock = TestClock()
        let loop = EmbeddedEventLoop()
        let cache = KeySetCache(elapsed: clock.elapsed)
        let fetches = Fetches<FetchedDocument<KeySet>>()
        let first = cache.keySet(containing: nil, on: loop) { fetches.begin(on: $0) }
        fetches.end(.success(FetchedDocument(try keySet("a"))))
        _ = try first.wait()
        let second = try #require(cache.keySetAfterMismatch(on: loop) { fetches.begin(on: $0) })
        let third = try #require(cache.keySetAfterMismatch(on: loop) { fetches.begin(on: $0) })
        #expect(fetches.count == 2)
        fetches.end(.success(FetchedDocument(try keySet("b"))))
        #expect(try second.wait().contains(keyID: "b"))
        #expect(try third.wait().contains(keyID: "b"))
        // Within the cooldown there are no others than those that were tried.
        let isUnchanged = cache.keySetAfterMismatch(on: loop) { fetches.begin(on: $0) } == nil
        #expect(isUnchanged)
        #expect(fetches.count == 2)
    }
}
