import type { Route } from "../http/operation.ts";
import { alias, get, inScope, operationsIn, post, remove } from "../http/route-lines.ts";

const mcp = operationsIn(() => import("./mcp.ts"));

/** The door for agents. Each tool calls routes, which check access: none is open that is not open elsewhere. */
export const MCP_ROUTES: readonly Route[] = [
  inScope("any", [
    ...post("/mcp", "public", mcp("mcp")),
    ...alias([...get("/mcp", "public", mcp("mcp")), ...remove("/mcp", "public", mcp("mcp"))]),
  ]),
].flat();
