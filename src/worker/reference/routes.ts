import type { Route } from "../http/operation.ts";
import { get, operationsIn } from "../http/route-lines.ts";

const docs = operationsIn(() => import("./docs.ts"));
const components = operationsIn(() => import("./components.ts"));
const openapi = operationsIn(() => import("./openapi.ts"));

/** Routes of the description of the interface, to read and to try. */
export const REFERENCE_ROUTES: readonly Route[] = [
  get("/openapi.json", "public", openapi("openapi")),
  get("/docs", "public", docs("docs")),
  get("/docs/run", "public", docs("docsRun")),
  get("/docs/{tag}", "public", docs("docsOfTag")),
  get("/dev/components", "development", components("components")),
].flat();
