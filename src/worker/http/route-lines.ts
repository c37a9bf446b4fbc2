import type { Access, AnyOperation, Route } from "./operation.ts";

/** A line of the route table. */
export function get(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "GET", path, access, operation, alias: false };
}

/** The same for what changes something. */
export function post(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "POST", path, access, operation, alias: false };
}

/** The same for what is put in place. */
export function put(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "PUT", path, access, operation, alias: false };
}

/** The same for what is deleted. */
export function remove(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "DELETE", path, access, operation, alias: false };
}

/** Another spelling of the route above it, which the interface description leaves out. */
export function alias(path: string, access: Access, operation: AnyOperation): Route {
  return { method: "GET", path, access, operation, alias: true };
}
