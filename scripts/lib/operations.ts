// Operations of all four listeners, from the route tables of the worker.
import { readdirSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { importText } from "./import-source.ts";
import { ROOT } from "./paths.ts";

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
  oneOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema> | undefined;
}

export interface Operation {
  id: string;
  listener: Listener;
  /** Folder of src/worker/ whose route table has the operation. */
  feature: string;
  method: string;
  /** Path with placeholders: `/works/OL{work_id}W.{format:bib|ris}`. */
  path: string;
  /** True for another spelling of a route. */
  isAlias: boolean;
  /** Access level of the route table; see `docs/access.md`. */
  access: string;
  query: Record<string, Schema>;
  form: Record<string, Schema>;
  json?: Schema;
  /** Media type of a body that the operation parses itself. */
  bodyType?: string;
  /** Statuses of 500 and above that the interface documents for the operation. */
  failures: Set<number>;
  /** Everything that the route and the operation declare, with schemas as JSON schemas. */
  declared: object;
}

/** Line of a route table, as `src/worker/http/operation.ts` defines it. */
interface Route {
  method: string;
  path: string;
  access: string;
  alias?: boolean;
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

/**
 * Reads the operations of all listeners whose id matches, in the order of the route tables. Record store and search
 * engine ids begin with the listener. `root` is the folder of the sources.
 */
export async function readOperations(only: RegExp, root = ROOT): Promise<Operation[]> {
  const worker = path.join(root, "src/worker");
  const features = readdirSync(worker, { recursive: true, encoding: "utf8" })
    .filter((file) => /^\w+\/routes\.ts$/.test(file))
    .map((file) => path.dirname(file));
  const { tables, site, covers, store, engine } = await importText(
    `${features.map((name) => `import * as ${name} from "./${name}/routes.ts";`).join("\n")}
     export const tables = { ${features.join()} };
     export * as site from "./routes.ts";
     export * as covers from "./covers/routes.ts";
     export * as store from "./listeners/record-store/routes.ts";
     export * as engine from "./listeners/search-engine/routes.ts";`,
    worker,
  );
  const featureOf = ({ path: address, method }: Route) => {
    const isSame = (one: Route) => one.path === address && one.method === method;
    const found = features.find((name) => Object.values<Route[]>(tables[name]).flat().some(isSame));
    // The routes of any record stand in the table of the site.
    return found ?? (method === "GET" ? "records" : "editing");
  };
  const coverRoutes: Route[] = [...covers.COVER_READING_ROUTES, ...covers.COVER_LISTENER_ROUTES];
  const read = (listener: Listener, routes: Route[], feature: (route: Route) => string) =>
    Promise.all(routes.map((route) => toOperation(route, listener, feature(route))));
  const operations = [
    ...(await read("main", site.ROUTES, featureOf)),
    ...(await read("cover", coverRoutes, () => "covers")),
    ...(await read("record", store.RECORD_STORE_ROUTES, () => "listeners")),
    ...engineOperations(engine.createSearchEngine(PREFIX).routes),
  ];
  return operations.filter(({ id }) => only.test(id));
}

async function toOperation(route: Route, listener: Listener, feature: string): Promise<Operation> {
  const operation = await route.load();
  const { id, query, form = {}, json, body, responses } = operation;
  const { method, access } = route;
  return {
    id: listener === "main" ? id : `${listener} ${id}`,
    listener,
    feature,
    method: method === "ALL" ? "GET" : method,
    path: route.path.replaceAll("XX", PREFIX),
    isAlias: route.alias === true,
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
    declared: declarationsOf({ ...route, operation }),
  };
}

/** Returns a value without its functions, and with schemas as JSON schemas. */
function declarationsOf(value: object): object {
  const plain = JSON.parse(
    JSON.stringify(value, (_name, member: unknown) => (isSchema(member) ? schemaOf(member) : member)),
  );
  return Object.fromEntries(Object.entries(plain).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns true for schemas of the package as the sources have bundled it. */
function isSchema(value: unknown): value is z.ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/** Converts Hono's routes of the search engine: `/solr/:core{[\w.-]+}/select`. */
function engineOperations(routes: { method: string; path: string }[]): Operation[] {
  const lines = new Set(routes.filter((one) => one.path !== "/*").map((one) => `${one.method} ${one.path}`));
  return [...lines].map((line) => {
    const [verb = "", address = ""] = line.split(" ");
    return {
      id: `search ${line}`,
      listener: "search",
      feature: "listeners",
      method: verb === "ALL" ? "GET" : verb,
      // Hono's table has other names for the placeholders: the core with a pattern, and the part of the schema.
      path: address.replace(/:\w+\{[^}]*\}/, "{core}").replace(/:\w+/, "{part}"),
      isAlias: false,
      access: "public",
      query: {},
      form: {},
      failures: new Set([503]),
      declared: {},
    };
  });
}

function schemasOf(parameters: Record<string, z.ZodType>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, schemaOf(type)]));
}

function schemaOf(type: z.ZodType): Schema {
  return z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
}
