import * as z from "zod";
import { SHELVES } from "../../../catalog/patrons/shelves.ts";
import { listAccounts } from "../../../db/accounts/read-accounts.ts";
import { readNewestReaders } from "../../../db/patrons/leaders.ts";
import { hidesLog } from "../../accounts/follow.ts";
import { type AnyOperation, type RequestContext } from "../../http/operation.ts";
import { type Reply, PRIVATE } from "../../http/reply.ts";
import { optionalSession, patronOf } from "../../http/session.ts";
import { readAnyRecord } from "../../records/record.ts";
import { isAnonymous } from "../../search/engine.ts";
import { coverOfBook } from "../../ui/book-row.ts";
import { cover } from "../../ui/cover.ts";
import { SHELF_WORDS } from "../../ui/dropper.ts";
import { page } from "../../ui/layout.ts";
import { type Markup, markup } from "../../ui/markup.ts";
import { dots, link } from "../../ui/parts.ts";
import { number, t } from "../../ui/words.ts";
import { followButtons } from "./follows.ts";
import { wantsProfilePage } from "./profile.ts";
import { type BookView, readBookViews } from "./book-list.ts";
import { personPath } from "./patron-page.ts";

/** Readers whose privacy setting is checked, and books of each on the page. */
const READERS_MAX = 24;
const BOOKS_SHOWN = 4;
const COVER_WIDTH = 64;
/** Time that clients and shared caches may store the page, in seconds: the delay until readers can hide their log. */
const READERS_SECONDS = 60;
const LONGEST_NAME = 100;

export const people: AnyOperation = {
  ...readAnyRecord,
  id: "people",
  summary: "List readers with a public reading log",
  tag: "people",
  path: {},
  query: { ...readAnyRecord.query, q: z.string().default("").describe("Prefix of the username") },
  handle: (input, context) =>
    wantsProfilePage(context)
      ? readersPage(String(input.query["q"]), context)
      : readAnyRecord.handle(input, context),
};

interface Reader {
  username: string;
  displayname: string;
  sizes: Readonly<Record<number, number>>;
  works: readonly number[];
}

async function readersPage(q: string, context: RequestContext): Promise<Reply> {
  const name = q.trim().slice(0, LONGEST_NAME);
  const [readers, session] = await Promise.all([readReaders(context, name), optionalSession(context)]);
  const [books, buttons] = await Promise.all([
    readBookViews(context, [...new Set(readers.flatMap(({ works }) => works))]),
    followButtons(context, { reader: session?.username, entries: readers }),
  ]);
  const items = readers.map((reader, at) => readerItem(reader, books, buttons[at]));
  return page({
    title: t("people.title"),
    body: markup`<p>${t("people.lead")}</p>
<form class="line" action="/people"><label for="q">${t("people.name")}</label> <input id="q" name="q" type="search" value="${name}" maxlength="${LONGEST_NAME}" autocapitalize="none"> <button>${t("people.find")}</button></form>
${items.length === 0 ? markup`<p>${t("people.none")}</p>` : markup`<ul class="people">${items}</ul>`}`,
    cacheControl: isAnonymous(context) ? `public, max-age=${READERS_SECONDS}` : PRIVATE,
  });
}

/** Reads readers whose names begin with `name`, or who used a shelf last, without readers who hide their log. */
async function readReaders({ stores, now }: RequestContext, name: string): Promise<Reader[]> {
  const { patrons } = stores;
  const accounts =
    name === ""
      ? await readNewestReaders(patrons, READERS_MAX)
      : (await listAccounts(patrons, { prefix: name, limit: READERS_MAX })).filter(
          ({ status }) => status === "active",
        );
  const year = new Date(now).getUTCFullYear();
  const readers = await Promise.all(
    accounts.map(async ({ username, displayname }): Promise<Reader[]> => {
      if (await hidesLog(stores, username)) return [];
      const { sizes, newest } = await patronOf(stores, username).pages.overview({ limit: BOOKS_SHOWN, year });
      const latest = newest.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0));
      return [{ username, displayname, sizes, works: latest.slice(0, BOOKS_SHOWN).map(({ work }) => work) }];
    }),
  );
  return readers.flat();
}

function readerItem(
  { username, displayname, sizes, works }: Reader,
  books: ReadonlyMap<number, BookView>,
  button: Markup | undefined,
): Markup {
  const covers = works.flatMap((work) => {
    const book = books.get(work);
    // No link: the reader's name links to all books.
    return book === undefined ? [] : cover({ ...coverOfBook(book), href: undefined, width: COVER_WIDTH });
  });
  const counts = SHELVES.flatMap(({ id }) => {
    const size = sizes[id] ?? 0;
    return size === 0 ? [] : markup`${t(SHELF_WORDS[id])} <span class="n">${number(size)}</span>`;
  });
  return markup`<li class="card"><div class="bar"><h2>${link(personPath(username), markup`<bdi>${displayname === "" ? username : displayname}</bdi>`)}</h2>${button}</div>
<p class="small soft">${dots(counts)}</p><div class="line">${covers}</div></li>`;
}
