import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { libraries, libraryStats, libraryStatsFile, libraryLocations } from "./libraries.ts";
import { addLibraryNote, libraryNotes } from "./notes.ts";
import { decideLibrary, libraryDashboard, pendingLibrary } from "./pending.ts";
import { registerLibrary, registerLibraryForm } from "./registrations.ts";

export const LIBRARY_ROUTES: readonly Route[] = [
  get("/libraries[.json]", "public", libraries),
  get("/libraries/locations.txt", "public", libraryLocations),
  // These check for administrators themselves, and answer 404 to all others.
  get("/libraries/dashboard[.json]", "public", libraryDashboard),
  get("/libraries/pending-{number}[.json]", "public", pendingLibrary),
  post("/libraries/pending-{number}", "admin", decideLibrary),
  get("/libraries/register", "public", registerLibraryForm),
  post("/libraries/register", "public", registerLibrary),
  get("/libraries/stats", "public", libraryStats),
  get("/libraries/stats/{name}.csv", "public", libraryStatsFile),
  get("/libraries/{name}/notes[.json]", "public", libraryNotes),
  post("/libraries/{name}/notes", "session-page", addLibraryNote),
].flat();
