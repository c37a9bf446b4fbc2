import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { indexAll } from "../../support/worker/indexing.ts";
import { loggedIn } from "../../support/worker/logged-in.ts";
import { author, edition, editionKey, work, workKey } from "../../support/worker/records.ts";
import { type TestRecord, testService } from "../../support/worker/service.ts";

// Every list that continues, to its end, over records that are too large alone or grow when they are written.

const MIB = 1024 * 1024;
const service = testService({ RATE_LIMIT_PER_MINUTE: "0" });
vi.setConfig({ testTimeout: 180_000 });

async function loaded(...records: TestRecord[]): Promise<void> {
  expect(await service.loadUnindexed(...records)).toMatchObject({ rejected: [] });
}

/** Answers of lists are smaller, whether they are streams or not: no part of them needs a client with more room. */
const PART_BYTES = 8 * MIB;
const NARROW = 480_000;
const AMPERSANDS = "&".repeat(NARROW);
const LARGE_LIST = "/people/walker/lists/OL2L";
/** Editions with members that grow when they are escaped, one whose authors are too large together, and small ones. */
const EDITIONS = Array.from({ length: 18 }, (_edition, index) => 101 + index);
const AUTHORS = Array.from({ length: 10 }, (_author, index) => 101 + index);
const GONE = { deleted: "/books/OL201M", merged: "/works/OL202W" };
const SAVED = Array.from({ length: 9 }, (_work, index) => 301 + index);

function hostileMembers(at: number): Record<string, unknown> {
  if (at > 11) return { notes: "Small" };
  if (at % 6 === 0) return { notes: AMPERSANDS, description: "&".repeat(NARROW) };
  if (at % 6 === 1) return { subjects: Array.from({ length: 60_000 }, (_subject, n) => `< ${n}`) };
  if (at % 6 === 2) return { description: "\u0085\u001f".repeat(40_000), notes: "永".repeat(200_000) };
  if (at % 6 === 3) return { notes: "a\n\n".repeat(190_000) };
  if (at % 6 === 4)
    return {
      isbn_13: Array.from({ length: 40_000 }, () => "9780141439518"),
      physical_format: `paper ${"large text ".repeat(30_000)}`,
    };
  return {
    table_of_contents: Array.from({ length: 8000 }, (_row, n) => ({ title: `"${n}" & ${"~".repeat(60)}` })),
  };
}

interface Walk {
  readonly first: string;
  readonly keys: RegExp;
  readonly expected: readonly string[];
  readonly ask?: (path: string) => Promise<Response>;
  /** Returns the address of the next part. */
  next(text: string, response: Response, address: string): string | undefined;
}

const olidsOf = (keys: readonly string[]) => keys.map((key) => key.slice(key.lastIndexOf("/") + 1));
const sorted = (keys: Iterable<string>) => [...keys].toSorted();

const editionKeys = EDITIONS.map(editionKey);
const workKeys = EDITIONS.map(workKey);

/** Walks to the end. Returns how often each key came, and the parts that are no answers or too large. */
async function walk({ first, keys, next, ask = service.fetch }: Walk) {
  const found: string[] = [];
  const wrong: string[] = [];
  let parts = 0;
  let start = "";
  for (let address: string | undefined = first; address !== undefined && parts < 300; parts += 1) {
    const response: Response = await ask(address);
    const text = await response.text();
    const { length: bytes } = new TextEncoder().encode(text);
    if (response.status !== 200 || bytes > PART_BYTES)
      wrong.push(`${address.slice(0, 100)}: ${response.status}, ${bytes} bytes`);
    start ||= text.slice(0, 3000);
    found.push(...Array.from(text.matchAll(keys), ([, key = ""]) => key));
    address = next(text, response, address);
  }
  return { found, wrong, start };
}

