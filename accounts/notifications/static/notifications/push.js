// Messages of this service in this browser (web push). The service worker shows them: their JSON is
// {title, body, url, tag}. Used by the page of choices, and by whatever else offers them.

const bytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** Whether this browser can show messages; some need the app to be installed first. */
export const isPossible = () =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

// A browser that keeps nothing refuses to be asked.
async function registered() {
  const registration = await navigator.serviceWorker.getRegistration().catch(() => null);
  return registration ? navigator.serviceWorker.ready : null;
}

/** Whether a service worker is there that could show messages. */
export const isReady = async () => isPossible() && Boolean(await registered());

/** The subscription of this browser, or null. */
export const current = async () => (await registered())?.pushManager.getSubscription() ?? null;

function send(method, address, csrf, body) {
  const headers = { "X-CSRFToken": csrf, "Content-Type": "application/json" };
  return fetch(address, { method, headers, body: body && JSON.stringify(body) });
}

async function told(address, csrf, subscription, browser) {
  const { endpoint, keys } = subscription.toJSON();
  const body = { endpoint, p256dh: keys.p256dh, auth: keys.auth, browser };
  const answer = await send("POST", address, csrf, body);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

/**
 * Asks the person, subscribes, and lets the service know. "denied" where they do not allow it.
 * `key` is the public key of the service, `address` that of the call, accounts/me/push.
 */
export async function subscribe({ key, address, csrf, browser = "" }) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const manager = (await registered()).pushManager;
  const options = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  const subscription = await manager.subscribe(options);
  await told(address, csrf, subscription, browser);
  return "granted";
}

/** Ends it in the browser and at the service. */
export async function unsubscribe({ address, csrf }) {
  const subscription = await current();
  if (!subscription) return;
  const { id } = await told(address, csrf, subscription, "");
  await send("DELETE", `${address}/${id}`, csrf);
  await subscription.unsubscribe();
}
