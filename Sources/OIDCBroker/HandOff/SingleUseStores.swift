// SPDX-License-Identifier: Apache-2.0

/// The stores of a broker: one in its own memory, or one that several processes share.
public struct SingleUseStores: Sendable {
    /// The store of logins and hand-offs.
    let main: any SingleUseStore
    /// The same store if it decides without waiting, so that no future is created for it.
    let immediate: InMemorySingleUseStore?
    /// The store of marks that live for a day. In memory it is a store of its own: among entries that live for ten
    /// minutes, these marks would keep whole generations of them.
    let lasting: any SingleUseStore

    private init(main: any SingleUseStore, immediate: InMemorySingleUseStore?, lasting: any SingleUseStore) {
        self.main = main
        self.immediate = immediate
        self.lasting = lasting
    }

    /// A store in the memory of this process. A login must return to the process in which it began.
    public static func inMemory(_ store: InMemorySingleUseStore) -> SingleUseStores {
        SingleUseStores(main: store, immediate: store, lasting: store.makeLastingStore())
    }

    /// A store outside of this process, which several processes may share.
    public static func shared(_ store: any SingleUseStore) -> SingleUseStores {
        SingleUseStores(main: store, immediate: nil, lasting: store)
    }

    /// A store outside of this process, for implementations without event loops.
    public static func shared(_ store: some AsyncSingleUseStore) -> SingleUseStores {
        shared(AsyncSingleUseStoreAdapter(store))
    }
}
