import { requireNode } from "../scripts/lib/require-node.mjs";

// It reads SQLite files, and sources with types.
requireNode(22, 18, "npm run bench");
await import("./commands.mjs");
