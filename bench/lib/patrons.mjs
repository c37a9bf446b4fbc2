import { TOKEN } from "./instances.mjs";

/** Accounts that one request to the service makes. */
const ACCOUNTS = 20;

/**
 * Makes accounts of a development service and logs them in; returns their `Cookie` header lines, each with CRLF.
 * @param {string} url
 * @param {readonly string[]} usernames
 */
export async function loginAll(url, usernames) {
  for (let from = 0; from < usernames.length; from += ACCOUNTS) {
    await post(`${url}/system/development-accounts`, { usernames: usernames.slice(from, from + ACCOUNTS) });
  }
  const cookies = [];
  for (const username of usernames) cookies.push(`Cookie: ${await login(url, username)}\r\n`);
  return cookies;
}

/**
 * The session cookie of a development account.
 * @param {string} url
 * @param {string} username
 */
export async function login(url, username) {
  const response = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: username }),
  });
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session="));
  if (cookie === undefined) throw new Error(`login: ${response.status} ${await response.text()}`);
  return cookie.split(";")[0] ?? "";
}

/**
 * Sends patrons with what they had elsewhere.
 * @param {string} url
 * @param {readonly object[]} patrons
 */
export async function restorePatrons(url, patrons) {
  const response = await fetch(`${url}/system/patrons`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/x-ndjson" },
    body: patrons.map((patron) => JSON.stringify(patron)).join("\n"),
  });
  const answer = /** @type {{ rejected: unknown[] }} */ (await response.json());
  if (!response.ok || answer.rejected.length > 0) {
    throw new Error(`patrons: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

/**
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 */
export async function post(url, body, headers = { Authorization: `Bearer ${TOKEN}` }) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
