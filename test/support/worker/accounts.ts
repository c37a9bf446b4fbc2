import { env } from "cloudflare:workers";
import { formatDatetime } from "../../../src/catalog/datetime.ts";
import { createAccounts } from "../../../src/db/accounts/registrations.ts";
import { readOutbox } from "../../../src/db/accounts/read-accounts.ts";
import { createApiKey } from "../../../src/db/accounts/write-secrets.ts";
import { hashPassword } from "../../../src/worker/accounts/password-hash.ts";
import type { TestService } from "./service.ts";

/** Password of the accounts made here. */
export const PASSWORD = "correct horse";
let hash: Promise<string> | undefined;
let addresses = 0;

/** A new client address, because budgets are kept by address. */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`;
}

/** Makes an active account, `<username>@example.com`, without catalog records. */
export async function account(service: TestService, username: string): Promise<void> {
  hash ??= hashPassword(PASSWORD);
  const created = formatDatetime(service.now);
  const email = `${username}@example.com`;
  await createAccounts(env.PATRONS, [{ username, email, passwordHash: await hash, created }]);
}

/** A request with the fields of a form. */
export function formOf(
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): RequestInit & { headers: Record<string, string> } {
  return {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "CF-Connecting-IP": newAddress(),
      ...headers,
    },
  };
}

/** A request with a JSON body. */
export function jsonOf(
  value: unknown,
  headers: Record<string, string> = {},
): RequestInit & { headers: Record<string, string> } {
  return {
    method: "POST",
    body: JSON.stringify(value),
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": newAddress(), ...headers },
  };
}

/** Logs in by the form; the answer. */
export function logIn(
  service: TestService,
  username: string,
  { password = PASSWORD, ...fields }: Record<string, string> = {},
): Promise<Response> {
  return service.fetch(
    "/account/login",
    formOf({ username: `${username}@example.com`, password, ...fields }),
  );
}

/** Returns the cookies that a response sets, by name; the last of a name counts. */
export function cookiesOf(response: Response): Record<string, string> {
  return Object.fromEntries(
    response.headers.getSetCookie().map((text) => {
      const [name = ""] = text.split("=");
      return [name, text.slice(name.length + 1)];
    }),
  );
}

/** The `Cookie` header of a browser that got this answer. */
export function cookieHeader(response: Response): { Cookie: string } {
  const kept = Object.entries(cookiesOf(response)).filter(([, text]) => !text.includes("Max-Age=0"));
  return { Cookie: kept.map(([name, text]) => `${name}=${text.split(";")[0]}`).join("; ") };
}

/** Sends the form of the page to which the link of a registration's mail leads. */
export function confirm(
  service: TestService,
  link: string,
  { password = PASSWORD, ...headers }: Record<string, string> = {},
): Promise<Response> {
  const fields = Object.fromEntries(new URL(link, "http://carrel.test").searchParams);
  return service.fetch("/account/verify", formOf({ ...fields, password }, headers));
}

/** The newest mail to an address: its text. */
export async function mailTo(address: string): Promise<string> {
  const [mail] = await readOutbox(env.PATRONS, address);
  return mail?.body ?? "";
}

/** The path of the link in the newest mail to an address. */
export async function linkTo(address: string): Promise<string> {
  return /https?:\/\/[^/\s]+(\/\S+)/.exec(await mailTo(address))?.[1] ?? "";
}

/** Fields of a registration. */
export const registrationOf = (username: string): Record<string, string> => ({
  username,
  email: `${username}@example.com`,
  password: PASSWORD,
});

/** Places and codes of the problems in a 422 response. */
export const problemCodes = (body: unknown): string[] =>
  (body as { detail: { loc: string[]; type: string; ctx?: { error: string } }[] }).detail.map(
    ({ loc, type, ctx }) => `${loc.join(".")} ${ctx?.error ?? type}`,
  );

/** Logs in with the API key of `patronWithKey`, without hashing a password. */
export async function keySession(service: TestService, username: string): Promise<{ Cookie: string }> {
  const keys = { access: `${username}-key`, secret: username };
  return cookieHeader(await service.fetch("/account/login", jsonOf(keys)));
}

/** Makes an account with an API key, and logs in. */
export async function patronWithKey(service: TestService, username: string): Promise<{ Cookie: string }> {
  await account(service, username);
  const created = "2026-11-21T12:00:00.000000";
  await createApiKey(env.PATRONS, { access: `${username}-key`, secret: username, username, created });
  return keySession(service, username);
}
