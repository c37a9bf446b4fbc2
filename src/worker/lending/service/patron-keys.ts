import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { findAccount, readUsernamesOfSubjects } from "../../../db/accounts/read-accounts.ts";
import { failure } from "../../http/failure.ts";
import type { RequestContext } from "../../http/operation.ts";
import { patronOf } from "../../http/session.ts";
import type { RemotePatrons } from "./remote.ts";

const IV_BYTES = 12;
/** Prefix of the names at the other service of patrons without an account there. */
const LOCAL_NAME = "ol:";

type KeyStore = Pick<RequestContext, "settings" | "stores">;

export function remotePatrons(context: KeyStore): RemotePatrons {
  const { stores } = context;
  return {
    async useridOf(username) {
      const account = await findAccount(stores.patrons, { username });
      const subject = account?.subject ?? "";
      return subject.startsWith("@") ? subject : LOCAL_NAME + username;
    },
    async patronsOf(userids) {
      const usernames = await readUsernamesOfSubjects(stores.patrons, userids);
      for (const userid of userids) {
        if (!userid.startsWith(LOCAL_NAME)) continue;
        usernames.set(userid, userid.slice(LOCAL_NAME.length).toLowerCase());
      }
      return usernames;
    },
    async keysOf(username) {
      const sealed = await patronOf(stores, username).loans.keys();
      if (sealed === null) return undefined;
      const [iv = "", text = ""] = sealed.split(".");
      const algorithm = { name: "AES-GCM", iv: Buffer.from(iv, "base64url") };
      const key = await sealingKey(context);
      try {
        const opened = await crypto.subtle.decrypt(algorithm, key, Buffer.from(text, "base64url"));
        const [access = "", secret = ""] = new TextDecoder().decode(opened).split(":");
        return { access, secret };
      } catch (error) {
        // Keys that were sealed with another secret: the next login stores new ones.
        if (error instanceof DOMException) return undefined;
        throw error;
      }
    },
    forgetKeys: (username) => patronOf(stores, username).loans.setKeys(null),
  };
}

/** Stores a patron's keys for borrowing elsewhere, as `access:secret`, sealed. They come with the login. */
export async function storePatronKeys(context: KeyStore, username: string, keys: string): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = new TextEncoder().encode(keys);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await sealingKey(context), text);
  const parts = [iv, new Uint8Array(sealed)].map((bytes) => Buffer.from(bytes).toString("base64url"));
  await patronOf(context.stores, username).loans.setKeys(parts.join("."));
}

function sealingKey({ settings }: KeyStore): Promise<CryptoKey> {
  const { SESSION_SECRET: secret } = settings;
  if (secret === undefined) throw failure("unavailable.settings", { settings: "SESSION_SECRET" });
  const key = createHash("sha256").update(`lending keys ${secret}`).digest();
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}
