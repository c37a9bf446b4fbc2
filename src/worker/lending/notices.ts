import { KIB } from "../../catalog/units.ts";
import * as z from "zod";
import { createHmac } from "node:crypto";
import { tryParseJson } from "../../catalog/record.ts";
import { isSameHash } from "../../db/accounts/secret-hash.ts";
import { XmlError } from "../../import/xml/decode.ts";
import { parseXml } from "../../import/xml/document.ts";
import { lendingOf } from "./service/lending-of.ts";
import { bodyText } from "../http/bytes.ts";
import { authenticationRequired } from "../http/errors.ts";
import { failure } from "../http/failure.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";

const NOTICE_BYTES = 64 * KIB;

const notice = z.object({
  identifier: z.string().min(1),
  digest: z.string().default(""),
  msg: z.string().default(""),
});

export const borrowNotify = operation({
  id: "borrowNotify",
  summary: "Receive a notice that the loans of an item have changed",
  tag: "lending",
  body: {
    contentType: "application/json",
    description: "`identifier`; `digest` and `msg` here or as headers (HMAC-SHA-256 with `LENDING_SECRET`)",
  },
  inReadOnly: true,
  responses: {
    202: { description: "Notice accepted", schema: z.object({ status: z.literal("ok") }) },
    400: { description: "Not a JSON object with an identifier" },
    401: { description: "Missing, wrong or expired signature" },
    503: { description: "No secret configured" },
  },
  async handle(_input, context) {
    const { request, settings, now } = context;
    const parsed = notice.safeParse(tryParseJson(await bodyText(request, NOTICE_BYTES)));
    if (!parsed.success) throw failure("bad_data.notice");
    const { identifier } = parsed.data;
    // Q287: the notice names no sender, so only the signature authenticates it: of `<identifier>|<unix expiry>`.
    const digest = request.headers.get("digest") ?? parsed.data.digest;
    const msg = request.headers.get("msg") ?? parsed.data.msg;
    const { LENDING_SECRET: secret } = settings;
    if (secret === undefined) throw failure("unavailable.settings", { settings: "LENDING_SECRET" });
    const [item, expiry, ...more] = msg.split("|");
    const isCurrent = item === identifier && more.length === 0 && Number(expiry) * 1000 > now;
    const isSigned = isDigest(digest, msg, secret);
    if (!isCurrent || !isSigned) throw authenticationRequired("Session");
    await lendingOf(context).status(identifier);
    return json({ status: "ok" }, { status: 202, cacheControl: NO_STORE });
  },
});

const responses = {
  200: {
    description: "Result of the parsing",
    schema: z.object({ success: z.boolean(), error: z.string().optional() }),
  },
};

export const receiveNotification = operation({
  id: "receiveNotification",
  summary: "Parse an XML message, without further effect",
  tag: "lending",
  body: { contentType: "application/xml", description: "XML message" },
  inReadOnly: true,
  responses,
  async handle(_input, { request }) {
    const text = await bodyText(request, NOTICE_BYTES);
    try {
      parseXml(text);
      return json({ success: true }, { cacheControl: NO_STORE });
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      // Q288: unreadable messages get a 200 as well.
      return json({ success: false, error: error.message }, { cacheControl: NO_STORE });
    }
  },
});

export const receiveNotificationPage = operation({
  id: "receiveNotificationPage",
  summary: "Answer that only POST is supported",
  tag: "lending",
  responses,
  handle: () => json({ success: false, error: "Only POST is supported" }, { cacheControl: NO_STORE }),
});

/** True if `digest` is the HMAC-SHA-256 of a message in hexadecimal digits; compared in constant time. */
export function isDigest(digest: string, message: string, secret: string): boolean {
  return isSameHash(digest.toLowerCase(), createHmac("sha256", secret).update(message).digest("hex"));
}
