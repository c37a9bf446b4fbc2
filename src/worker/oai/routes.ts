import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { oai, oaiForm } from "./oai.ts";

export const OAI_ROUTES: readonly Route[] = [
  get("/oai", "public", oai),
  post("/oai", "public", oaiForm),
].flat();
