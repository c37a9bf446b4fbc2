// Operations of all four listeners, from the route tables of the worker.
import * as z from "zod";
import { importSource } from "../../scripts/lib/import-source.ts";

export type Listener = "main" | "record" | "search" | "cover";

/** The parts of a JSON schema that values are made from. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Operation {
  id: string;
  listener: Listener;
  method: string;
  /** Path with placeholders: `/works/OL{work_id}W.{format:bib|ris}`. */
  path: string;
  /** Access level of the route table; see `docs/access.md`. */
  access: string;
  query: Record<string, Schema>;
  form: Record<string, Schema>;
  json?: Schema;
  /** Media type of a body that the operation parses itself. */
  bodyType?: string;
  /** Statuses of 500 and above that the interface documents for the operation. */
  failures: Set<number>;
}

/** Line of a route table, as `src/worker/http/operation.ts` defines it. */
interface Route {
  method: string;
  path: string;
  access: string;
  load(): Promise<{
    id: string;
    query: Record<string, z.ZodType>;
    form?: Record<string, z.ZodType>;
    json?: z.ZodType;
    body?: { contentType: string };
    responses: Record<string, unknown>;
  }>;
}

const PREFIX = "OL";

/** Reads the operations of all listeners whose id matches. Record store and search engine ids begin with the listener. */
export async function readOperations(only: RegExp): Promise<Operation[]> {
  const [site, covers, store, engine] = await Promise.all(
    [
      "src/worker/routes.ts",
      "src/worker/covers/routes.ts",
      "src/worker/listeners/record-store/routes.ts",
      "src/worker/listeners/search-engine/routes.ts",
    ].map((file) => importSource(file)),
  );
  const coverRoutes: Route[] = [...covers.COVER_READING_ROUTES, ...covers.COVER_LISTENER_ROUTES];
  const operations = [
    ...(await toOperations("main", site.ROUTES)),
    ...(await toOperations("cover", coverRoutes)),
    ...(await toOperations("record", store.RECORD_STORE_ROUTES)),
    ...engineOperations(engine.createSearchEngine(PREFIX).routes),
  ];
  return operations.filter(({ id }) => only.test(id));
}

function toOperations(listener: Listener, routes: Route[]): Promise<Operation[]> {
  return Promise.all(routes.map((route) => toOperation(listener, route)));
}

async function toOperation(listener: Listener, { method, path, access, load }: Route): Promise<Operation> {
  const operation = await load();
  const { id, query, form = {}, json, body, responses } = operation;
  return {
    id: listener === "main" ? id : `${listener} ${id}`,
    listener,
    method: method === "ALL" ? "GET" : method,
    path: path.replaceAll("XX", PREFIX),
    access,
    query: schemasOf(query),
    form: schemasOf(form),
    ...(json !== undefined && { json: schemaOf(json) }),
    ...(body !== undefined && { bodyType: body.contentType }),
    failures: new Set(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 500),
    ),
  };
}

/** Converts Hono's routes of the search engine: `/solr/:core{[\w.-]+}/select`. */
function engineOperations(routes: { method: string; path: string }[]): Operation[] {
  const lines = new Set(routes.filter(({ path }) => path !== "/*").map((one) => `${one.method} ${one.path}`));
  return [...lines].map((line) => {
    const [verb = "", path = ""] = line.split(" ");
    return {
      id: `search ${line}`,
      listener: "search",
      method: verb === "ALL" ? "GET" : verb,
      // Hono's table has other names for the placeholders: the core with a pattern, and the part of the schema.
      path: path.replace(/:\w+\{[^}]*\}/, "{core}").replace(/:\w+/, "{part}"),
      access: "public",
      query: {},
      form: {},
      failures: new Set([503]),
    };
  });
}

function schemasOf(parameters: Record<string, z.ZodType>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, schemaOf(type)]));
}

function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
}
