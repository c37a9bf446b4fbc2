import * as z from "zod";
import { badData } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { SIGNED_MESSAGE_LENGTH_MAX, linkScan, signedParts, unlinkScan } from "../lookup/scan-links.ts";
import { isItemId } from "../../catalog/lending/item-names.ts";

/** Largest notice, in bytes. */
const LINK_BODY_BYTES = 16 * 1024;
/** Longest comment on a change, in characters. */
const LINK_COMMENT_LENGTH_MAX = 1000;

const signature = {
  digest: z.string().default("").describe("HMAC-SHA-256 of `msg` with `LINK_SECRET`, in hexadecimal digits"),
};
const answers = {
  200: { description: "Done", schema: z.object({ status: z.literal("ok") }) },
  400: { description: "The message has another form" },
  401: { description: "The signature is wrong or too old" },
  404: { description: "There is no such edition" },
  503: { description: "No secret is configured" },
};

/** `POST /api/link`: the service that scans books tells which edition a scan is of. */
export const linkItem = operation({
  id: "linkItem",
  summary: "Says which edition a scan is of, signed",
  tag: "records",
  form: {
    ...signature,
    msg: z.string().max(SIGNED_MESSAGE_LENGTH_MAX).default("").describe("`<ocaid>|<edition>|<unix expiry>`"),
  },
  bodyBytes: LINK_BODY_BYTES,
  responses: answers,
  async handle({ form }, context) {
    const [ocaid = "", olid = ""] = await signedParts(context, form, 2);
    const isEdition = new RegExp(`^${context.settings.RECORD_PREFIX}\\d{1,12}M$`).test(olid);
    if (!isItemId(ocaid) || !isEdition) throw badData("msg names no scan and edition");
    await linkScan(context, `/books/${olid}`, ocaid);
    return json({ status: "ok" }, { cacheControl: NO_STORE });
  },
});

/** `POST /api/unlink`: the same tells that a scan is of no edition any more. */
export const unlinkItem = operation({
  id: "unlinkItem",
  summary: "Takes a scan from all editions that have it, signed",
  tag: "records",
  form: {
    ...signature,
    msg: z.string().max(SIGNED_MESSAGE_LENGTH_MAX).default("").describe("`<ocaid>|<unix expiry>`"),
    comment: z.string().max(LINK_COMMENT_LENGTH_MAX).default("Remove OCAID from record"),
  },
  bodyBytes: LINK_BODY_BYTES,
  responses: answers,
  async handle({ form }, context) {
    const [ocaid = ""] = await signedParts(context, form, 1);
    if (!isItemId(ocaid)) throw badData("msg names no scan");
    await unlinkScan(context, ocaid, form.comment);
    return json({ status: "ok" }, { cacheControl: NO_STORE });
  },
});
