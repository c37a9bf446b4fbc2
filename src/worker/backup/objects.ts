import { KIB, MIB } from "../../catalog/units.ts";
import * as z from "zod";
import { tryParseJson } from "../../catalog/record.ts";
import { readUnsaved, readUnsavedVersion } from "../../db/patrons/unsaved.ts";
import { LISTED_ACCOUNTS_MAX, listAccounts } from "../../db/accounts/read-accounts.ts";
import { restoreCheckInIds, storeActivity } from "../../db/patrons/activity.ts";
import type { ObjectTables, RowPlace } from "../../durable/object-tables.ts";
import { bodyText, textStream } from "../http/bytes.ts";
import { type RequestContext, operation } from "../http/operation.ts";
import { integer } from "../http/parameters.ts";
import { readJsonBody } from "../http/request-body.ts";
import { NO_STORE, json } from "../http/reply.ts";
import { patronOf } from "../http/session.ts";
import { failure } from "../http/failure.ts";

/** Patrons of a page, and objects that are read or written by one request. */
const LISTED_PATRONS = LISTED_ACCOUNTS_MAX;
const OBJECTS_MAX = 20;
/** Attempts to read an object that changes while its parts are read. */
const READ_ATTEMPTS = 5;
const NAMES_BODY_BYTES = 16 * KIB;
/** Largest body in bytes: a part of an object has some 4 MiB. */
const LINES_BODY_BYTES = 12 * MIB;
const NDJSON = "application/x-ndjson";

const position = z.int().nonnegative();

/** `GET /system/backup/patrons`: patrons whose objects a backup lacks. */
export const backupPatrons = operation({
  id: "backupPatrons",
  summary: "List the patrons to back up",
  tag: "operation",
  query: {
    after: z.string().optional().describe("Username to start after; lists all patrons by username"),
    changed_after: integer(position)
      .optional()
      .describe("Version to start after; lists the patrons that changed since, by version"),
  },
  responses: {
    200: {
      description: `At most ${LISTED_PATRONS} patrons by lower-case username`,
      schema: z.object({
        patrons: z.array(z.object({ patron: z.string(), version: z.int().optional() })),
        version: z.int().describe("Highest version before the patrons were read"),
      }),
    },
  },
  async handle({ query }, { stores: { patrons } }) {
    const { after = "", changed_after: from } = query;
    const version = await readUnsavedVersion(patrons);
    const listed =
      from === undefined
        ? (await listAccounts(patrons, { prefix: "", after })).map((account) =>
            account.username.toLowerCase(),
          )
        : undefined;
    const found =
      listed?.map((patron) => ({ patron })) ??
      (await readUnsaved(patrons, { after: from ?? 0, limit: LISTED_PATRONS }));
    return json({ patrons: found, version }, { cacheControl: NO_STORE });
  },
});

const names = z.object({ names: z.array(z.string().min(1).max(300)).min(1).max(OBJECTS_MAX) });

/** Reads the names of objects from the body. */
function readNames({ request }: RequestContext) {
  return readJsonBody(request, names, { limit: NAMES_BODY_BYTES, example: '{"names": ["ann"]}' });
}

const lines = {
  contentType: NDJSON,
  description:
    "JSON Lines: `name`, `part` from 0, `last` (true for the last part), `tables` with their rows by table name",
};

/** `POST /system/backup/patrons/read`: the objects of patrons, each whole as of one moment. */
export const readPatrons = operation({
  id: "readPatrons",
  summary: "Export the data of patrons for a backup",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: '`{"names": […]}` with at most 20 lower-case usernames',
  },
  responses: {
    200: {
      ...lines,
      description: `${lines.description}; a part 0 replaces earlier parts; \`error\` if a patron cannot be read`,
    },
  },
  async handle(_input, context) {
    const { names: patrons } = await readNames(context);
    return {
      status: 200,
      body: textStream(patronLines(patrons, context)),
      contentType: NDJSON,
      cacheControl: NO_STORE,
    };
  },
});

async function* patronLines(patrons: readonly string[], context: RequestContext): AsyncGenerator<string> {
  for (const name of patrons) {
    try {
      yield* linesOfPatron(name, context);
    } catch (error) {
      yield `${JSON.stringify({ name, error: String(error) })}\n`;
    }
  }
}

