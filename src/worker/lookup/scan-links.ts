import { KIB } from "../../catalog/units.ts";
import * as z from "zod";
import { isItemId } from "../../catalog/lending/holdings.ts";
import { type CatalogRecord, stringsOf, typeKeyOf } from "../../catalog/record.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { editRecords } from "../editing/edit-records.ts";
import { identifiersOfScan } from "./editions/bundles.ts";
import { notFound } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { botWriter } from "../imports/import-record.ts";
import { isDigest } from "../lending/notices.ts";
import { failure } from "../http/failure.ts";

/** Maximum editions that lose a scan in one change, and such changes in one request. */
const UNLINKED_EDITIONS_MAX = 200;
const UNLINK_CHANGES_MAX = 10;

/** Largest body in bytes; longest message and comment in characters. */
const LINK_BODY_BYTES = 16 * KIB;
const SIGNED_MESSAGE_LENGTH_MAX = 1000;
const LINK_COMMENT_LENGTH_MAX = 1000;

/** Forms of `msg`. */
const LINK_MESSAGE = "<ocaid>|<edition>|<unix expiry>";
const UNLINK_MESSAGE = "<ocaid>|<unix expiry>";

const signature = {
  digest: z.string().default("").describe("HMAC-SHA-256 of `msg` with `LINK_SECRET`, in hexadecimal"),
};
const responses = {
  200: { description: "Confirmation", schema: z.object({ status: z.literal("ok") }) },
  400: { description: "Invalid message" },
  401: { description: "Wrong or expired signature" },
  404: { description: "Edition not found" },
  503: { description: "LINK_SECRET is not configured" },
};

export const linkItem = operation({
  id: "linkItem",
  summary: "Link a scan to an edition by a signed message",
  tag: "records",
  form: {
    ...signature,
    msg: z.string().max(SIGNED_MESSAGE_LENGTH_MAX).default("").describe(`\`${LINK_MESSAGE}\``),
  },
  bodyBytes: LINK_BODY_BYTES,
  responses,
  async handle({ form }, context) {
    const [ocaid = "", olid = ""] = verifyParts(context, form, LINK_MESSAGE);
    const isEdition = new RegExp(`^${context.settings.RECORD_PREFIX}\\d{1,12}M$`).test(olid);
    if (!isItemId(ocaid) || !isEdition) throw failure("bad_data.signed_message", { form: LINK_MESSAGE });
    await linkScan(context, `/books/${olid}`, ocaid);
    return json({ status: "ok" }, { cacheControl: NO_STORE });
  },
});

export const unlinkItem = operation({
  id: "unlinkItem",
  summary: "Unlink a scan from all its editions by a signed message",
  tag: "records",
  form: {
    ...signature,
    msg: z.string().max(SIGNED_MESSAGE_LENGTH_MAX).default("").describe(`\`${UNLINK_MESSAGE}\``),
    comment: z.string().max(LINK_COMMENT_LENGTH_MAX).default("Remove OCAID from record"),
  },
  bodyBytes: LINK_BODY_BYTES,
  responses,
  async handle({ form }, context) {
    const [ocaid = ""] = verifyParts(context, form, UNLINK_MESSAGE);
    if (!isItemId(ocaid)) throw failure("bad_data.signed_message", { form: UNLINK_MESSAGE });
    await unlinkScan(context, ocaid, form.comment);
    return json({ status: "ok" }, { cacheControl: NO_STORE });
  },
});

async function linkScan(context: RequestContext, key: string, ocaid: string): Promise<void> {
  await editRecords(context, [key], (records) => {
    const edition = records.get(key);
    if (edition === undefined || typeKeyOf(edition) !== "/type/edition") throw notFound();
    if (edition["ocaid"] === ocaid) return undefined;
    return changeOf(context, [{ ...edition, ocaid }], "Associate OCAID with record");
  });
}

/** Removes a scan from every edition that has it, or was made from its record. Throws 404 if there are none. */
async function unlinkScan(context: RequestContext, ocaid: string, comment: string): Promise<void> {
  for (let changes = 0; changes < UNLINK_CHANGES_MAX; changes += 1) {
    const catalog = context.stores.catalog.withSession("first-primary");
    const keys = await findEditionKeys(catalog, identifiersOfScan(ocaid), UNLINKED_EDITIONS_MAX);
    if (keys.length === 0 && changes === 0) throw notFound();
    if (keys.length === 0) return;
    await editRecords(context, keys, (records) => {
      const editions = [...records.values()].filter(
        (edition) =>
          edition["ocaid"] === ocaid || stringsOf(edition["source_records"]).includes(`ia:${ocaid}`),
      );
      const documents = editions.map((edition) => withoutScan(edition, ocaid));
      return documents.length === 0 ? undefined : changeOf(context, documents, comment);
    });
    if (keys.length < UNLINKED_EDITIONS_MAX) return;
  }
  throw failure("unavailable.unlinked");
}

/** Builds a change by the import bot. Its permissions are not checked: the signature authorises the change. */
function changeOf({ settings }: RequestContext, documents: readonly CatalogRecord[], comment: string) {
  const { author, bot } = botWriter(settings);
  return { documents, kind: "edit-edition-ocaid", comment, authority: "service", author, bot } as const;
}

function withoutScan(edition: CatalogRecord, ocaid: string): CatalogRecord {
  const { ocaid: scan, source_records: sources, ...others } = edition;
  const otherSources = stringsOf(sources).filter((source) => source !== `ia:${ocaid}`);
  return {
    ...others,
    ...(scan === undefined || scan === ocaid ? {} : { ocaid: scan }),
    ...(otherSources.length === 0 ? {} : { source_records: otherSources }),
  };
}

/**
 * Verifies `msg` and returns its parts without the last one, the expiry in seconds since the epoch. `message` is the form
 * of `msg`. Throws 503 without a secret, 400 for a malformed message, and 401 for a wrong signature or an expired message.
 */
function verifyParts(
  { settings, now }: RequestContext,
  { digest, msg }: { digest: string; msg: string },
  message: string,
): string[] {
  const { LINK_SECRET: secret } = settings;
  if (secret === undefined) throw failure("unavailable.setting", { setting: "LINK_SECRET" });
  const parts = msg.split("|");
  const expiry = parts.pop() ?? "";
  // Q454: malformed messages are reported before the signature is checked.
  const hasParts = parts.length === message.split("|").length - 1 && !parts.includes("");
  const isComplete = hasParts && /^\d{1,12}(?:\.\d{1,9})?$/.test(expiry);
  if (!isComplete || msg.length > SIGNED_MESSAGE_LENGTH_MAX)
    throw failure("bad_data.signed_message", { form: message });
  const isSigned = isDigest(digest, msg, secret);
  if (!isSigned || Number(expiry) * 1000 <= now) {
    const headers = { "WWW-Authenticate": "Signature" };
    throw failure("unauthenticated.signature", {}, { code: "bad_signature", headers });
  }
  return parts;
}
