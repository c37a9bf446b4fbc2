import { fetchJson } from "./client.ts";
import { TOKEN } from "./instances.ts";

/** Accounts per request. */
const ACCOUNTS = 20;

/**
 * Creates accounts of a development service and logs them in. Returns their `Cookie` header lines, each with
 * CRLF.
 */
export async function loginAll(url: string, usernames: readonly string[]) {
  for (let from = 0; from < usernames.length; from += ACCOUNTS) {
    await post(`${url}/system/development-accounts`, { usernames: usernames.slice(from, from + ACCOUNTS) });
  }
  const cookies = [];
  for (const username of usernames) cookies.push(`Cookie: ${await login(url, username)}\r\n`);
  return cookies;
}

/** Logs in a development account and returns its session cookie. */
export async function login(url: string, username: string) {
  const response = await fetch(`${url}/account/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: username }),
  });
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith("session="));
  if (cookie === undefined) throw new Error(`login: ${response.status} ${await response.text()}`);
  return cookie.split(";")[0] ?? "";
}

/** Restores patrons with their shelves. */
export async function restorePatrons(url: string, patrons: readonly object[]) {
  const response = await fetch(`${url}/system/patrons`, {
    method: "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/x-ndjson" },
    body: patrons.map((patron) => JSON.stringify(patron)).join("\n"),
  });
  const answer = (await response.json()) as { rejected: unknown[] };
  if (!response.ok || answer.rejected.length > 0) {
    throw new Error(`patrons: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

export function post(
  url: string,
  body: object,
  headers: Record<string, string> = { Authorization: `Bearer ${TOKEN}` },
) {
  const json = { "Content-Type": "application/json" };
  return fetchJson(url, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
}
