import type { Route } from "../http/operation.ts";
import { get, inScope, operationsIn, post } from "../http/route-lines.ts";

const libraries = operationsIn(() => import("./libraries.ts"));
const notes = operationsIn(() => import("./notes.ts"));
const pending = operationsIn(() => import("./pending.ts"));
const registrations = operationsIn(() => import("./registrations.ts"));

export const LIBRARY_ROUTES: readonly Route[] = [
  get("/libraries[.json]", "public", libraries("libraries")),
  get("/libraries/locations.txt", "public", libraries("libraryLocations")),
  // These check for administrators themselves, and answer 404 to all others.
  get("/libraries/dashboard[.json]", "public", pending("libraryDashboard")),
  get("/libraries/pending-{number}[.json]", "public", pending("pendingLibrary")),
  inScope("admin", post("/libraries/pending-{number}", "admin", pending("decideLibrary"))),
  get("/libraries/register", "public", registrations("registerLibraryForm")),
  post("/libraries/register", "public", registrations("registerLibrary")),
  get("/libraries/stats", "public", libraries("libraryStats")),
  get("/libraries/stats/{name}.csv", "public", libraries("libraryStatsFile")),
  get("/libraries/{name}/notes[.json]", "public", notes("libraryNotes")),
  inScope("account", post("/libraries/{name}/notes", "session-page", notes("addLibraryNote"))),
].flat();
