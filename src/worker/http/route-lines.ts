import type { Access, AnyOperation, OperationLoader, Route } from "./operation.ts";

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

/**
 * Returns a function that names an operation of a module, without importing the module yet:
 * `const record = operationsIn(() => import("./record.ts"))`, then `record("readWork")`, or a function for operations that
 * are members of an exported value.
 */
export function operationsIn<Module>(importModule: () => Promise<Module>) {
  return (operation: OperationName<Module> | ((module: Module) => AnyOperation)): OperationLoader =>
    async () => {
      const module = await importModule();
      // The name of an operation is a member that is one.
      return typeof operation === "function" ? operation(module) : (module[operation] as AnyOperation);
    };
}

export const get = lineOf("GET");
export const post = lineOf("POST");
export const put = lineOf("PUT");
export const remove = lineOf("DELETE");

/** Hides lines from the interface description, which describes their operation at another method or access. */
export function alias(routes: readonly Route[]): Route[] {
  return routes.map((route) => Object.assign({}, route, { alias: true }));
}
