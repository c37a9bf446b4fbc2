import type { Route } from "../http/operation.ts";
import { alias, get, inScope, operationsIn, post, remove } from "../http/route-lines.ts";

const trending = operationsIn(() => import("./activity/trending.ts"));
const removal = operationsIn(() => import("./data/removal.ts"));
const ownExport = operationsIn(() => import("./data/own-export.ts"));
const ownImport = operationsIn(() => import("./data/own-import.ts"));
const follows = operationsIn(() => import("./people/follows.ts"));
const profile = operationsIn(() => import("./people/profile.ts"));
const readers = operationsIn(() => import("./people/readers.ts"));
const shelves = operationsIn(() => import("./people/shelves.ts"));
const readingStatistics = operationsIn(() => import("./people/reading-statistics.ts"));
const ownNotes = operationsIn(() => import("./people/own-notes.ts"));
const awards = operationsIn(() => import("./reading/awards.ts"));
const bookshelves = operationsIn(() => import("./reading/bookshelves.ts"));
const checkIns = operationsIn(() => import("./reading/check-ins.ts"));
const goals = operationsIn(() => import("./reading/goals.ts"));
const hideBanner = operationsIn(() => import("./reading/hide-banner.ts"));
const likes = operationsIn(() => import("./reading/likes.ts"));
const notes = operationsIn(() => import("./reading/notes.ts"));
const observations = operationsIn(() => import("./reading/observations.ts"));
const readingLog = operationsIn(() => import("./reading/reading-log.ts"));

export const ACTIVITY_ROUTES: readonly Route[] = [
  get(["/trending/{period}.json", "/trending.json"], "public", trending("trending")),
  get("/trending/{mode}", "public", trending("trendingForPeople")),
  get("/trending", "public", trending("trendingRedirect")),
].flat();

export const EXPORT_ROUTES: readonly Route[] = [
  get("/account/export", "session-page", ownExport("exportOwn")),
  get("/account/export.json", "session", ownExport("exportOwnJson")),
  get("/account/import", "session-page", ownImport("importState")),
  alias(get("/account/import.json", "session", ownImport("importState"))),
  post("/account/import", "session-page", ownImport("importOwn")),
  alias(post("/account/import.json", "session", ownImport("importOwn"))),
  post("/account/import/goodreads", "session-page", ownImport("previewImport")),
  post("/account/import/choose", "session-page", ownImport("chooseImported")),
  inScope("login", get("/account/remove", "session-page", removal("removeOwnForm"))),
  inScope("login", post("/account/remove", "session-page", removal("removeOwn"))),
  inScope("login", post("/account/anonymize.json", "public", removal("anonymize"))),
].flat();

/** Routes of patrons' pages and follows. Pages with private data check the session themselves. */
export const PEOPLE_ROUTES: readonly Route[] = [
  get("/people", "public", readers("people")),
  get("/people/{username}/follows.json", "public", follows("follows")),
  post("/people/{username}/follows.json", "public", follows("changeFollow")),
  get("/people/{username}/avatar", "public", profile("avatar")),
  get("/people/{username}/followers", "public", follows("followers")),
  get("/people/{username}/following", "public", follows("following")),
  get("/people/{username}/books", "public", shelves("books")),
  get("/people/{username}/books/notes", "public", ownNotes("showNotes")),
  get("/people/{username}/books/observations", "public", ownNotes("showObservations")),
  get("/people/{username}/books/feed", "public", follows("feed")),
  get("/people/{username}/books/already-read/year/{year}", "public", readingStatistics("booksOfYear")),
  get("/people/{username}/books/{shelf}/year/{year}/stats", "public", readingStatistics("yearStatistics")),
  get("/people/{username}/books/{shelf}/stats", "public", readingStatistics("shelfStatistics")),
  get("/people/{username}/books/{key}", "public", shelves("shelf")),
  get("/people/{username}", "public", profile("person")),
].flat();

/** Marks routes whose answers are about a work, but not its record (Q680). */
function aboutWork(...lines: readonly (readonly Route[])[]): Route[] {
  return lines.flat().map((route) => Object.assign({}, route, { isAboutWork: true as const }));
}

/** Marks routes whose operations check the session in the call of the patron's object that writes. */
function ownAction(lines: readonly Route[]): Route[] {
  return lines.map((route) => Object.assign({}, route, { sessionCheckedByPatron: true as const }));
}

export const READING_ROUTES: readonly Route[] = [
  get("/people/{username}/books/{key}.json", "public", readingLog("shelfJson")),

  aboutWork(
    get("/works/XX{work_id}W/bookshelves[.json]", "public", bookshelves("bookshelves")),
    ownAction(post("/works/XX{work_id}W/bookshelves[.json]", "session", bookshelves("putOnShelf"))),
    get("/works/XX{work_id}W/ratings[.json]", "public", bookshelves("ratings")),
    inScope("ratings", ownAction(post("/works/XX{work_id}W/ratings[.json]", "session", bookshelves("rate")))),

    get("/works/XX{work_id}W/notes[.json]", "session", notes("ownNotes")),
    ownAction(post("/works/XX{work_id}W/notes[.json]", "session", notes("keepNote"))),
  ),

  get("/observations.json", "public", observations("observationsOfWorks")),
  aboutWork(
    get("/works/XX{work_id}W/observations[.json]", "session", observations("ownObservations")),
    inScope(
      "ratings",
      ownAction(post("/works/XX{work_id}W/observations[.json]", "session", observations("observe"))),
    ),
    inScope(
      "ratings",
      ownAction(remove("/works/XX{work_id}W/observations[.json]", "session", observations("unobserve"))),
    ),
    inScope(
      "ratings",
      ownAction(post("/works/XX{work_id}W/observations/own", "session", observations("observeOwn"))),
    ),

    get("/works/XX{work_id}W/check-ins[.json]", "session", checkIns("ownCheckIns")),
    ownAction(post("/works/XX{work_id}W/check-ins.json", "session", checkIns("checkIn"))),
    ownAction(post("/works/XX{work_id}W/check-ins", "session", checkIns("checkInWithoutSuffix"))),
    ownAction(post("/works/XX{work_id}W/check-ins/add", "session", ownNotes("checkInForm"))),
  ),
  ownAction(remove("/check-ins/{check_in_id}", "session", checkIns("deleteCheckIn"))),
  ownAction(post("/check-ins/{check_in_id}/delete", "session", checkIns("deleteCheckInForm"))),

  get("/reading-goal[.json]", "session", goals("readingGoals")),
  post("/reading-goal[.json]", "session", goals("saveReadingGoal")),
  get("/partials/ReadingGoalProgress.json", "session", goals("goalProgressPartial")),
  get("/partials/MyBooksDropperLists.json", "session", bookshelves("listDropperPartial")),

  inScope("ratings", aboutWork(post("/works/XX{work_id}W/awards[.json]", "session", awards("award")))),
  get("/awards/count.json", "public", awards("awardCount")),
  inScope("ratings", ownAction(post(["/api/like", "/api/like.json"], "session", likes("like")))),
  inScope("ratings", ownAction(remove("/api/like", "session", likes("removeLike")))),
  get(["/api/likes", "/api/likes.json"], "public", likes("likes")),
  get(["/api/patron/likes", "/api/patron/likes.json"], "session", likes("ownLikes")),

  post("/hide_banner", "public", hideBanner("hideBanner")),
].flat();
