// SPDX-License-Identifier: Apache-2.0
// A page that does with gapi.iframes what the Firebase SDK does with it, step by step, and shows what came of it.
"use strict";
const values = JSON.parse(document.getElementById("values").textContent);
const filter = window.gapi?.iframes?.CROSS_ORIGIN_IFRAMES_FILTER;
const pendingKey = `firebase:pendingRedirect:${values.apiKey}:[DEFAULT]`;

// FirebaseUI keeps beside it whether its own redirect is pending.
const statusKey = "firebaseui::redirectStatus";

const page = {
  // The events of each frame, the errors that reached the window, and whether a frame was opened.
  events: [],
  errors: [],
  isOpen: false,
  popup: null,
  // Where the buttons lead.
  next: null,

  // The SDK looks once whether a redirect is pending, before it opens the frame, and forgets it.
  wasPending: sessionStorage.getItem(pendingKey),
  status: sessionStorage.getItem(statusKey),

  load() {
    return new Promise((resolve, reject) => {
      gapi.load("gapi.iframes", { callback: () => resolve(gapi.iframes.getContext()), ontimeout: reject });
    });
  },

  async frame(url) {
    const context = gapi.iframes.Iframe ? gapi.iframes.getContext() : await this.load();
    return context.open(
      {
        where: document.body,
        url,
        messageHandlersFilter: filter,
        attributes: { style: { position: "absolute", top: "-100px", width: "1px", height: "1px" } },
        dontclear: true,
      },
      (frame) =>
        new Promise(async (resolve, reject) => {
          await frame.restyle({ setHideOnLeave: false });
          const timer = setTimeout(() => reject(new Error("no answer to ping")), 5000);
          const answered = () => {
            clearTimeout(timer);
            resolve(frame);
          };
          frame.ping(answered).then(answered, () => reject(new Error("ping failed")));
        }),
    );
  },

  async open(url = `${values.broker}/emulator/auth/iframe?apiKey=${values.apiKey}&appName=%5BDEFAULT%5D`) {
    const frame = await this.frame(url);
    const events = [];
    frame.register(
      "authEvent",
      (message) => {
        events.push(message.authEvent);
        if (message.authEvent.type.endsWith("ViaPopup")) this.popup?.close();
        return { status: "ACK" };
      },
      filter,
    );
    this.events.push(events);
    this.isOpen = true;
    return frame;
  },

  async supportsStorage() {
    const frame = await this.frame(`${values.broker}/emulator/auth/iframe`);
    return new Promise((resolve) => {
      const answer = (result) => {
        resolve(result);
        throw new Error("as the SDK does");
      };
      frame.send("webStorageSupport", { type: "webStorageSupport" }, answer, filter);
    });
  },

  // The handler's URL, as the SDK writes it.
  handler(authType, providerId, parameters = {}) {
    const query = { apiKey: values.apiKey, appName: "[DEFAULT]", authType, redirectUrl: location.href, v: values.version };
    return `${values.broker}/emulator/auth/handler?` + new URLSearchParams({ ...query, providerId, ...parameters });
  },

  async redeem(event, more = {}) {
    const body = { requestUri: event.urlResponse, sessionId: event.sessionId, returnSecureToken: true, ...more };
    const path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp";
    const headers = { "Content-Type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify({ returnIdpCredential: true, ...body }) };
    const response = await fetch(`${values.broker}${path}?key=${values.apiKey}`, request);
    return { status: response.status, body: await response.json() };
  },
};

addEventListener("error", ({ message }) => page.errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => page.errors.push(String(reason)));
document.getElementById("popup").onclick = () => {
  page.popup = window.open(page.next, "_blank", "width=500,height=600");
};
document.getElementById("leave").onclick = () => {
  sessionStorage.setItem(pendingKey, '"true"');
  sessionStorage.setItem(statusKey, "a");
  location.assign(page.next);
};

window.page = page;
sessionStorage.removeItem(pendingKey);
sessionStorage.removeItem(statusKey);
page.opened = page.open();
page.opened.catch(() => {});
