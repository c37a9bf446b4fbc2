import { inject } from "vitest";
import { awaitReadiness } from "./readiness.ts";

await awaitReadiness(inject("readiness"));
