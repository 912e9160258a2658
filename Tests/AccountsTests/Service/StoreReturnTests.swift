// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Accounts

/// When a store counts as away, and as back.
struct StoreReturnTests {
    private let away = AccountStoreError(.unavailable, "away")
    private let refused = AccountStoreError(.conflict, "there")

    @Test func `a store that was away is back with the first transaction that it answers`() {
        let store = StoreReturn()
        store.note(nil, at: 1_060)
        store.note(nil, at: 1_070)
        store.note(away, at: 2_000)
        store.note(away, at: 2_100)
        #expect(store.absence(at: 2_200) == StoreAbsence(begin: 2_000, end: 2_200))
        store.note(refused, at: 2_210)
        store.note(nil, at: 2_220)
        #expect(store.absence(at: 2_300) == StoreAbsence(begin: 2_000, end: 2_210))
    }

    @Test func `nothing is known after a start, but that answers of minutes may be lost`() {
        let store = StoreReturn()
        #expect(store.absence(at: 1_050) == StoreAbsence(begin: 750, end: 1_050))
        store.note(away, at: 1_060)
        #expect(store.absence(at: 1_065) == StoreAbsence(begin: 760, end: 1_065))
        store.note(nil, at: 1_070)
        #expect(store.absence(at: 9_000) == StoreAbsence(begin: 760, end: 1_070))
    }

    @Test func `an absence a minute after another one is the same, and later it is another one`() {
        let store = StoreReturn()
        store.note(nil, at: 1_000)
        store.note(away, at: 2_000)
        store.note(nil, at: 2_010)
        store.note(away, at: 2_070)
        #expect(store.absence(at: 2_071) == StoreAbsence(begin: 2_000, end: 2_071))
        store.note(nil, at: 2_080)
        store.note(away, at: 2_141)
        #expect(store.absence(at: 2_142) == StoreAbsence(begin: 2_141, end: 2_142))
    }
}
