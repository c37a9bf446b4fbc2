import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const sru = operationsIn(() => import("./sru.ts"));

export const SRU_ROUTES: readonly Route[] = [
  get("/sru", "public", sru("sruGet")),
  post("/sru", "public", sru("sruPost")),
].flat();
