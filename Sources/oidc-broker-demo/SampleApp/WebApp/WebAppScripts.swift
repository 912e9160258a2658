// SPDX-License-Identifier: Apache-2.0

/// The scripts of the web app, each the same text for all users. Each file `client.js` defines the same function.
enum WebAppScripts {
    /// What the buttons do, whichever client there is.
    static let app = """
        "use strict";
        (() => {
          const element = (id) => document.getElementById(id);
          const client = makeClient({ ...element("settings").dataset });
          element("client").textContent = client.name;

          function show(user, error) {
            element("state").textContent = user ? "Signed in." : "No user is signed in.";
            element("user").hidden = !user;
            element("uid").textContent = user?.uid ?? "";
            element("address").textContent = user?.address ?? "none";
            element("providers").textContent = user?.providers.join(", ") ?? "";
            element("error").hidden = !error;
            element("error").textContent = error ? error.code ?? error.message : "";
          }

          async function run(action) {
            try {
              show(await action());
            } catch (error) {
              show(client.user(), error);
            }
          }

          for (const button of document.querySelectorAll("button[data-action]")) {
            const { action, provider } = button.dataset;
            button.addEventListener("click", () => run(() => client[action](provider)));
          }
          run(() => client.redirectResult());
        })();

        """

    /// The client of our own: the protocol that the Firebase SDK speaks with the broker's script, the handler and
    /// `signInWithIdp`, and nothing else of it. Tokens are in memory, so a page that is left is signed out.
    static let client = """
        "use strict";
        function makeClient({ apiKey, origin, issuer }) {
          let user = null;
          let tokens = null;
          const popups = new Map();
          const failure = (code) => Object.assign(new Error(code), { code });
          // What the SDK notes while it waits for a redirect. The broker's script claims nothing without it.
          const pendingKey = `firebase:pendingRedirect:${apiKey}:[DEFAULT]`;

          // The first event is that of a redirect, or reports the absence of one.
          const redirected = new Promise((resolve, reject) => {
            let take = (event) => {
              take = (event) => popups.get(event.eventId)?.(event);
              resolve(event);
            };
            const receive = ({ authEvent }) => {
              take(authEvent);
              return { status: "ACK" };
            };
            gapi.iframes
              .getContext()
              .open({ url: `${issuer}/iframe` }, (frame) => frame.register("authEvent", receive))
              .catch(reject);
          });

          function start(authType, providerId, eventId) {
            const parameters = { apiKey, authType, providerId, redirectUrl: location.href, v: "demo" };
            if (eventId) parameters.eventId = eventId;
            return `${issuer}/handler?${new URLSearchParams(parameters)}`;
          }

          async function call(operation, members) {
            const response = await fetch(`${origin}/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=${apiKey}`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(members),
            });
            const text = await response.text();
            if (!text) throw failure("try-again-later");
            const answer = JSON.parse(text);
            if (!response.ok) throw failure(answer.error.message);
            return answer;
          }

          // An event has a ticket, which is redeemed once, with the session id that it was issued for.
          async function redeem(event, idToken) {
            if (event.error) throw failure(event.error.code);
            const members = { requestUri: event.urlResponse, sessionId: event.sessionId };
            if (idToken) members.idToken = idToken;
            const answer = await call("signInWithIdp", {
              ...members, returnSecureToken: true, returnIdpCredential: true,
            });
            if (answer.needConfirmation) throw failure("account-exists-with-different-credential");
            if (answer.errorMessage) throw failure(answer.errorMessage);
            tokens = answer;
            const [found] = (await call("lookup", { idToken: answer.idToken })).users;
            user = {
              uid: found.localId,
              address: found.email,
              providers: found.providerUserInfo.map(({ providerId }) => providerId),
            };
            return user;
          }

          async function popup(authType, providerId, idToken) {
            const eventId = crypto.randomUUID();
            const opened = open(start(authType, providerId, eventId), "_blank", "popup,width=520,height=680");
            if (!opened) throw failure("popup-blocked");
            let watch;
            try {
              const event = await new Promise((resolve, reject) => {
                popups.set(eventId, resolve);
                watch = setInterval(() => opened.closed && reject(failure("popup-closed-by-user")), 2000);
              });
              return await redeem(event, idToken);
            } finally {
              clearInterval(watch);
              popups.delete(eventId);
              opened.close();
            }
          }

          return {
            name: "a small client of our own",
            user: () => user,
            signInWithPopup: (providerId) => popup("signInViaPopup", providerId),
            linkWithPopup: async (providerId) => {
              if (!tokens) throw failure("sign-in-first");
              return popup("linkViaPopup", providerId, tokens.idToken);
            },
            signInWithRedirect: (providerId) => {
              sessionStorage.setItem(pendingKey, '"true"');
              location.assign(start("signInViaRedirect", providerId));
              return new Promise(() => {});
            },
            redirectResult: async () => {
              const event = await redirected;
              sessionStorage.removeItem(pendingKey);
              return event.error?.code === "auth/no-auth-event" ? user : redeem(event);
            },
            signOut: async () => (user = tokens = null),
          };
        }

        """

    /// The same with the Firebase SDK for JavaScript, in its form for pages without modules.
    static let sdkClient = """
        "use strict";
        function makeClient({ apiKey, origin, project }) {
          firebase.initializeApp({ apiKey, projectId: project, authDomain: new URL(origin).host });
          const auth = firebase.auth();
          auth.useEmulator(origin, { disableWarnings: true });
          const provider = (id) => new firebase.auth.OAuthProvider(id);
          const user = () =>
            auth.currentUser && {
              uid: auth.currentUser.uid,
              address: auth.currentUser.email,
              providers: auth.currentUser.providerData.map(({ providerId }) => providerId),
            };
          return {
            name: `the Firebase SDK ${firebase.SDK_VERSION}`,
            user,
            signInWithPopup: (id) => auth.signInWithPopup(provider(id)).then(user),
            linkWithPopup: async (id) => {
              if (!auth.currentUser) throw Object.assign(new Error(), { code: "sign-in-first" });
              return auth.currentUser.linkWithPopup(provider(id)).then(user);
            },
            signInWithRedirect: (id) => auth.signInWithRedirect(provider(id)),
            redirectResult: () => auth.getRedirectResult().then(user),
            signOut: () => auth.signOut().then(user),
          };
        }

        """
}
