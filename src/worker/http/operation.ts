import type * as z from "zod";
import type { Role } from "../../catalog/roles.ts";
import type { Database } from "../../db/statement.ts";
import type { Sources, Stores } from "./bindings.ts";
import type { IsolateCache } from "./isolate-cache.ts";
import type { RequestTrace } from "./metrics.ts";
import type { Reply } from "./reply.ts";
import type { Settings } from "./settings.ts";

/** A line of the route table. `path` is written as in the interface: `/works/OL{work_id}W/editions.json`. */
export interface Route {
  /** `ALL`: it answers whatever is asked by any method. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "ALL";
  readonly path: string;
  readonly access: Access;
  readonly operation: AnyOperation;
  /** Other spellings of the same route, left out of the interface description. */
  readonly alias: boolean;
}

/**
 * Who may call a route: everybody; the holder of LOAD_TOKEN, or of COVERS_SECRET; everybody on a development service,
 * and the same with administrators elsewhere; a patron with a session, and the same for a page, which leads others to
 * the login; those who may write by the record API, and the same for imports, which tell others nothing; members of
 * groups, which are roles.
 */
export type Access =
  | "public"
  | "operator"
  | "cover-writer"
  | "development"
  | "inspector"
  | "session"
  | "session-page"
  | "writer"
  | "importer"
  | Role;

/** Parameters of one place (path or query), by wire name. */
export type Parameters = Readonly<Record<string, z.ZodType>>;
type Values<P extends Parameters> = { [name in keyof P]: z.output<P[name]> };

/** One answer that the interface description names. */
export interface ResponseSpec {
  readonly description: string;
  /** What the JSON of the answer is. */
  readonly schema?: z.ZodType;
  /** Media type of the answer; with a schema JSON unless stated, without one none: then the body is empty. */
  readonly contentType?: string;
  /** An error that has no body, or not always. */
  readonly isBare?: boolean;
  /** Media types of other forms of the same answer, such as the page that people get where programs get JSON. */
  readonly also?: readonly string[];
}

/** How long the answers of a route may be kept, in seconds. Absent: not at all. */
export interface Keep {
  readonly isolate: number;
  readonly edge: number;
}

interface Operation<
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  F extends Parameters = Parameters,
  J extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  readonly path: P;
  readonly query: Q;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** A request body that the operation reads itself: media type and what it holds. */
  readonly body?: { readonly contentType: string; readonly description: string };
  /** Fields of a form: urlencoded, multipart, or the members of a JSON object. */
  readonly form?: F;
  /** Schema of a JSON body. An operation has at most one of `body`, `form` and `json`. */
  readonly json?: J;
  /** Largest form or JSON body, in bytes, when it is not the usual one. */
  readonly bodyBytes?: number;
  readonly keep?: Keep;
  /** May it be done while the service is read-only? If absent, GET may, and nothing else. */
  readonly inReadOnly?: boolean;
  /** At the address of a page: the operation with `.json`, which programs get in its place (Q440). */
  readonly programs?: Operation;
  handle(
    input: { path: Values<P>; query: Values<Q>; form: Values<F>; json: z.output<J> },
    context: RequestContext,
  ): Promise<Reply> | Reply;
}

/** An operation whose parameter types are forgotten, as the route table holds it. */
export type AnyOperation = Operation;

/** Defines an operation; absent parameter places are empty. */
export function operation<
  P extends Parameters = {},
  Q extends Parameters = {},
  F extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>(
  definition: Omit<Operation<P, Q, F, J>, "path" | "query"> & { readonly path?: P; readonly query?: Q },
): AnyOperation {
  // The handler only ever sees values that these very schemas produced (see serve.ts).
  return { path: {}, query: {}, ...definition } as unknown as AnyOperation;
}

/** All that an operation may use besides its checked parameters. */
export interface RequestContext {
  readonly sources: Sources;
  /** When the request came, in milliseconds since the epoch. */
  readonly now: number;
  readonly settings: Settings;
  readonly stores: Stores;
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  /** Address of the client, or "local". */
  readonly client: string;
  /** What is noted on the way, for the log and the metrics. */
  readonly trace: RequestTrace;
  /** Headers that every answer to this request gets. */
  readonly headers: Record<string, string>;
  /** Bookmark of the client's last write: his reads must see it. */
  readonly bookmark: string | undefined;
  readonly cache: IsolateCache;
  /** Texts of `Set-Cookie` headers that the answer gets. */
  readonly cookies: string[];
  /** The session that the request's cookie opens, if any; looked up once. */
  session(): Promise<Session | undefined>;
  /** Who makes the request, with account and groups; looked up once. */
  actor(): Promise<Actor>;
  /** The whole interface, for the operations that describe it. */
  readonly routes: readonly Route[];
  waitUntil(promise: Promise<unknown>): void;
  /** Answers another request as if it had come by itself. */
  answer(request: Request): Response | Promise<Response>;
}

/** A session that is open: who it belongs to. */
export interface Session {
  /** As the account spells it. */
  readonly username: string;
  /** `/people/<username>` */
  readonly key: string;
  readonly id: string;
  /** Naive UTC, to the second. */
  readonly issued: string;
}

/** Who makes a request, and what he is. */
export interface Actor {
  /** `/people/<username>`; null for somebody without a session. */
  readonly key: string | null;
  readonly username: string | null;
  readonly status: "anonymous" | "pending" | "active" | "blocked";
  readonly bot: boolean;
  /** Keys of the usergroups that he is a member of, such as `/usergroup/admin`. */
  readonly groups: ReadonlySet<string>;
  readonly email: string | null;
}

/** Base address in answers: the setting, else scheme and host of the request. */
export function baseUrl({ settings, url }: Pick<RequestContext, "settings" | "url">): string {
  return settings.BASE_URL === "" ? url.origin : settings.BASE_URL.replace(/\/$/, "");
}

/** True where the service is asked over HTTPS by all. */
export function isEncrypted({ BASE_URL }: Settings): boolean {
  return BASE_URL.startsWith("https:");
}

/** Bookmarks of a catalog in PostgreSQL: D1, where it may have moved since, refuses these. */
const CHANGE_NUMBER = /^\d+$/;

/** A read session near the reader; one that knows the client's own last write if there was one. */
export function catalogReader({ stores, bookmark = "first-unconstrained" }: RequestContext): Database {
  return stores.catalog.withSession(CHANGE_NUMBER.test(bookmark) ? "first-primary" : bookmark);
}

/** Base address of cover images in answers: the setting, else this service. */
export function coversUrl(context: RequestContext): string {
  const { COVERS_PUBLIC_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}
