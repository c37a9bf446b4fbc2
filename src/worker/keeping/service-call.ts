import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { type FoundAccount, findAccount, findBySubject } from "../../db/accounts/read.ts";
import type { RequestContext } from "../http/operation.ts";
import { CarrelError, notFound, unavailable } from "../http/errors.ts";
import { identityProvider } from "../identity/providers.ts";

const KEYS = /^LOW ([^\s:]+):(\S+)$/;

/** A message that proves that the caller knows the shared secret, and until when it holds. */
export interface SignedMessage {
  readonly digest: string;
  /** Its last part after a colon: Unix seconds. */
  readonly msg: string;
}

/** Refuses callers without the shared secret (patrons.md 3.10): 503, 400 or 401. */
export function requireSigned({ settings, now }: RequestContext, { digest, msg }: SignedMessage): void {
  const secret = settings.ANONYMIZE_SECRET;
  if (secret === undefined) throw unavailable("Service Unavailable");
  const expiry = msg.slice(msg.lastIndexOf(":") + 1).trim();
  if (!/^\d+(\.\d+)?$/.test(expiry)) throw new CarrelError(400, "bad_request", { message: "Bad Request" });
  const expected = createHmac("sha256", secret).update(msg).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(digest) ? digest : "", "hex");
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isRight || Number(expiry) * 1000 < now)
    throw new CarrelError(401, "unauthorized", { message: "Unauthorized" });
}

/** The account of the keys in `Authorization: LOW <access>:<secret>`; 400 without such a header, 404 for unknown ones. */
export async function accountOfKeys(context: RequestContext): Promise<FoundAccount> {
  const [, access, secret] = KEYS.exec(context.request.headers.get("Authorization") ?? "") ?? [];
  if (access === undefined || secret === undefined) {
    throw new CarrelError(400, "bad_request", { message: "Malformed Authorization Header" });
  }
  const result = await identityProvider(context).authenticateKeys(access, secret);
  if (!result.ok) throw notFound();
  const { account, subject } = result.identity;
  const { patrons } = context.stores;
  const found =
    account === undefined
      ? await findBySubject(patrons, subject)
      : await findAccount(patrons, { username: account });
  if (found === undefined) throw notFound();
  return found;
}
