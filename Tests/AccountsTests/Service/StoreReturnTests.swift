// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Accounts

/// When a store counts as back.
struct StoreReturnTests {
    @Test func `a store that was away is back with the first transaction that it answers`() {
        let store = StoreReturn()
        // Nothing is known after a start.
        #expect(store.time(at: 50) == 50)
        store.note(nil, at: 60)
        store.note(nil, at: 70)
        #expect(store.time(at: 80) == 60)
        store.note(AccountStoreError(.unavailable, "away"), at: 90)
        #expect(store.time(at: 200) == 200)
        store.note(AccountStoreError(.conflict, "there"), at: 210)
        #expect(store.time(at: 300) == 210)
    }
}
