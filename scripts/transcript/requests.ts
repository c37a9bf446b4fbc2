// The requests of a transcript: every address of a feature, as every kind of client, with good and bad input.
import { interfaceLines } from "../../test/support/node/interface-lines.ts";
import type { Operation } from "../lib/operations.ts";
import { FORM, bodiesOf, pairsOf } from "./bodies.ts";
import { type World, fill, headersOf, lineRequest } from "./lines.ts";
import type { SentRequest } from "./side.ts";
import { ANCHORS, BEFORE, CALLERS, EXAMPLES, MISSING, PATHS, VALUES, type Client } from "./values.ts";

export interface TranscriptRequest extends SentRequest {
  operation: string;
  /** Client and variant, in words. */
  label: string;
}

type Format = "page" | "json";
const ACCEPT: Record<Format, string> = {
  page: "text/html,application/xhtml+xml,*/*;q=0.8",
  json: "application/json",
};
/** Clients of every request that is not about one parameter. */
const CLIENTS: [Client, Format][] = [
  ["anonymous", "json"],
  ["anonymous", "page"],
  ["other", "json"],
  ["owner", "json"],
  ["owner", "page"],
  ["admin", "json"],
];
/** Further clients of reads, whose pages depend on who looks. */
const READERS: [Client, Format][] = [
  ["other", "page"],
  ["librarian", "page"],
  ["admin", "page"],
];
/** Client that passes an access level. */
const ACTORS: Record<string, Client> = {
  operator: "operator",
  "cover-writer": "covers",
  librarian: "librarian",
  "super-librarian": "writer",
  writer: "writer",
  importer: "writer",
  inspector: "admin",
  admin: "admin",
};
/** `{name}` or `{name:pattern}`, with the record prefix before it, if any. */
const PLACEHOLDER = /(OL)?\{(\w+)(?::((?:[^{}]|\{[^{}]*\})*))?\}/g;

interface Variant {
  label: string;
  target: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Clients that send it: all, the one that passes in both formats, or in one. */
  by: "all" | "actor" | "program";
}

/** Creates the requests of these operations. `all` are those of the service, by which examples find theirs. */
export function requestsOf(
  operations: readonly Operation[],
  all: readonly Operation[],
  world: World,
): TranscriptRequest[] {
  const examples = Map.groupBy(exampleLines(), ({ method, target }) => operationAt(all, method, target));
  return operations.flatMap((operation) => {
    const clients = clientsOf(operation);
    const variants = variantsOf(operation);
    const create = ([client, format]: [Client, Format], variant: Variant): TranscriptRequest[] => {
      const before = BEFORE.find(([id]) => id.test(operation.id));
      return [
        {
          operation: operation.id,
          label: `${client}, ${format}, ${variant.label}`,
          listener: operation.listener,
          method: operation.method,
          target: fill(variant.target, world),
          headers: {
            ...headersOf(world, client, operation.listener),
            Accept: ACCEPT[format],
            "X-Carrel-Count": "1",
            ...variant.headers,
          },
          ...(variant.body && { body: Buffer.from(fill(variant.body.toString("latin1"), world), "latin1") }),
          ...(before && { before: lineRequest(before[2], before[1], world) }),
        },
      ];
    };
    const senders = { all: clients, actor: clients.slice(0, 2), program: clients.slice(0, 1) };
    return [
      ...variants.flatMap((variant) => senders[variant.by].flatMap((client) => create(client, variant))),
      ...(examples.get(operation) ?? []).flatMap(({ client, line }) => {
        const { method: _method, ...sent } = lineRequest(line, client, world);
        return (["json", "page"] as const).flatMap((format) =>
          create([client, format], {
            label: "example",
            target: sent.target,
            ...(sent.body && {
              body: sent.body,
              headers: { "Content-Type": sent.headers["Content-Type"] ?? FORM },
            }),
            by: "all",
          }),
        );
      }),
    ];
  });
}

/** Returns the clients of an operation, first those that send every variant. */
function clientsOf({ id, access, method, isAlias }: Operation): [Client, Format][] {
  const actor = CALLERS.find(([operation]) => operation.test(id))?.[1] ?? ACTORS[access] ?? "owner";
  const first: [Client, Format][] = [
    [actor, "json"],
    [actor, "page"],
  ];
  if (isAlias) return [...first, ["anonymous", "json"]];
  const others = [...CLIENTS, ...(method === "GET" ? READERS : [])];
  return [...first, ...others.filter(([client]) => client !== actor)];
}

