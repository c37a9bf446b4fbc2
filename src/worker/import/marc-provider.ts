import { allowedUrl } from "../../catalog/allowed-url.ts";
import { ImportFailure } from "../../import/failure.ts";
import { readMarc } from "../../import/marc/binary.ts";
import { editionOfMarc } from "../../import/marc/edition.ts";
import type { ImportRecord } from "../../import/record.ts";
import type { Settings } from "../http/settings.ts";
import { type Answered, OutboundFailure, getBytes } from "../platform/outbound.ts";
import { MARC_LENGTH } from "./import-bulk.ts";
import { readingMarc } from "./item-marc.ts";

/** How long a host of MARC files may take, in milliseconds. */
export const MARC_FILE_TIMEOUT_MS = 10_000;
const LENGTH_DIGITS = 5;
/** Hosts of this computer, which need no encryption. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The record at `<url>:<byte offset>` of a file on one of the hosts in `MARC_HOSTS` (import.md 4.1). */
export async function recordAtAddress(identifier: string, settings: Settings): Promise<ImportRecord> {
  const [, address = "", offset = ""] = /^(.*):(\d{1,15})$/s.exec(identifier) ?? [];
  const url = allowedUrl(address, settings.MARC_HOSTS, { subdomains: true });
  if (url === undefined || !isSafe(url)) {
    throw new ImportFailure(
      "bad-input",
      "identifier is not <url>:<offset> on one of the hosts that are allowed",
    );
  }
  const bytes = await recordBytes(url, Number(offset), settings.MARC_HOSTS);
  const edition = await readingMarc(
    async () => editionOfMarc(await readMarc(bytes)),
    (problem) => `${identifier}: ${problem}`,
  );
  return { ...edition, source_records: [`marc:${url.href}:${offset}:${bytes.length}`] };
}

/** What is fetched here becomes a record, so nobody on the way may change it. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || LOCAL.has(hostname);
}

/** A request that is open at the end: the record says how much of it is wanted. */
async function recordBytes(url: URL, offset: number, hosts: readonly string[]): Promise<Uint8Array> {
  const { status, bytes } = await answered(url, offset, hosts);
  if (status !== 206) {
    throw new ImportFailure("bad-input", `the file cannot be read from byte ${offset} on: status ${status}`);
  }
  const digits = String.fromCharCode(...bytes.subarray(0, LENGTH_DIGITS));
  const length = /^\d{5}$/.test(digits) ? Number(digits) : bytes.length;
  return bytes.subarray(0, length);
}

async function answered(url: URL, offset: number, hosts: readonly string[]): Promise<Answered> {
  try {
    return await getBytes(url, {
      hosts,
      subdomains: true,
      timeoutMs: MARC_FILE_TIMEOUT_MS,
      maxBytes: MARC_LENGTH,
      cut: true,
      headers: { Range: `bytes=${offset}-` },
    });
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new ImportFailure("bad-input", `the file cannot be read: ${error.message}`);
  }
}
