import { type CatalogRecord, stringsOf, typeKey } from "../../catalog/record.ts";
import { findEditionKeys } from "../../db/records/identifiers.ts";
import { CarrelError, badData, notFound, unavailable } from "../http/errors.ts";
import type { RequestContext } from "../http/operation.ts";
import { botWriter } from "../imports/writer.ts";
import { isDigest } from "../lending/notices.ts";
import { editRecords } from "../history/edit.ts";

/** Editions that lose a scan in one change, and such changes of one request. */
const UNLINKED_EDITIONS_MAX = 200;
const UNLINK_CHANGES_MAX = 10;

const KIND = "edit-edition-ocaid";

/** Says of an edition that a scan is of it; one that has another scan gets this one. Throws a 404. */
export async function linkScan(context: RequestContext, key: string, ocaid: string): Promise<void> {
  await editRecords(context, [key], (records) => {
    const edition = records.get(key);
    if (edition === undefined || typeKey(edition) !== "/type/edition") throw notFound();
    if (edition["ocaid"] === ocaid) return undefined;
    return change(context, [{ ...edition, ocaid }], "Associate OCAID with record");
  });
}

/** Takes a scan from every edition that has it, or was made of its record. Throws a 404 when there is none. */
export async function unlinkScan(context: RequestContext, ocaid: string, comment: string): Promise<void> {
  const wanted = [
    { kind: "ocaid", value: ocaid },
    { kind: "source", value: `ia:${ocaid}` },
  ];
  for (let changes = 0; changes < UNLINK_CHANGES_MAX; changes += 1) {
    const catalog = context.stores.catalog.withSession("first-primary");
    const keys = await findEditionKeys(catalog, wanted, UNLINKED_EDITIONS_MAX);
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

/** Longest message, in characters. */
export const SIGNED_MESSAGE_LENGTH_MAX = 1000;

/** What the service that scans books sends. */
interface SignedMessage {
  /** HMAC-SHA-256 of `msg` with `LINK_SECRET`, in hexadecimal digits. */
  readonly digest: string;
  /** Parts with `|` in between, the last one when it ends: seconds since the epoch. */
  readonly msg: string;
}

/**
 * The parts of a message but its end. Throws 503 without a secret, 400 for one of another form, and 401 for one that is not
 * signed so or is over.
 */
export async function signedParts(
  { settings, now }: RequestContext,
  { digest, msg }: SignedMessage,
  count: number,
): Promise<string[]> {
  const { LINK_SECRET: secret } = settings;
  if (secret === undefined) throw unavailable("No LINK_SECRET is configured, so links cannot be told.");
  const parts = msg.split("|");
  const end = parts.pop() ?? "";
  // Q454: what is no message is told before who sent it.
  const isWhole = parts.length === count && !parts.includes("") && /^\d{1,12}(?:\.\d{1,9})?$/.test(end);
  if (!isWhole || msg.length > SIGNED_MESSAGE_LENGTH_MAX) throw badData("msg has another form");
  const isSigned = await isDigest(digest, msg, secret);
  if (!isSigned || Number(end) * 1000 <= now) throw notSigned();
  return parts;
}

function notSigned(): CarrelError {
  return new CarrelError(401, "bad_signature", {
    message: "The signature is wrong or too old",
    headers: { "WWW-Authenticate": "Signature" },
  });
}
