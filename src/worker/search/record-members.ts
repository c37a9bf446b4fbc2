import { EBOOK_ACCESS_LEVELS } from "../../catalog/ebook-access.ts";
import { type CatalogRecord, stringsOf, textOf } from "../../catalog/record.ts";
import { readRecordMap } from "../../db/records/records.ts";
import type { Document } from "../../search/engine.ts";
import type { FieldSelection } from "../../search/present/selected-fields.ts";
import { providersOf } from "../../search/present/providers.ts";
import { type FoundWork, type RecordMembers, workAddressOf } from "../../search/present/works.ts";
import { type RequestContext, catalogReader } from "../http/operation.ts";

/** Reads descriptions and providers of works and editions from their records. One statement or none. */
export async function readRecordMembers(
  works: readonly FoundWork[],
  fields: FieldSelection,
  context: RequestContext,
): Promise<RecordMembers> {
  const sources = works.flatMap((work) => sourcesOf(work, fields));
  const keys = sources.flatMap(({ description, providers }) => [description, providers]);
  const records = await readRecordMap(catalogReader(context), [
    ...new Set(keys.filter((key) => key !== undefined)),
  ]);
  return new Map(sources.map((source) => [source.key, membersOf(source, records, context)]));
}

interface Source {
  key: string;
  document: Document;
  description: string | undefined;
  providers: string | undefined;
}

function sourcesOf({ document, chosen }: FoundWork, { description, providers }: FieldSelection): Source[] {
  const key = keyOf(document);
  const edition = chosen?.edition;
  // A work has the offers of the edition that is lent, else of the first.
  const [olid] = [...stringsOf(document["lending_edition_s"]), ...stringsOf(document["edition_key"])];
  const offered = olid === undefined ? undefined : `/books/${olid}`;
  const work: Source = {
    key,
    document: edition ?? document,
    description: description.work ? workAddressOf(key) : undefined,
    providers: providers.work ? (edition ? keyOf(edition) : offered) : undefined,
  };
  if (edition === undefined) return [work];
  const editionSource: Source = {
    key: keyOf(edition),
    document: edition,
    description: description.edition ? keyOf(edition) : undefined,
    providers: providers.edition ? keyOf(edition) : undefined,
  };
  return [work, editionSource];
}

function membersOf(
  { document, description, providers }: Source,
  records: ReadonlyMap<string, CatalogRecord>,
  { settings }: RequestContext,
): Document {
  const text = description === undefined ? undefined : textOf(records.get(description)?.["description"]);
  const edition = providers === undefined ? undefined : records.get(providers);
  const access = EBOOK_ACCESS_LEVELS.find((level) => level === document["ebook_access"]) ?? "no_ebook";
  const archiveUrl = settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  const offers = edition === undefined ? [] : providersOf(edition, { access, archiveUrl });
  return {
    ...(text === undefined || text === "" ? {} : { description: text }),
    ...(offers.length === 0 ? {} : { providers: offers }),
  };
}

function keyOf(document: Document): string {
  return stringsOf(document["key"])[0] ?? "";
}
