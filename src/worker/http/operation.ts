import type * as z from "zod";
import type { Role } from "../../catalog/roles.ts";
import type { Scope, TokenScope } from "../../catalog/scopes.ts";
import type { AccessState } from "../../db/service/service-state.ts";
import type { Database } from "../../db/statement.ts";
import type { Sources, Stores } from "./bindings.ts";
import type { IsolateCache } from "./isolate-cache.ts";
import type { RequestTrace } from "./metrics.ts";
import type { SiteSettings } from "./pages/reader.ts";
import type { Reply } from "./reply.ts";
import type { Settings } from "./settings.ts";
import type { LookupConfig } from "../../catalog/lookup/bundle.ts";

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "ALL";
  readonly path: string;
  readonly access: Access;
  /** Absent: `read`, without which a token counts for nothing here. */
  readonly scope?: RouteScope;
  readonly load: OperationLoader;
  /** True for other spellings of a route, which are left out of the interface description. */
  readonly alias: boolean;
  /** True if the answer is about the work `work_id`, but not its record: for a merged work it is about the target (Q680). */
  readonly isAboutWork?: true;
  /** True if the operation's call of the patron's object checks the session, so that nothing else need ask it before. */
  readonly sessionCheckedByPatron?: true;
}

/** Imports an operation. Its module is evaluated on first use, so that a new isolate starts fast (docs/architecture.md). */
export type OperationLoader = () => Promise<AnyOperation>;

/** A route with its operation, for descriptions of the interface. */
export interface LoadedRoute extends Route {
  readonly operation: AnyOperation;
}

export function loadRoutes(routes: readonly Route[]): Promise<LoadedRoute[]> {
  return Promise.all(routes.map(async (route) => ({ ...route, operation: await route.load() })));
}

/**
 * Access level of a route. `operator`: holders of LOAD_TOKEN. `cover-writer`: holders of COVERS_SECRET. `development`: all
 * clients of a development service on its own machine; `inspector`: administrators elsewhere too. `session`: patrons with
 * a session; `session-page` sends other clients to the login. `writer`: accounts that may write by the record API;
 * `importer` gives other clients no details. Roles: members of groups.
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

/**
 * Scope that a token needs for a route, beside its access level. `login`: no token opens the route; `any`: every token. At
 * public reads a token without the scope counts for nothing, and elsewhere it is refused.
 */
export type RouteScope = Scope | "login" | "any";

export type Parameters = Readonly<Record<string, z.ZodType>>;
export type Values<P extends Parameters> = { [name in keyof P]: z.output<P[name]> };

export interface ResponseSpec {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Media type of the answer; with a schema JSON unless stated. With neither, the body is empty. */
  readonly contentType?: string;
  /** True for an error that has no body, or not always. */
  readonly isBare?: boolean;
  readonly also?: readonly string[];
  /** Headers of the answer that are not those of every answer: name and description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** TTLs of a route's cached answers, in seconds. Absent: not cached. */
export type CachePolicy = { isolate: number; edge: number };

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
  /** Request body that the operation reads itself: media type and contents. */
  readonly body?: { contentType: string; description: string };
  readonly form?: F;
  /** Schema of a JSON body. An operation has at most one of `body`, `form` and `json`. */
  readonly json?: J;
  /** Largest form or JSON body, in bytes, if it is not the usual one. */
  readonly bodyBytes?: number;
  /** True if the operation itself refuses control characters (Q222). */
  readonly checksTexts?: true;
  readonly cache?: CachePolicy;
  /** True if the operation is allowed while the service is read-only. If absent, GET is, and nothing else. */
  readonly inReadOnly?: boolean;
  /** True if the operation needs the actor, who is then read beside the checks before it. */
  readonly needsActor?: true;
  /** For the address of a page: the operation with `.json`, which programs get instead (Q440). */
  readonly programs?: Operation;
  handle(
    input: { path: Values<P>; query: Values<Q>; form: Values<F>; json: z.output<J> },
    context: RequestContext,
  ): Promise<Reply> | Reply;
}

export type AnyOperation = Operation;

/** Operation as features define it: path and query parameters are optional. */
export type Definition<
  P extends Parameters,
  Q extends Parameters,
  F extends Parameters,
  J extends z.ZodType,
> = Omit<Operation<P, Q, F, J>, "path" | "query"> & { readonly path?: P; readonly query?: Q };

/** Input of an operation, as its schemas have parsed it. */
export type Input<P extends Parameters, Q extends Parameters, F extends Parameters, J extends z.ZodType> = {
  path: Values<P>;
  query: Values<Q>;
  form: Values<F>;
  json: z.output<J>;
};

export function operation<
  P extends Parameters = {},
  Q extends Parameters = {},
  F extends Parameters = {},
  J extends z.ZodType = z.ZodUndefined,
