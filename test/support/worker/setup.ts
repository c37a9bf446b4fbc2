import { emptyStores } from "./stored.ts";

// Files share a runtime, so each begins by emptying what the one before has left.
await emptyStores();
