import * as z from "zod";
import { type FoundAccount, findAccount } from "../../../db/accounts/read-accounts.ts";
import { identityProvider } from "../../accounts/identity-provider.ts";
import { CarrelError, notFound, unavailable } from "../../http/errors.ts";
import { type RequestContext, operation } from "../../http/operation.ts";
import { boolean } from "../../http/parameters.ts";
import { isDigest } from "../../borrowing/notices.ts";
import { privateJson } from "../../http/reply.ts";
import { anonymizedSchema, previewRemoval, startRemoval } from "./removal.ts";

const ANONYMIZE_BODY_BYTES = 16 * 1024;

/** `POST /account/anonymize.json`: removes an account at the request of another service. */
export const anonymize = operation({
  id: "anonymize",
  summary: "Remove an account",
  tag: "account",
  form: {
    test: boolean().default(false).describe("Count only, and change nothing"),
    digest: z.string().default("").describe("Hex HMAC-SHA-256 of `msg` with the shared secret"),
    msg: z
      .string()
      .default("")
      .describe("Ends with a colon and the time until which it holds, in Unix seconds"),
  },
  bodyBytes: ANONYMIZE_BODY_BYTES,
  responses: {
    200: { description: "What becomes of it: counts of rows", schema: anonymizedSchema },
    400: { description: "No time in `msg`, or no keys" },
    401: { description: "Not signed, or too late" },
    404: { description: "Unknown keys" },
    503: { description: "No secret is configured" },
  },
  async handle({ form: { test, ...message } }, context) {
    requireSigned(context, message);
    const account = await findAccountOfKeys(context);
    return privateJson(await (test ? previewRemoval(context, account) : startRemoval(context, account)));
  },
});

/**
 * Checks the signature of the message, whose part after the last colon is its expiry in Unix seconds. Throws 401 if it
 * is wrong or has expired, 400 for a message without a time, 503 if no secret is configured.
 */
function requireSigned(
  { settings, now }: RequestContext,
  { digest, msg }: { digest: string; msg: string },
): void {
  const secret = settings.ANONYMIZE_SECRET;
  if (secret === undefined) throw unavailable("Service Unavailable");
  const expiry = msg.slice(msg.lastIndexOf(":") + 1).trim();
  if (!/^\d+(\.\d+)?$/.test(expiry)) throw new CarrelError(400, "bad_request", { message: "Bad Request" });
  if (!isDigest(digest, msg, secret) || Number(expiry) * 1000 < now) {
    throw new CarrelError(401, "unauthorized", { message: "Unauthorized" });
  }
}

/**
 * Finds the account of the keys in `Authorization: LOW <access>:<secret>`. Throws 400 without such a header, 404 for
 * unknown keys.
 */
async function findAccountOfKeys(context: RequestContext): Promise<FoundAccount> {
  const header = context.request.headers.get("Authorization") ?? "";
  const [, access, secret] = /^LOW ([^\s:]+):(\S+)$/.exec(header) ?? [];
  if (access === undefined || secret === undefined) {
    throw new CarrelError(400, "bad_request", { message: "Malformed Authorization Header" });
  }
  const result = await identityProvider(context).authenticateKeys(access, secret);
  if (!result.ok) throw notFound();
  const { account: username, subject } = result.identity;
  const { patrons } = context.stores;
  const account = await findAccount(patrons, username === undefined ? { subject } : { username });
  if (account === undefined) throw notFound();
  return account;
}
