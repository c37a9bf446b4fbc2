import * as z from "zod";
import { SESSION_COOKIE, cookieValue } from "../http/cookie.ts";
import { notFound } from "../http/errors.ts";
import { isLocalDevelopment } from "../http/access.ts";
import { type Session, operation } from "../http/operation.ts";
import { percentDecode } from "../http/paths.ts";
import { privateJson } from "../http/reply.ts";
import { ownSession } from "./own-session.ts";

const SHOWN_LENGTH = 50;
const anyObject = z.record(z.string(), z.unknown());

export const testSession = operation({
  id: "testSession",
  summary: "Get the session of the cookie (development only)",
  tag: "operation",
  responses: { 200: { description: "Session, and parts of the cookie", schema: anyObject } },
  async handle(_input, context) {
    const session = await context.session();
    const cookie = cookieValue(context.request.headers.get("Cookie"), SESSION_COOKIE);
    const text = percentDecode(cookie ?? "");
    const parts = text.split(",");
    const [userKey, timestamp, hash] = parts;
    const parsed = {
      raw_decoded: text,
      parts,
      num_parts: parts.length,
      ...(parts.length === 3 ? { user_key: userKey, timestamp, hash } : {}),
    };
    return privateJson({
      username: session?.username ?? null,
      user_key: session?.key ?? null,
      timestamp: session?.issued ?? null,
      is_authenticated: session !== undefined,
      error: null,
      cookie_name: SESSION_COOKIE,
      cookie_value: cookie === undefined ? null : `${cookie.slice(0, SHOWN_LENGTH)}...`,
      cookie_parsed: cookie === undefined ? null : parsed,
    });
  },
});

export const protectedTest = operation({
  id: "protectedTest",
  summary: "Test a route that requires a session (development only)",
  tag: "operation",
  responses: { 200: { description: "Greeting", schema: anyObject } },
  async handle(_input, context) {
    if (!isLocalDevelopment(context)) throw notFound();
    return privateJson(greeting(await ownSession(context)));
  },
});

function greeting({ username, key, issued }: Session) {
  return { message: `Hello ${username}!`, user_key: key, timestamp: issued };
}

export const optionalTest = operation({
  id: "optionalTest",
  summary: "Test a route with an optional session (development only)",
  tag: "operation",
  responses: { 200: { description: "Greeting", schema: anyObject } },
  async handle(_input, context) {
    const session = await context.session();
    if (session === undefined) return privateJson({ message: "Hello anonymous!", is_authenticated: false });
    return privateJson({ ...greeting(session), is_authenticated: true });
  },
});
