// The package's own declarations do not fit its files. Its parts are imported one by one, because its index pulls in a
// router that Carrel does not use.
declare module "itty-router-extras/classes/StatusError" {
  export class StatusError extends Error {
    status: number;
    constructor(status?: number, message?: string);
  }
}

declare module "itty-router-extras/response/json" {
  export function json(
    body: object | string | null,
    options?: { status?: number; headers?: Record<string, string> },
  ): Response;
}

declare module "itty-router-extras/response/status" {
  export function status(status: number): Response;
}
