import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { sruGet, sruPost } from "./sru.ts";

export const SRU_ROUTES: readonly Route[] = [
  get("/sru", "public", sruGet),
  post("/sru", "public", sruPost),
].flat();
