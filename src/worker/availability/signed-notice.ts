import type { RequestContext } from "../context.ts";
import { authenticationRequired, unavailable } from "../errors.ts";
import { isDigest } from "../links/digest.ts";

/** What a notice is signed with: `msg` is `<ocaid>|<unix expiry>`, `digest` its HMAC-SHA-256 in hexadecimal digits. */
export interface Signature {
  readonly digest: string;
  readonly msg: string;
}

/** Lets only notices through that hold `LENDING_SECRET`, are not too old and speak of the item (lookup.md 14, 17.6). */
export async function requireSigned(
  { settings, now }: RequestContext,
  ocaid: string,
  { digest, msg }: Signature,
): Promise<void> {
  if (settings.LENDING_SECRET === undefined) {
    throw unavailable("No LENDING_SECRET is configured, so no notices are taken.");
  }
  const [item, expiry, ...more] = msg.split("|");
  const isMeant = item === ocaid && more.length === 0 && Number(expiry) * 1000 > now;
  const isSigned = await isDigest(digest, msg, settings.LENDING_SECRET);
  if (!isMeant || !isSigned) throw authenticationRequired("Session");
}
