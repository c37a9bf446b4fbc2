import { MIB } from "../../catalog/units.ts";
import * as z from "zod";
import {
  type BackupStore,
  BACKUP_TABLES,
  countTables,
  readTablePage,
  tableRule,
  writeTableRows,
} from "../../db/service/backup-tables.ts";
import { tryParseJson } from "../../catalog/record.ts";
import { bodyText } from "../http/bytes.ts";
import { notFound } from "../http/errors.ts";
import { operation } from "../http/operation.ts";
import { boolean } from "../http/parameters.ts";
import { queryJson } from "../http/request-body.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { failure } from "../http/failure.ts";

const store = z.enum(["catalog", "patrons"]);
const value = z.union([z.string(), z.number(), z.null()]);
const row = z.record(z.string(), value);
const key = z.array(z.union([z.string(), z.number()]));
/** Largest body in bytes: a page, or a row with its longest value. */
const ROWS_BODY_BYTES = 12 * MIB;

/** `GET /system/backup`: the tables of a backup in the order in which they are restored. */
export const backupTables = operation({
  id: "backupTables",
  summary: "List the tables of a backup",
  tag: "operation",
  query: { counts: boolean().default(false).describe("True to count the rows, which reads all of them") },
  responses: {
    200: {
      description: "Tables in the order in which they are restored",
      schema: z.object({ tables: z.array(z.object({ store, name: z.string(), rows: z.int().optional() })) }),
    },
  },
  async handle({ query }, { stores }) {
    const tables = [];
    for (const name of store.options) {
      const counts = query.counts ? await countTables(stores[name], name) : undefined;
      for (const table of Object.keys(BACKUP_TABLES[name])) {
        tables.push({ store: name, name: table, ...(counts && { rows: counts.get(table) ?? 0 }) });
      }
    }
    return json({ tables }, { cacheControl: NO_STORE });
  },
});

const tablePath = { store, table: z.string() };

export const backupTable = operation({
  id: "backupTable",
  summary: "List rows of a table for a backup",
  tag: "operation",
  path: tablePath,
  query: { after: z.string().optional().describe("`next` of the previous page, as JSON") },
  responses: {
    200: {
      description: "Page of rows by key, and the key after which the next page starts",
      schema: z.object({ rows: z.array(row), next: z.array(value).nullable() }),
    },
    404: { description: "Table not found in backups" },
  },
  async handle({ path, query }, { stores }) {
    const after = query.after === undefined ? null : key.safeParse(tryParseJson(query.after)).data;
    const { rule, table } = ruleOf(path);
    if (after === undefined || (after !== null && after.length !== rule.keys.length))
      throw failure("bad_data.backup_after");
    const page = await readTablePage(stores[path.store], { table, rule, after });
    return json(page, { cacheControl: NO_STORE });
  },
});

const rowsBody = z.object({ rows: z.array(row).max(500), first: z.boolean().default(false) });

export const restoreTable = operation({
  id: "restoreTable",
  summary: "Restore rows of a table from a backup",
  tag: "operation",
  path: tablePath,
  body: {
    contentType: "application/json",
    description: "`{rows, first}` with at most 500 rows; `first` is true for the first page of the table",
  },
  responses: {
    200: { description: "Number of rows", schema: z.object({ rows: z.int() }) },
    404: { description: "Table not found in backups" },
  },
  async handle({ path }, context) {
    const { rule, table } = ruleOf(path);
    const text = await bodyText(context.request, ROWS_BODY_BYTES);
    const { data } = rowsBody.safeParse(queryJson(text, ROWS_BODY_BYTES));
    if (data === undefined)
      throw failure("bad_data.body", { example: '{"rows": [[1, "a"]], "first": true}' });
    const { rows, first } = data;
    const catalog = context.stores[path.store];
    try {
      await writeTableRows(catalog, { table, rule, written: rows, isFirst: first });
    } catch (error) {
      throw isMisfit(error) ? failure("bad_data.backup_rows", { problem: String(error) }) : error;
    }
    if (rule.keys[0] === "id" && "passNumbers" in catalog) await catalog.passNumbers?.([table]);
    return json({ rows: rows.length }, { cacheControl: NO_STORE });
  },
});

/** True if rows have columns or values that this version's table does not take. */
function isMisfit(error: unknown): boolean {
  return error instanceof RangeError || /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH)|column "/.test(String(error));
}

function ruleOf({ store: name, table }: { store: BackupStore; table: string }) {
  const rule = tableRule(name, table);
  if (rule === undefined) throw notFound();
  return { rule, table };
}
