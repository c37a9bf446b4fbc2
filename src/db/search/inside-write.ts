import { type Database, type Statement, batchRows } from "../statement.ts";

/** Book in the form stored for full-text search inside books. */
interface StoredBook {
  readonly identifier: string;
  /** JSON texts of `BookMetadata`, `FacetValues`, folded language names, and `BlockMap`. */
  readonly metadata: string;
  readonly facets: string;
  readonly languages: string;
  readonly blocks: string;
  /** Key of the R2 object with the text. */
  readonly object: string;
}

/** Maximum length of page tokens written per statement, in UTF-16 units: their JSON stays below 2,000,000 bytes. */
const STATEMENT_LENGTH = 400_000;

const OBJECT = "SELECT object FROM book WHERE identifier = ?1";
const DELETE_PAGES = `
  DELETE FROM page_text WHERE rowid
    BETWEEN (SELECT no FROM book WHERE identifier = ?1) * 10000
    AND (SELECT no FROM book WHERE identifier = ?1) * 10000 + 9999`;
const UPSERT = `
  INSERT INTO book (identifier, metadata, facets, languages, blocks, object, pages)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
  ON CONFLICT (identifier) DO UPDATE SET
    metadata = excluded.metadata, facets = excluded.facets, languages = excluded.languages,
    blocks = excluded.blocks, object = excluded.object, pages = excluded.pages`;
const INSERT_PAGES = `
  INSERT INTO page_text (rowid, text)
  SELECT (SELECT no FROM book WHERE identifier = ?1) * 10000 + ?2 + p.key, p.value FROM json_each(?3) p`;

/**
 * Stores a book with the tokens of its pages, replacing any earlier version, in one transaction. Returns the R2 object
 * with the old text, or undefined if there was none.
 */
export async function putBook(
  database: Database,
  book: StoredBook,
  pages: readonly string[],
): Promise<string | undefined> {
  const { identifier, metadata, facets, languages, blocks, object } = book;
  const values = [identifier, metadata, facets, languages, blocks, object, pages.length];
  return replace(database, identifier, [{ sql: UPSERT, values }, ...insertPages(identifier, pages)]);
}

/** Deletes a book and its pages. Returns the R2 object with its text, or undefined if there was none. */
export function deleteBook(database: Database, identifier: string): Promise<string | undefined> {
  return replace(database, identifier, [
    { sql: "DELETE FROM book WHERE identifier = ?1", values: [identifier] },
  ]);
}

async function replace(
  database: Database,
  identifier: string,
  statements: readonly Statement[],
): Promise<string | undefined> {
  const before = [OBJECT, DELETE_PAGES].map((sql) => ({ sql, values: [identifier] }));
  const [found = []] = await batchRows(database, [...before, ...statements]);
  // The statement selects one column of at most one row.
  const [row] = found as { object: string }[];
  return row?.object;
}

function insertPages(identifier: string, pages: readonly string[]): Statement[] {
  const statements: Statement[] = [];
  let first = 0;
  let length = 0;
  for (const [place, page] of pages.entries()) {
    length += page.length;
    if (length < STATEMENT_LENGTH && place < pages.length - 1) continue;
    const texts = JSON.stringify(pages.slice(first, place + 1));
    statements.push({ sql: INSERT_PAGES, values: [identifier, first, texts] });
    first = place + 1;
    length = 0;
  }
  return statements;
}
