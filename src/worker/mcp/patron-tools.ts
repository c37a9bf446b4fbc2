import * as z from "zod";
import { SHELF_KEYS, shelfOfKey } from "../../catalog/patrons/shelves.ts";
import { objectsOf } from "../../catalog/record.ts";
import { ToolFailure } from "./call-route.ts";
import { fitList, nextCursor, offsetCursor, paging, recordName, requireKey, offsetOf, tool } from "./tool.ts";

export const myShelvesTool = tool({
  name: "my_shelves",
  title: "List my shelves",
  description: "Lists the works on one of the person's own shelves, newest entry first.",
  hints: "reads",
  scope: "read",
  input: z.object({
    shelf: z.enum(SHELF_KEYS).default("want-to-read"),
    q: z.string().min(3).max(100).optional().describe("Only works that match these words"),
    ...paging,
  }),
  output: z.object({
    total: z.int(),
    entries: z.array(
      z.object({
        work: z.looseObject({ key: z.string() }),
        logged_edition: z.string().nullish(),
        logged_date: z.string().nullish(),
      }),
    ),
    ...nextCursor,
  }),
  async run({ shelf, q, limit, cursor, max_bytes: most }, caller) {
    const start = offsetOf({ cursor });
    const path = `/people/${await caller.username()}/books/${shelf}.json`;
    const response = await caller.call(path, { query: { q, limit, offset: start } });
    type Entry = { work: { key: string }; logged_edition?: string | null; logged_date?: string | null };
    const { numFound, reading_log_entries: entries } = await response.json<{
      numFound: number;
      reading_log_entries: Entry[];
    }>();
    return fitList({ total: numFound, entries }, "entries", { most, ...offsetCursor(start, numFound) });
  },
});

const work = recordName("Key of the work, such as `/works/OL1W`");
const edition = recordName("Key of the edition that was read, such as `/books/OL1M`").optional();

export const putOnShelfTool = tool({
  name: "put_on_shelf",
  title: "Put a work on a shelf",
  description:
    "Puts a work on one of the person's shelves, and takes it from the others; `none` takes it from all.",
  hints: "replaces",
  scope: "shelves",
  input: z.object({ work, shelf: z.enum([...SHELF_KEYS, "none"]), edition }),
  output: z.object({
    work: z.string(),
    shelf: z.string(),
    changed: z.int().describe("Number of changed entries"),
  }),
  async run({ work: name, shelf, edition: of }, caller) {
    const key = requireKey(name, ["work"], caller);
    const form = {
      bookshelf_id: shelf === "none" ? -1 : shelfOfKey(shelf)?.id,
      edition_id: of === undefined ? undefined : requireKey(of, ["edition"], caller),
      dont_remove: true,
    };
    const { bookshelves_affected: changed } = await caller.object(`${key}/bookshelves.json`, { form });
    return { work: key, shelf, changed: Number(changed) };
  },
});

const EVENTS = ["started", "continued", "finished"] as const;

export const recordReadingTool = tool({
  name: "record_reading",
  title: "Record a reading",
  description: "Records when the person started, continued or finished reading a work.",
  hints: "adds",
  scope: "shelves",
  input: z.object({
    work,
    event: z.enum(EVENTS),
    date: z
      .string()
      .regex(/^\d{4}(?:-\d\d(?:-\d\d)?)?$/)
      .describe("Year, month or day: 2026, 2026-11 or 2026-11-30"),
    edition,
  }),
  output: z.object({ id: z.int().describe("Number of the reading date"), work: z.string() }),
  async run({ work: name, event, date, edition: of }, caller) {
    const key = requireKey(name, ["work"], caller);
    const [year, month, day] = date.split("-").map(Number);
    const json = {
      event_type: EVENTS.indexOf(event) + 1,
      year,
      month,
      day,
      edition_key: of === undefined ? undefined : requireKey(of, ["edition"], caller),
    };
    const { id } = await caller.object(`${key}/check-ins.json`, { json });
    return { id: Number(id), work: key };
  },
});

export const myListsTool = tool({
  name: "my_lists",
  title: "List my lists",
  description: "Lists the person's own lists with their keys and number of members.",
  hints: "reads",
  scope: "read",
  input: z.object(paging),
  output: z.object({
    total: z.int(),
    lists: z.array(z.looseObject({ key: z.string(), name: z.string() })),
    ...nextCursor,
  }),
  async run({ limit, cursor, max_bytes: most }, caller) {
    const start = offsetOf({ cursor });
    const path = `/people/${await caller.username()}/lists.json`;
    const { size, entries } = await caller.object(path, { query: { limit, offset: start } });
    const lists = objectsOf(entries).map(({ url, full_url: _page, name, ...entry }) => {
      return Object.assign({ key: String(url), name: String(name) }, entry);
    });
    const all = Number(size);
    return fitList({ total: all, lists }, "lists", { most, ...offsetCursor(start, all) });
  },
});

const LIST_ITEMS_MAX = 100;
const LIST_KEY = /^\/people\/[\w-][\w.-]{0,99}\/lists\/[A-Z]{1,10}\d{1,15}L$/;

export const addToListTool = tool({
  name: "add_to_list",
  title: "Add to a list",
  description:
    "Adds works, editions, authors or subjects to one of the person's lists. Get its key from my_lists.",
  hints: "addsOnce",
  scope: "lists",
  input: z.object({
    list: z.string().max(200).describe("Key of the list, such as `/people/ada/lists/OL1L`"),
    items: z
      .array(z.string().min(1).max(300))
      .min(1)
      .max(LIST_ITEMS_MAX)
      .describe("Keys such as `/works/OL1W`, or subjects such as `subject:love`"),
  }),
  output: z.object({ list: z.string(), revision: z.int() }),
  async run({ list, items }, caller) {
    if (!LIST_KEY.test(list)) throw new ToolFailure(400, `${list} is not the key of a list`);
    const add = items.map((item) => (item.startsWith("/") ? { key: item } : item));
    const { revision } = await caller.object(`${list}/seeds.json`, { json: { add } });
    return { list, revision: Number(revision) };
  },
});
