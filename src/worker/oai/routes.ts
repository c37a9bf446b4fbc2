import type { Route } from "../http/operation.ts";
import { get, operationsIn, post } from "../http/route-lines.ts";

const oai = operationsIn(() => import("./oai.ts"));

export const OAI_ROUTES: readonly Route[] = [
  get("/oai", "public", oai("oai")),
  post("/oai", "public", oai("oaiForm")),
].flat();
