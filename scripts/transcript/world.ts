// The clients of a transcript, and what the stores hold before each of its requests.
import { InterfaceWorld } from "../../test/support/node/interface-world.ts";
import { seed } from "../lib/state.ts";
import { type SentRequest, type Side, SECRETS } from "./side.ts";
import { FORM, PIXEL, multipart } from "./bodies.ts";
import { type Client, USERNAMES } from "./values.ts";

export interface World {
  /** Headers by client. */
  headers: Record<Client, Record<string, string>>;
  /** Values of `$name` in the examples. */
  names: Map<string, string>;
}

/** Requests of patrons, librarians and the cover store that fill the world, with a form or JSON. */
const DEEDS: [client: Client, line: string, body?: Record<string, string> | object][] = [
  ["owner", "POST /works/OL101W/bookshelves.json", { bookshelf_id: "3" }],
  ["owner", "POST /works/OL102W/bookshelves.json", { bookshelf_id: "1" }],
  ["owner", "POST /works/OL101W/ratings.json", { rating: "4" }],
  ["owner", "POST /works/OL101W/notes.json", { notes: "A note", edition_id: "OL101M" }],
  ["owner", "POST /works/OL101W/observations.json", { action: "add", observation: { Mood: "Dark" } }],
  ["owner", "POST /reading-goal.json", { goal: "12", year: "2031" }],
  ["owner", "POST /people/reader/follows.json", { publisher: "reader", state: "1" }],
  ["owner", "POST /api/like.json", { key: "/works/OL101W", value: 1 }],
  ["owner", "POST /books/OL130M/Bleak_House/borrow", { action: "borrow" }],
  ["other", "POST /works/OL102W/bookshelves.json", { bookshelf_id: "2" }],
  ["other", "POST /people/reader/lists.json", { name: "Another list", seeds: ["/works/OL102W"] }],
  [
    "librarian",
    "POST /merges",
    { rtype: "create-request", mr_type: "1", action: "create-pending", olids: "OL101W,OL102W" },
  ],
  [
    "anonymous",
    "POST /libraries/register",
    {
      name: "Town Library",
      addresses: "Main|1 Street|Town|State|12345|Country|555|https://library.example|50.1,8.2",
      ip_ranges: "192.0.2.0/24",
    },
  ],
  ["admin", "POST /admin/imports/add", { identifiers: "item-one\nitem-two" }],
];

async function logIn(side: Side, username: string): Promise<string> {
  const response = await side.send({
    ...request("POST /account/login.json"),
    headers: { "Content-Type": "application/json" },
    body: Buffer.from(JSON.stringify({ username, password: username, remember: true })),
  });
  const cookies = response.headers["set-cookie"] ?? [];
  const session = cookies.find((text) => text.startsWith("session=/"))?.split(";")[0];
  if (session === undefined)
    throw new Error(`${username} cannot log in: ${response.status} ${response.body}`);
  return session;
}

/** Fills the stores of a side that has started with none, and keeps them as its world. */
export async function makeWorld(
  side: Side,
  runtime: Parameters<typeof seed>[0],
  state: string,
): Promise<World> {
  await seed(runtime, { state, choice: { empty: false, bare: false }, token: SECRETS.LOAD_TOKEN });
  await side.step();
  const examples = new InterfaceWorld(side.url, SECRETS.LOAD_TOKEN);
  await examples.prepare();
  const sessions: [string, Record<string, string>][] = [];
  for (const [client, username] of Object.entries(USERNAMES))
    sessions.push([client, { Cookie: await logIn(side, username) }]);
  const headers: World["headers"] = {
    anonymous: {},
    operator: { Authorization: `Bearer ${SECRETS.LOAD_TOKEN}` },
    covers: { Authorization: `Bearer ${SECRETS.COVERS_SECRET}` },
    // The members are those of `USERNAMES`.
    ...(Object.fromEntries(sessions) as Record<keyof typeof USERNAMES, Record<string, string>>),
  };
  for (const [client, line, body = {}] of DEEDS) {
    const isForm = Object.values(body).every((value) => typeof value === "string");
    const [type, text] = isForm
      ? [FORM, new URLSearchParams(body as Record<string, string>).toString()]
      : ["application/json", JSON.stringify(body)];
    await act(side, {
      ...request(line),
      headers: { ...headers[client], "Content-Type": type },
      body: Buffer.from(text),
    });
  }
  for (const [category, olid] of Object.entries({ b: "OL101M", a: "OL101A", w: "OL101W" })) {
    const { type, body } = multipart({ olid, author: "/people/patron" }, ["data", PIXEL]);
    await act(side, {
      ...request(`POST /${category}/upload2`),
      headers: { ...headers.covers, "Content-Type": type },
      body,
    });
  }
  await side.keepWorld();
  return { headers, names: examples.names };
}

async function act(side: Side, sent: SentRequest) {
  const { status, body } = await side.send(sent);
  await side.step();
  if (status === 0 || status >= 400) throw new Error(`${sent.method} ${sent.target}: ${status} ${body}`);
}

function request(line: string): SentRequest {
  const [method = "", target = ""] = line.split(" ");
  return { listener: "main", method, target, headers: { Accept: "application/json" } };
}
