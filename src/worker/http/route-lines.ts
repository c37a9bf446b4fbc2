import type { Scope } from "../../catalog/scopes.ts";
import type { Access, AnyOperation, OperationLoader, Route, RouteScope } from "./operation.ts";

/**
 * Path of the route table, or several, of which the interface description names only the first. `/lists[.json]` is
 * `/lists.json` and `/lists`. `/books/XX{id}M[/{slug}]/edit` is two operations, both described: one without the
 * readable part of the address, and one with it, whose name ends in `AtPage`.
 */
type Paths = string | readonly string[];

const OPTIONAL_SUFFIX = "[.json]";
const OPTIONAL_SLUG = "[/{slug}]";

function lineOf(method: Route["method"]) {
  return function lines(paths: Paths, access: Access, load: OperationLoader): Route[] {
    if (typeof paths === "string" && paths.includes(OPTIONAL_SLUG)) {
      return [
        ...lines(paths.replace(OPTIONAL_SLUG, ""), access, derive(load, withoutSlug)),
        ...lines(paths.replace(OPTIONAL_SLUG, "/{slug}"), access, derive(load, atPage)),
      ];
    }
    const spellings = [paths].flat().flatMap((path) => {
      const bare = path.replace(OPTIONAL_SUFFIX, "");
      return bare === path ? [path] : [`${bare}.json`, bare];
    });
    return spellings.map((path, index) => ({ method, path, access, load, alias: index > 0 }));
  };
}

function withoutSlug({ path: { slug: _slug, ...path }, ...operation }: AnyOperation): AnyOperation {
  return { ...operation, path };
}

function atPage(operation: AnyOperation): AnyOperation {
  return { ...operation, id: `${operation.id}AtPage` };
}

/** Returns a loader of a variant of an operation. */
export function derive(
  load: OperationLoader,
  change: (operation: AnyOperation) => AnyOperation,
): OperationLoader {
  return async () => change(await load());
}

type OperationName<Module> = {
  [Name in keyof Module]: Module[Name] extends AnyOperation ? Name : never;
}[keyof Module];

/** Names of exported values whose members of these names are operations. */
type GroupName<Module, Member extends string> = {
  [Name in keyof Module]: Module[Name] extends Readonly<Record<Member, AnyOperation>> ? Name : never;
}[keyof Module];

/**
 * Returns a function that names an operation of a module, without importing the module yet:
 * `const record = operationsIn(() => import("./record.ts"))`, then `record("readWork")`, or `image("coverImages", "b")`
 * for a member of an exported value.
 */
export function operationsIn<Module>(importModule: () => Promise<Module>) {
  function load(name: OperationName<Module>): OperationLoader;
  function load<Member extends string>(name: GroupName<Module, Member>, member: Member): OperationLoader;
  function load(name: keyof Module, member?: string): OperationLoader {
    return async () => {
      const exported: unknown = (await importModule())[name];
      // The overloads admit only operations, and values that have operations as members.
      return (
        member === undefined ? exported : (exported as Record<string, unknown>)[member]
      ) as AnyOperation;
    };
  }
  return load;
}

export const get = lineOf("GET");
export const post = lineOf("POST");
export const put = lineOf("PUT");
export const remove = lineOf("DELETE");

/** Scopes of a feature's own data: reading it needs `read`. */
const OWN_DATA: ReadonlySet<string> = new Set(["shelves", "lists", "ratings"] satisfies Scope[]);

const OPEN_ACCESS: ReadonlySet<Access> = new Set(["operator", "cover-writer", "development"]);

/**
 * Sets the scope that tokens need for lines that have none yet, beside their access level. Reads of a patron's own data
 * need `read`; public reads have no scope, and show private data to tokens with `read` only.
 */
export function inScope(scope: RouteScope, lines: readonly Route[]): Route[] {
  return lines.map((route) => {
    const { method, access } = route;
    if (route.scope !== undefined || OPEN_ACCESS.has(access)) return route;
    if (method !== "GET") return { ...route, scope };
    if (access === "public") return scope === "login" ? { ...route, scope } : route;
    return { ...route, scope: OWN_DATA.has(scope) ? "read" : scope };
  });
}

/** Sets the scope of all lines, for reads that change something too. */
export function onlyInScope(scope: Scope, lines: readonly Route[]): Route[] {
  return lines.map((route) => ({ ...route, scope }));
}

/** Hides lines from the interface description, which describes their operation at another method or access. */
export function alias(routes: readonly Route[]): Route[] {
  return routes.map((route) => Object.assign({}, route, { alias: true }));
}
