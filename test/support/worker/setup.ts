import { env } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { emptyStores } from "./stored.ts";

// Files share a runtime, so each begins by emptying what the one before has left.
await emptyStores();

// The project of Solr without one.
if (env.EQUALITY !== undefined && env.SOLR_URL === "") beforeEach(({ skip }) => skip("there is no Solr"));