/** Lists the requests of an operation for any client: its addresses, parameters and bodies. */
function variantsOf(operation: Operation): Variant[] {
  const { method, path, query, isAlias } = operation;
  const address = pathOf(path, "good");
  const anchored = addressWith(address, anchorsOf(query));
  const bodies = method === "GET" || method === "DELETE" ? [{ label: "plain" }] : bodiesOf(operation);
  const common = { target: anchored, by: "actor" as const };
  const [first, ...further] = bodies.map((body) => Object.assign({}, common, body));
  if (first === undefined) throw new Error(`no request of ${operation.id}`);
  const variants: Variant[] = [{ ...first, by: "all" }];
  if (isAlias) return variants;
  const missing = pathOf(path, "missing");
  if (missing !== address)
    variants.push({ ...first, label: "missing", target: addressWith(missing, anchorsOf(query)) });
  variants.push(...further);
  for (const format of alternativesOf(path))
    variants.push({ ...first, label: format, target: pathOf(path, "good", format), by: "program" });
  for (const [name, value, label] of pairsOf(query)) {
    const target = addressWith(address, { ...anchorsOf(query), [name]: value });
    variants.push({
      ...first,
      label: `${name} ${label}`,
      target,
      by: method === "GET" && value === VALUES[name]?.[0] ? "actor" : "program",
    });
  }
  if (anchored !== address) variants.push({ ...first, label: "without parameters", target: address });
  if (method === "GET") {
    variants.push({ ...first, label: "conditional", by: "program", headers: { "If-None-Match": "*" } });
    variants.push({ ...first, label: "range", by: "program", headers: { Range: "bytes=0-9" } });
    variants.push({
      ...first,
      label: "in German",
      by: "program",
      headers: { "Accept-Language": "de", Accept: "text/html" },
    });
  } else {
    variants.push({
      ...first,
      label: "of another site",
      headers: { ...first.headers, Origin: "https://evil.example" },
    });
  }
  return variants;
}

/** Fills the placeholders of a path. `choice` is one of `{format:bib|ris}`. */
function pathOf(path: string, kind: "good" | "missing", choice?: string) {
  return path.replace(PLACEHOLDER, (...[, prefix = "", name = "", pattern = ""]: string[]) => {
    if (isChoice(pattern)) return prefix + (choice ?? pattern.split("|")[0]);
    const rules = PATHS.filter(([place]) => place.test(path));
    const good = rules.map(([, values]) => values[name]).find((value) => value !== undefined);
    const value = kind === "good" ? (good ?? "nothing") : (MISSING[name] ?? "nothing");
    // The world's lists have names; their keys end in a letter that the path has.
    return prefix === "" ? value : prefix + value.replace(/^OL|[A-Z]$/g, "").replace(/^\$\w+/, "$&.number");
  });
}

function alternativesOf(path: string) {
  return [...path.matchAll(PLACEHOLDER)].flatMap(([, , , pattern = ""]) =>
    isChoice(pattern) ? pattern.split("|").slice(1) : [],
  );
}

function isChoice(pattern: string) {
  return /^\w+(?:\|\w+)+$/.test(pattern);
}

function anchorsOf(query: Operation["query"]) {
  return Object.fromEntries(Object.entries(ANCHORS).filter(([name]) => name in query));
}

function addressWith(address: string, parameters: Record<string, string>) {
  const query = new URLSearchParams(parameters).toString().replaceAll("%24", "$");
  return query === "" ? address : `${address}?${query}`;
}

/** Returns all examples: our own, and those of the interface's table. */
function exampleLines() {
  const table = interfaceLines().map(({ method, access, example: { role, path, body } }) => {
    const roles: Record<string, Client> = { patron: "owner", reader: "other", openlibrary: "writer" };
    const client = role === "" ? (ACTORS[access] ?? "owner") : (roles[role] ?? (role as Client));
    return { client, line: `${method} ${path}${body === undefined ? "" : ` ${body}`}` };
  });
  const own = EXAMPLES.map(([client, line]) => ({ client, line }));
  return [...table, ...own].map(({ client, line }) => {
    const [method = "", target = ""] = line.split(" ");
    return { client, line, method, target };
  });
}

/** Returns the first operation of the main site whose path matches. */
function operationAt(all: readonly Operation[], method: string, target: string) {
  const [address = ""] = target.split("?");
  return all.find(
    (one) => one.listener === "main" && one.method === method && patternOf(one.path).test(address),
  );
}

function patternOf(path: string) {
  // Names of the world stand for keys.
  const whole = path.replaceAll(/OL\{\w+\}([MWAL])\b/g, String.raw`{key:OL\d+$1|\$\w+}`);
  const parts = whole.split(/(\{(?:[^{}]|\{[^{}]*\})*\})/);
  const source = parts.map((part) => {
    if (!part.startsWith("{")) return part.replaceAll(/[.?*+()[\]|$^\\]/g, "\\$&");
    const pattern = part.slice(1, -1).split(":").slice(1).join(":");
    return pattern === "path" ? ".+" : pattern === "" ? "[^/]+" : `(?:${pattern})`;
  });
  return new RegExp(`^${source.join("")}$`);
}
