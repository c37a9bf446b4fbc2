import { requireNode } from "../scripts/lib/require-node.mjs";

// For node:sqlite, and TypeScript without a build.
requireNode(22, 18, "npm run bench");
await import("./commands.ts");
