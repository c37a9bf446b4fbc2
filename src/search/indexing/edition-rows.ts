import { lastSegment } from "../../catalog/keys.ts";
import { accessLevelOf } from "../documents/scans.ts";
import type { EditionDocument, WorkDocument } from "../documents/types.ts";
import { addBookTokens } from "./book-tokens.ts";
import { EDITION_TEXT_COLUMNS, columnTextsOf, joinTokens } from "./columns.ts";
import { editionMembersOf } from "./edition-members.ts";
import { filterToken } from "./filter-token.ts";
import { fittedJson } from "./fitted-json.ts";
import { editionIdOfKey, editionRowId } from "./ids.ts";

/** Edition in its form in the index. */
export interface EditionRow {
  /** Position by openness, cover and number, from 0. */
  readonly rank: number;
  /** Position by number, from 0. */
  readonly position: number;
  /** Number of the key. */
  readonly id: number;
  /** JSON of `editionMembersOf`. */
  readonly document: string;
  /** Row with its texts; undefined for editions that cannot be found by their own texts. */
  readonly text: EditionTextRow | undefined;
}

interface EditionTextRow {
  readonly rowId: number;
  /** Texts parallel to `EDITION_TEXT_COLUMNS`, then the tokens. */
  readonly columns: readonly string[];
}

/** Options for making rows of editions. */
interface EditionRowOptions {
  /** Number of the work in the index. */
  readonly workId: number;
  readonly prefix: string;
}

const NONE: readonly string[] = [];
/** Returns rows of all editions of a work, in order of rank. */
export function toEditionRows(work: WorkDocument, options: EditionRowOptions): EditionRow[] {
  const ranked = work.editions.map((edition, position) => ({ edition, position })).sort(compareByRank);
  return ranked.map(({ edition, position }, rank) => ({
    rank,
    position,
    id: editionIdOfKey(edition.key, options.prefix) ?? 0,
    document: fittedJson(editionMembersOf(edition, work)),
    text: toTextRow(edition, rank, options),
  }));
}

interface Ranked {
  readonly edition: EditionDocument;
  readonly position: number;
}

function compareByRank(one: Ranked, other: Ranked): number {
  return (
    accessLevelOf(other.edition.ebook_access) - accessLevelOf(one.edition.ebook_access) ||
    Number(other.edition.cover_i !== undefined) - Number(one.edition.cover_i !== undefined) ||
    one.position - other.position
  );
}

function toTextRow(
  edition: EditionDocument,
  rank: number,
  options: EditionRowOptions,
): EditionTextRow | undefined {
  const rowId = editionRowId(options.workId, rank);
  if (rowId === undefined) return undefined;
  const tokens = [filterToken("w", String(options.workId)), filterToken("ek", lastSegment(edition.key))];
  addBookTokens(tokens, edition);
  const texts = columnTextsOf(EDITION_TEXT_COLUMNS, edition, { number: numbersOf(edition) });
  texts.push(joinTokens(tokens));
  return { rowId, columns: texts };
}

/** Returns numbers of other libraries, which are also found as words. */
export function numbersOf({ oclc, lccn }: WorkDocument | EditionDocument): readonly string[] {
  if (oclc === undefined) return lccn ?? NONE;
  return lccn === undefined ? oclc : oclc.concat(lccn);
}
