// The world of a transcript: what the stores hold before each of its requests.
import { InterfaceWorld } from "../../test/support/node/interface-world.ts";
import { seed } from "../lib/state.ts";
import { type SentRequest, type Side, SECRETS } from "./side.ts";
import { PIXEL, multipart } from "./bodies.ts";
import { type World, lineRequest } from "./lines.ts";
import { DEEDS, USERNAMES } from "./values.ts";

/** Arrays of seeds in the requests: one more than a response shows pictures of, one more than a change of a series takes. */
const LONG = {
  subjects: JSON.stringify([
    ...Array.from({ length: 99 }, (_one, n) => `subject:${n}`),
    "subject:love",
    "subject:fiction",
  ]),
  works: JSON.stringify(Array.from({ length: 1001 }, (_one, n) => `/works/OL${n + 1}W`)),
};

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
  await seed(runtime, {
    state,
    choice: { content: "starter", development: true },
    token: SECRETS.LOAD_TOKEN,
  });
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
  const world = { headers, names: new Map([...examples.names, ...Object.entries(LONG)]) };
  for (const [client, line] of DEEDS) await act(side, lineRequest(line, client, world));
  for (const [category, olid] of Object.entries({ a: "OL101A", w: "OL101W" })) {
    const { type, body } = multipart({ olid, author: "/people/patron" }, ["data", PIXEL]);
    await act(side, {
      ...request(`POST /${category}/upload2`),
      headers: { ...headers.covers, "Content-Type": type },
      body,
    });
  }
  await side.keepWorld();
  return world;
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
