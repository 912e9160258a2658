// SPDX-License-Identifier: Apache-2.0
// An app with the Firebase SDK, which shows what the SDK told it.
import { SDK_VERSION, initializeApp } from "firebase/app";
import * as firebase from "firebase/auth";
import {
  GoogleAuthProvider,
  OAuthProvider,
  connectAuthEmulator,
  getAuth,
  getRedirectResult,
  linkWithCredential,
  linkWithPopup,
  onIdTokenChanged,
  signInWithCredential,
  signInWithPopup,
  signInWithRedirect,
} from "firebase/auth";

const { broker, ...config } = JSON.parse(document.getElementById("config").textContent);
const auth = connected(initializeApp(config));
let another;

const page = {
  auth,
  authOfAnotherApp: (apiKey) => (another ??= connected(initializeApp({ ...config, apiKey }, "another"))),
  // The oldest SDK has none.
  revokeAccessToken: firebase.revokeAccessToken,
  linkWithCredential,
  signInWithCredential,
  version: SDK_VERSION,
  // Where the buttons lead.
  providerId: GoogleAuthProvider.PROVIDER_ID,
  // What came of the last sign-in by popup, and of a redirect before this page: the user, or the code of an error.
  said: null,
  // The credential of the last error.
  credential: null,
  redirected: outcome(getRedirectResult(auth)),
  // Whom the SDK told its observer of.
  tokens: [],
  // Whether the SDK knows whether a user is signed in.
  isReady: false,
};

function connected(app) {
  const auth = getAuth(app);
  connectAuthEmulator(auth, broker, { disableWarnings: true });
  return auth;
}

function outcome(result) {
  return result.then(
    (value) => ({ user: value?.user.toJSON() ?? null }),
    (error) => {
      page.credential = GoogleAuthProvider.credentialFromError(error);
      return { code: error.code };
    },
  );
}

function provider() {
  const isGoogle = page.providerId === GoogleAuthProvider.PROVIDER_ID;
  return isGoogle ? new GoogleAuthProvider() : new OAuthProvider(page.providerId);
}

document.getElementById("popup").onclick = async () => {
  page.said = await outcome(signInWithPopup(auth, provider()));
};
document.getElementById("link").onclick = async () => {
  page.said = await outcome(linkWithPopup(auth.currentUser, provider()));
};
document.getElementById("redirect").onclick = () => signInWithRedirect(auth, provider());

window.page = page;
onIdTokenChanged(auth, (user) => {
  page.tokens.push(user?.uid ?? null);
  page.isReady = true;
});
