import * as z from "zod";
import { isItemId } from "../../catalog/lending/holdings.ts";
import { type CatalogRecord, stringsOf, typeKey } from "../../catalog/record.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { editRecords } from "../history/edit.ts";
import { identifiersOfScan } from "../holdings/edition-of-address.ts";
import { CarrelError, badData, notFound, unavailable } from "../http/errors.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { botWriter } from "../imports/load-context.ts";
import { isDigest } from "../lending/notices.ts";

/** Editions that lose a scan in one change, and such changes of one request. */
const UNLINKED_EDITIONS_MAX = 200;
const UNLINK_CHANGES_MAX = 10;

/** Longest message, in characters. */
const SIGNED_MESSAGE_LENGTH_MAX = 1000;

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

const KIND = "edit-edition-ocaid";

/** Says of an edition that a scan is of it; one that has another scan gets this one. Throws a 404. */
async function linkScan(context: RequestContext, key: string, ocaid: string): Promise<void> {
  await editRecords(context, [key], (records) => {
    const edition = records.get(key);
    if (edition === undefined || typeKey(edition) !== "/type/edition") throw notFound();
    if (edition["ocaid"] === ocaid) return undefined;
    return change(context, [{ ...edition, ocaid }], "Associate OCAID with record");
  });
}

/** Takes a scan from every edition that has it, or was made of its record. Throws a 404 when there is none. */
async function unlinkScan(context: RequestContext, ocaid: string, comment: string): Promise<void> {
  for (let changes = 0; changes < UNLINK_CHANGES_MAX; changes += 1) {
    const catalog = context.stores.catalog.withSession("first-primary");
    const keys = await findEditionKeys(catalog, identifiersOfScan(ocaid), UNLINKED_EDITIONS_MAX);
    if (keys.length === 0 && changes === 0) throw notFound();
    if (keys.length === 0) return;
    await editRecords(context, keys, (records) => {
      const documents = [...records.values()].filter((edition) => hasScan(edition, ocaid));
      const without = documents.map((edition) => withoutScan(edition, ocaid));
      return without.length === 0 ? undefined : change(context, without, comment);
    });
    if (keys.length < UNLINKED_EDITIONS_MAX) return;
  }
  throw unavailable("Not all editions have lost the scan yet. Please ask again.");
}

/** As the account that imports are made by, whatever that may do: the signature is what allows it. */
function change({ settings }: RequestContext, documents: readonly CatalogRecord[], comment: string) {
  const { author, bot } = botWriter(settings);
  return { documents, kind: KIND, comment, authority: "service", author, bot } as const;
}

function hasScan(edition: CatalogRecord, ocaid: string): boolean {
  return edition["ocaid"] === ocaid || stringsOf(edition["source_records"]).includes(`ia:${ocaid}`);
}

function withoutScan(edition: CatalogRecord, ocaid: string): CatalogRecord {
  const { ocaid: scan, source_records: sources, ...others } = edition;
  const kept = stringsOf(sources).filter((source) => source !== `ia:${ocaid}`);
  return {
    ...others,
    ...(scan === undefined || scan === ocaid ? {} : { ocaid: scan }),
    ...(kept.length === 0 ? {} : { source_records: kept }),
  };
}

/**
 * The parts of a message, with `|` in between, but the last one, its end in seconds since the epoch. Throws 503 without a
 * secret, 400 for one of another form, and 401 for one that is not signed so or is over.
 */
async function signedParts(
  { settings, now }: RequestContext,
  { digest, msg }: { readonly digest: string; readonly msg: string },
  count: number,
): Promise<string[]> {
  const { LINK_SECRET: secret } = settings;
  if (secret === undefined) throw unavailable("No LINK_SECRET is configured, so links cannot be told.");
  const parts = msg.split("|");
  const end = parts.pop() ?? "";
  // Q454: what is no message is told before who sent it.
  const isWhole = parts.length === count && !parts.includes("") && /^\d{1,12}(?:\.\d{1,9})?$/.test(end);
  if (!isWhole || msg.length > SIGNED_MESSAGE_LENGTH_MAX) throw badData("msg has another form");
  const isSigned = isDigest(digest, msg, secret);
  if (!isSigned || Number(end) * 1000 <= now) {
    throw new CarrelError(401, "bad_signature", {
      message: "The signature is wrong or too old",
      headers: { "WWW-Authenticate": "Signature" },
    });
  }
  return parts;
}