describe("lists that continue, over hostile records", () => {
  const engine = (path: string) => exports.SearchEngine.fetch(`http://search.test/solr/x${path}`);
  const store = (path: string) => exports.RecordStore.fetch(`http://store.test/x${path}`);
  const linked: Walk["next"] = (_text, { headers: given }) =>
    /<([^>]+)>; rel="next"/.exec(given.get("Link") ?? "")?.[1];
  const cursor =
    (base: string): Walk["next"] =>
    (text, _response, address) => {
      const mark =
        /"nextCursorMark":"([^"]+)"/.exec(text)?.[1] ?? /<str name="nextCursorMark">([^<]+)/.exec(text)?.[1];
      return mark === undefined || address.endsWith(`cursorMark=${mark}`)
        ? undefined
        : `${base}&cursorMark=${mark}`;
    };
  const changes: string[] = [];

  beforeAll(async () => {
    // First: a save wakes the indexer, which would read the large records beside the others.
    const admin = await loggedIn(service, "saver", { groups: ["admin", "api"] });
    for (const revision of [1, 2]) {
      const saved = SAVED.map((number) => ({
        key: workKey(number),
        type: "/type/work",
        title: `Saved ${revision}`,
        notes: `${'"'.repeat(200_000)}${"x".repeat(400_000)}`,
      }));
      const response = await admin.fetch("/api/save_many", { method: "POST", body: JSON.stringify(saved) });
      expect(response.status).toBe(200);
    }
    for (const number of AUTHORS)
      await loaded(
        author(number, {
          name: `Large ${number}`,
          bio: "&".repeat(600_000),
          alternate_names: Array.from({ length: 40 }, (_name, index) => `${index} ${"name ".repeat(1800)}`),
        }),
      );
    for (const [at, number] of EDITIONS.entries()) {
      const ofAuthors = at === 12 ? AUTHORS : [101];
      const members = hostileMembers(at);
      await loaded(
        work(number, {
          title: `Walked ${number}`,
          authors: ofAuthors,
          notes: members["notes"],
          subjects: members["subjects"],
        }),
        edition(number, {
          title: `Walked ${number}`,
          work: number,
          providers: [{ url: `https://read.example/${number}`, access: "open-access" }],
          ...members,
        }),
      );
    }
    await loaded(
      {
        key: LARGE_LIST,
        type: "/type/list",
        name: "Walked",
        seeds: [...editionKeys, ...workKeys].map((key) => ({ key })),
      },
      { key: GONE.deleted, type: "/type/delete" },
      { key: GONE.merged, type: "/type/redirect", location: workKey(101) },
    );
    // Harvests have changes after a minute.
    service.now += 3_600_000;
    await indexAll();
    const rows = await env.CATALOG.prepare("SELECT id FROM change ORDER BY id").all<{ id: number }>();
    changes.push(...rows.results.map(({ id }) => String(id)));
  }, 180_000);

  const bookKeys = olidsOf([...editionKeys, ...workKeys]);
  const oai = (prefix: string): Walk => ({
    first: `/oai?verb=ListRecords&metadataPrefix=${prefix}`,
    keys: /<identifier>oai:carrel.test:(OL[1-3]\d\d[WM])</g,
    expected: [...bookKeys, ...olidsOf([...SAVED.map(workKey), GONE.deleted, GONE.merged])],
    next(text) {
      const token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1];
      return token === undefined ? undefined : `/oai?verb=ListRecords&resumptionToken=${token}`;
    },
  });
  const sru = (schema: string, packing: string): Walk => {
    const base = `/sru?operation=searchRetrieve&version=1.2&query=dc.title=walked&maximumRecords=100&recordSchema=${schema}&recordPacking=${packing}`;
    return {
      first: base,
      keys: /<recordIdentifier>\/works\/(OL1\d\dW)/g,
      expected: olidsOf(workKeys),
      next(text) {
        const position = /<nextRecordPosition>(\d+)/.exec(text)?.[1];
        return position === undefined ? undefined : `${base}&startRecord=${position}`;
      },
    };
  };
  const exported = (format: string, keys: RegExp): Walk => ({
    first: `${LARGE_LIST}/export?format=${format}`,
    keys,
    expected: bookKeys,
    next: linked,
  });
  const searched = (format: string, keys: RegExp): Walk => ({
    first: `/search.${format}?q=title:walked&limit=1000`,
    keys,
    expected: olidsOf(workKeys),
    next: linked,
  });
  const selected = (form: string, keys: RegExp): Walk => {
    const base = `/select?q=title:walked&fq=type:work&sort=key+asc&rows=1000&wt=${form}`;
    return {
      first: `${base}&cursorMark=*`,
      keys,
      expected: olidsOf(workKeys),
      ask: engine,
      next: cursor(base),
    };
  };
  const ofAuthors: Walk = {
    first: "/select?q=type:author&sort=key+asc&rows=1000&cursorMark=*",
    keys: /"key":"\/authors\/(OL1\d\dA)"/g,
    expected: olidsOf(AUTHORS.map((number) => `/authors/OL${number}A`)),
    ask: engine,
    next: cursor("/select?q=type:author&sort=key+asc&rows=1000"),
  };
  const byNext = (first: string, keys: RegExp, expected: readonly string[]): Walk => ({
    first,
    keys,
    expected,
    next: (text) => /"next":"([^"]+)"/.exec(text)?.[1],
  });

  const WALKS: Readonly<Record<string, Walk>> = {
    "OAI as MARCXML": oai("marc21"),
    "OAI as Dublin Core": oai("oai_dc"),
    ...Object.fromEntries(
      ["marcxml", "mods", "dc", "oai_dc"].flatMap((schema) =>
        ["xml", "string"].map((packing) => [`SRU, ${schema} as ${packing}`, sru(schema, packing)]),
      ),
    ),
    "export as HTML": exported("html", /carrel.test\/(?:works|books)\/(OL1\d\d[WM])\//g),
    "export as JSON": exported("json", /"key":"\/(?:books|works)\/(OL1\d\d[WM])","type"/g),
    "export as YAML": exported("yaml", /^- key: \/(?:books|works)\/(OL1\d\d[WM])$/gm),
    "export as BibTeX": exported("bibtex", /@book\{(OL\w+),/g),
    "export as RIS": exported("ris", /^ID {2}- (OL\w+)/gm),
    "export as CSL": exported("csljson", /"id":"(OL\w+)"/g),
    "export as JSON-LD": exported("jsonld", /"@id":"[^"]*\/(OL1\d\d[WM])","url"/g),
    "export as BIBFRAME": {
      ...exported("bibframe", /"@id":"[^"]*\/(OL1\d\dM)","@type":"Instance"/g),
      expected: olidsOf(editionKeys),
    },
    "export as MARC": exported("mrc", /\n?[^\w](OL1\d\d[WM])[^\w]\d{14}/g),
    "export as MARCXML": exported("marcxml", /tag="001">(OL\w+)</g),
    "export as MODS": exported("mods", /<recordIdentifier>(OL\w+)</g),
    "export as Dublin Core": exported("dc", /<dc:identifier>[^<]*\/(OL1\d\d[WM])</g),
    "a search as MARCXML": searched("marcxml", /tag="001">(OL\w+)</g),
    "a search as CSL": searched("csljson", /"id":"(OL\w+)"/g),
    "the cursor of Solr": selected("json", /"key":"\/works\/(OL1\d\dW)"/g),
    "the cursor of Solr as XML": selected("xml", /<str name="key">\/works\/(OL1\d\dW)</g),
    "the cursor of Solr over authors": ofAuthors,
    "the export of Solr": {
      ...selected("json", /"key":"\/works\/(OL1\d\dW)"/g),
      first: "/export?q=title:walked&fq=type:work",
      next: cursor("/export?q=title:walked&fq=type:work"),
    },
    "editions of a list": byNext(
      `${LARGE_LIST}/editions.json?limit=100`,
      /"key":"\/books\/(OL1\d\dM)","type"/g,
      olidsOf(editionKeys),
    ),
    "works of an author": byNext(
      "/authors/OL101A/works.json?limit=1000",
      /"key":"\/works\/(OL1\d\dW)","type"/g,
      olidsOf(workKeys),
    ),
    OPDS: {
      ...byNext("/opds/books?q=title:walked", /<id>[^<]*\/books\/(OL1\d\dM)</g, olidsOf(editionKeys)),
      next: (text) =>
        /rel="next" href="http:\/\/carrel.test([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&"),
    },
    "the feed of a search": {
      ...byNext("/search.atom?q=title:walked", /<id>[^<]*\/works\/(OL1\d\dW)</g, olidsOf(workKeys)),
      next: () => undefined,
    },
    "the feed of a list": {
      ...byNext(`${LARGE_LIST}/feeds/updates.atom`, /<link[^>]*\/books\/(OL1\d\dM)/g, olidsOf(editionKeys)),
      next: () => undefined,
    },
  };

  it.each(Object.keys(WALKS))("%s has every record once, in parts below 8 MiB", async (name) => {
    const list = WALKS[name];
    if (list === undefined) throw new Error(name);
    const { found, wrong, start } = await walk(list);
    if (found.length < list.expected.length) console.log(name, start);
    expect(wrong).toEqual([]);
    const missing = list.expected.filter((key) => !found.includes(key));
    const repeated = found.filter((key, at) => found.indexOf(key) !== at || !list.expected.includes(key));
    expect({ missing, repeated }).toEqual({ missing: [], repeated: [] });
  });

  it.each([1, 20])(
    "the log has every change once, %i at a time, and larger parts have a single one",
    async (limit) => {
      const found: string[] = [];
      const days = await env.CATALOG.prepare(
        "SELECT DISTINCT substr(created, 1, 10) AS day FROM change",
      ).all<{ day: string }>();
      let [streamed, large] = [0, 0];
      for (const { day } of days.results) {
        for (let at = `${day}:0`; ;) {
          const response = await store(`/log/${at}?limit=${limit}`);
          expect([at, response.status]).toEqual([at, 200]);
          const text = await response.text();
          type Entry = {
            data: {
              query: unknown[];
              result: unknown[];
              changeset: { id: string; docs: { key: string }[]; old_docs: ({ key: string } | null)[] };
            };
          };
          const { data, offset } = JSON.parse(text) as { data: Entry[]; offset: string };
          if (data.length === 0) break;
          if (text.length > PART_BYTES) {
            streamed += 1;
            large = Math.max(large, text.length);
            expect(data).toHaveLength(1);
            const { query, result, changeset } = data[0]?.data ?? {
              query: [],
              result: [],
              changeset: { docs: [], old_docs: [] },
            };
            expect(query).toEqual(changeset.docs);
            expect(changeset.docs.map(({ key }) => key)).toEqual(
              changeset.old_docs.map((old, index) => old?.key ?? changeset.docs[index]?.key),
            );
            expect(result).toHaveLength(SAVED.length);
          }
          found.push(...data.map((entry) => entry.data.changeset.id));
          at = offset;
        }
      }
      expect(sorted(found)).toEqual(sorted(changes));
      expect(streamed).toBe(2);
      expect(large).toBeGreaterThan(15 * MIB);
    },
  );

  it("the feed of changes has every change and document once", async () => {
    const found: string[] = [];
    for (let since = 0; ;) {
      const response = await service.fetch(`/changes.json?since=${since}&limit=1000`);
      expect(response.status).toBe(200);
      const text = await response.text();
      type Part = {
        changes: { id: number; documents: { key: string; revision: number }[]; changes: unknown[] }[];
        cursor: number;
      };
      const { changes: part, cursor: end } = JSON.parse(text) as Part;
      if (part.length === 0) break;
      if (text.length > PART_BYTES) expect(part).toHaveLength(1);
      for (const change of part) {
        expect(change.documents.map(({ key, revision }) => ({ key, revision }))).toEqual(change.changes);
        found.push(String(change.id));
      }
      since = end;
    }
    expect(sorted(found)).toEqual(sorted(changes));
  });
});