>(definition: Definition<P, Q, F, J>): AnyOperation {
  // The handler only sees values that these schemas produced (see serve.ts).
  return { path: {}, query: {}, ...definition } as unknown as AnyOperation;
}

export interface RequestContext {
  readonly sources: Sources;
  readonly now: number;
  readonly settings: Settings;
  readonly stores: Stores;
  readonly request: Request;
  readonly url: URL;
  readonly requestId: string;
  readonly client: string;
  /** Token of a program in `Authorization`, not checked yet. The request has no cookies then, and its answer sets none. */
  readonly bearer: string | undefined;
  readonly trace: RequestTrace;
  readonly headers: Record<string, string>;
  /** Bookmark of the client's last write, which its reads must see. */
  readonly bookmark: string | undefined;
  readonly cache: IsolateCache;
  readonly cookies: string[];
  /** Returns the session of the request's cookie, if any; looked up once. */
  session(): Promise<Session | undefined>;
  /**
   * Returns the session that the cookie claims, whose token is valid, but which may have been closed: only for calls of
   * the patron's object that check it (`SessionUse`).
   */
  claim(): Promise<Session | undefined>;
  /**
   * Returns the session of a token: of a bearer, or of a cookie that was made from one. Undefined if the request has
   * none; resolves to undefined if the token is invalid or has ended. The answer may still be public. `mayBeRecent`: that
   * it was open within five seconds is enough.
   */
  token(options: { mayBeRecent: boolean }): Promise<Session | undefined> | undefined;
  /** Ignores the session from now on: its token lacks the scope for private data. */
  dropSession(): void;
  actor(): Promise<Actor>;
  /** Returns read-only mode, and the usergroups of the session's patron; read once, from the primary. */
  accessState(): Promise<AccessState>;
  /** Returns name, look and texts of the service, at most 20 seconds old. Never fails. */
  site(): Promise<SiteSettings>;
  readonly routes: readonly Route[];
  waitUntil(promise: Promise<unknown>): void;
  answer(request: Request): Response | Promise<Response>;
}

/** Per-request state stored on the Hono context. */
export interface HonoEnv {
  /** Replaces the bindings: operations use only the `stores` and `settings` of the context. */
  Bindings: { carrel: RequestContext };
}

export interface Session {
  readonly username: string;
  /** `/people/<username>` */
  readonly key: string;
  readonly id: string;
  /** Naive UTC, to the second. */
  readonly issued: string;
  /** Scopes of the token; undefined for a session that was opened by a login. */
  readonly scopes?: readonly TokenScope[];
  /** Grant of the token. */
  readonly grant?: string;
}

export interface Actor {
  readonly key: string | null;
  readonly username: string | null;
  readonly status: "anonymous" | "pending" | "active" | "blocked";
  readonly bot: boolean;
  readonly groups: ReadonlySet<string>;
  readonly email: string | null;
  /** Grant of the program that acts, if it has a token. */
  readonly grant?: string;
}

/** Returns true for the methods of requests that change nothing. OPTIONS is answered before routing. */
export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns the base URL in answers: the setting, else scheme and host of the request. */
export function baseUrl({ settings, url }: Pick<RequestContext, "settings" | "url">): string {
  return settings.BASE_URL === "" ? url.origin : settings.BASE_URL.replace(/\/$/, "");
}

/**
 * Returns the path of the site on its host, such as `/catalog`; empty at the root of the host. A proxy takes it off the
 * path of each request, so routes, keys and paths in JSON never have it (Q867).
 */
export function rootPath(baseAddress: string): string {
  return baseAddress.replace(/^\w+:\/\/[^/]*|\/$/g, "");
}

export function isEncrypted({ BASE_URL }: Settings): boolean {
  return BASE_URL.startsWith("https:");
}

/** Bookmarks of a catalog in PostgreSQL, which D1 rejects if the catalog has moved there since. */
const CHANGE_NUMBER = /^\d+$/;

/** Opens a read session near the reader, one that sees the client's own last write if there was one. */
export function catalogReader({ stores, bookmark = "first-unconstrained" }: RequestContext): Database {
  return stores.catalog.withSession(CHANGE_NUMBER.test(bookmark) ? "first-primary" : bookmark);
}

/** Returns the base URL of cover images in answers: the setting, else this service. */
export function coversUrl(context: RequestContext): string {
  const { COVERS_PUBLIC_URL: setting } = context.settings;
  return setting === "" ? baseUrl(context) : setting.replace(/\/$/, "");
}

export function lookupConfig(context: RequestContext): LookupConfig {
  const archiveUrl = context.settings.ARCHIVE_PUBLIC_URL.replace(/\/$/, "");
  return { baseUrl: baseUrl(context), coversUrl: coversUrl(context), archiveUrl };
}