async function* linesOfPatron(name: string, { stores }: RequestContext): AsyncGenerator<string> {
  const { backup } = patronOf(stores, name);
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt += 1) {
    let [from, moment, part] = [null as RowPlace | null, "", 0];
    for (;;) {
      const { tables, next, mark } = await backup.read(from);
      // The object has changed since the first part.
      if (part > 0 && mark !== moment) break;
      yield `${JSON.stringify({ name, part, last: next === null, tables })}\n`;
      if (next === null) return;
      [from, moment, part] = [next, mark, part + 1];
    }
  }
  throw new Error("the data kept changing");
}

const line = z.object({
  name: z.string().min(1).max(300),
  part: z.int().nonnegative(),
  last: z.boolean(),
  tables: z.custom<ObjectTables>((value) => typeof value === "object" && value !== null),
});

async function readLines({ request }: RequestContext) {
  const texts = (await bodyText(request, LINES_BODY_BYTES)).split("\n").filter((text) => text !== "");
  if (texts.length > OBJECTS_MAX) throw failure("bad_data.too_many_lines", { most: OBJECTS_MAX });
  return texts.map((text) => {
    const { data } = line.safeParse(tryParseJson(text));
    if (data === undefined) throw failure("bad_data.backup_line");
    return data;
  });
}

const restored = { 200: { description: "Number of lines", schema: z.object({ lines: z.int() }) } };

/** `POST /system/backup/patrons`: writes objects of patrons, who need accounts before. Idempotent. */
export const restoreObjectsOfPatrons = operation({
  id: "restoreObjectsOfPatrons",
  summary: "Restore the data of patrons from a backup",
  tag: "operation",
  body: lines,
  responses: restored,
  async handle(_input, context) {
    const { stores } = context;
    const parts = await readLines(context);
    for (const { name, part, last, tables } of parts) {
      const { backup } = patronOf(stores, name);
      await orMisfit(async () => {
        const ids = await backup.write(tables, { isFirst: part === 0, isLast: last });
        await restoreCheckInIds(stores.patrons, name, ids);
        if (!last) return;
        for (let after = 0; ;) {
          const items = await backup.activity(after);
          if (items.length === 0) return;
          await storeActivity(stores.patrons, [{ patron: name, items }]);
          after = items.at(-1)?.sequence ?? 0;
        }
      });
    }
    return json({ lines: parts.length }, { cacheControl: NO_STORE });
  },
});

/** `POST /system/backup/desks/read`: the loans and places of items. */
export const readDesks = operation({
  id: "readDesks",
  summary: "Export loans and waiting lists of items for a backup",
  tag: "operation",
  body: {
    contentType: "application/json",
    description: '`{"names": […]}` with at most 20 ids of scanned items',
  },
  responses: { 200: lines },
  async handle(_input, context) {
    const { names: items } = await readNames(context);
    const found = await Promise.all(
      items.map(async (name) => {
        const tables = await context.stores.loanDesk.getByName(name).readBackup();
        return `${JSON.stringify({ name, part: 0, last: true, tables })}\n`;
      }),
    );
    return { status: 200, body: found.join(""), contentType: NDJSON, cacheControl: NO_STORE };
  },
});

/** `POST /system/backup/desks`: writes loans and places, which the desks report then. Idempotent. */
export const restoreDesks = operation({
  id: "restoreDesks",
  summary: "Restore loans and waiting lists from a backup",
  tag: "operation",
  body: lines,
  responses: restored,
  async handle(_input, context) {
    const parts = await readLines(context);
    await Promise.all(
      parts.map(({ name, tables }) =>
        orMisfit(() => context.stores.loanDesk.getByName(name).writeBackup(tables)),
      ),
    );
    return json({ lines: parts.length }, { cacheControl: NO_STORE });
  },
});

/** Throws 400 if an object does not have the tables or columns of a line. */
async function orMisfit<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof RangeError || /constraint|mismatch|SQLITE_ERROR/i.test(String(error))
      ? failure("bad_data.backup_rows", { problem: String(error) })
      : error;
  }
}
