import type { Route } from "../http/operation.ts";
import { alias, get, post, remove } from "../http/route-lines.ts";
import { trending, trendingPage, trendingRedirect } from "./activity/trending.ts";
import { anonymize, removeOwn, removeOwnForm } from "./data/removal.ts";
import { exportOwn, exportOwnJson } from "./data/own-export.ts";
import { chooseImported, importOwn, importState, previewImport } from "./data/own-import.ts";
import { books } from "./people/books-page.ts";
import { changeFollow, feed, followers, following, follows } from "./people/follows.ts";
import { notesPage, observations } from "./people/notes-page.ts";
import { avatar, person } from "./people/profile.ts";
import { people } from "./people/readers.ts";
import { shelf } from "./people/shelf-page.ts";
import { booksOfYear, shelfStatistics, yearStatistics } from "./people/reading-statistics.ts";
import { checkInForm } from "./people/own-book-page.ts";
import { award, awardCount } from "./reading/awards.ts";
import { bookshelves, listDropperPartial, putOnShelf, rate, ratings } from "./reading/bookshelves.ts";
import {
  checkIn,
  checkInWithoutSuffix,
  deleteCheckIn,
  deleteCheckInForm,
  ownCheckIns,
} from "./reading/check-ins.ts";
import { goalProgressPartial, readingGoals, saveReadingGoal } from "./reading/goals.ts";
import { hideBanner } from "./reading/hide-banner.ts";
import { like, likes, ownLikes, removeLike } from "./reading/likes.ts";
import { keepNote, ownNotes } from "./reading/notes.ts";
import {
  observationsOfWorks,
  observe,
  observeOwn,
  ownObservations,
  unobserve,
} from "./reading/observations.ts";
import { shelfPage } from "./reading/reading-log.ts";

export const ACTIVITY_ROUTES: readonly Route[] = [
  get(["/trending/{period}.json", "/trending.json"], "public", trending),
  get("/trending/{mode}", "public", trendingPage),
  get("/trending", "public", trendingRedirect),
].flat();

export const EXPORT_ROUTES: readonly Route[] = [
  get("/account/export", "session-page", exportOwn),
  get("/account/export.json", "session", exportOwnJson),
  get("/account/import", "session-page", importState),
  alias(get("/account/import.json", "session", importState)),
  post("/account/import", "session-page", importOwn),
  alias(post("/account/import.json", "session", importOwn)),
  post("/account/import/goodreads", "session-page", previewImport),
  post("/account/import/choose", "session-page", chooseImported),
  get("/account/remove", "session-page", removeOwnForm),
  post("/account/remove", "session-page", removeOwn),
  post("/account/anonymize.json", "public", anonymize),
].flat();

/** Routes of patrons' pages and follows. Pages with private data check the session themselves. */
export const PEOPLE_ROUTES: readonly Route[] = [
  get("/people", "public", people),
  get("/people/{username}/follows.json", "public", follows),
  post("/people/{username}/follows.json", "public", changeFollow),
  get("/people/{username}/avatar", "public", avatar),
  get("/people/{username}/followers", "public", followers),
  get("/people/{username}/following", "public", following),
  get("/people/{username}/books", "public", books),
  get("/people/{username}/books/notes", "public", notesPage),
  get("/people/{username}/books/observations", "public", observations),
  get("/people/{username}/books/feed", "public", feed),
  get("/people/{username}/books/already-read/year/{year}", "public", booksOfYear),
  get("/people/{username}/books/{shelf}/year/{year}/stats", "public", yearStatistics),
  get("/people/{username}/books/{shelf}/stats", "public", shelfStatistics),
  get("/people/{username}/books/{shelf}", "public", shelf),
  get("/people/{username}", "public", person),
].flat();

/** Marks routes whose answers are about a work, but not its record (Q680). */
function aboutWork(...lines: readonly (readonly Route[])[]): Route[] {
  return lines.flat().map((route) => Object.assign({}, route, { isAboutWork: true as const }));
}

export const READING_ROUTES: readonly Route[] = [
  get("/people/{username}/books/{key}.json", "public", shelfPage),

  aboutWork(
    get("/works/XX{work_id}W/bookshelves[.json]", "public", bookshelves),
    post("/works/XX{work_id}W/bookshelves[.json]", "session", putOnShelf),
    get("/works/XX{work_id}W/ratings[.json]", "public", ratings),
    post("/works/XX{work_id}W/ratings[.json]", "session", rate),

    get("/works/XX{work_id}W/notes[.json]", "session", ownNotes),
    post("/works/XX{work_id}W/notes[.json]", "session", keepNote),
  ),

  get("/observations.json", "public", observationsOfWorks),
  aboutWork(
    get("/works/XX{work_id}W/observations[.json]", "session", ownObservations),
    post("/works/XX{work_id}W/observations[.json]", "session", observe),
    remove("/works/XX{work_id}W/observations[.json]", "session", unobserve),
    post("/works/XX{work_id}W/observations/own", "session", observeOwn),

    get("/works/XX{work_id}W/check-ins[.json]", "session", ownCheckIns),
    post("/works/XX{work_id}W/check-ins.json", "session", checkIn),
    post("/works/XX{work_id}W/check-ins", "session", checkInWithoutSuffix),
    post("/works/XX{work_id}W/check-ins/add", "session", checkInForm),
  ),
  remove("/check-ins/{check_in_id}", "session", deleteCheckIn),
  post("/check-ins/{check_in_id}/delete", "session", deleteCheckInForm),

  get("/reading-goal[.json]", "session", readingGoals),
  post("/reading-goal[.json]", "session", saveReadingGoal),
  get("/partials/ReadingGoalProgress.json", "session", goalProgressPartial),
  get("/partials/MyBooksDropperLists.json", "session", listDropperPartial),

  aboutWork(post("/works/XX{work_id}W/awards[.json]", "session", award)),
  get("/awards/count.json", "public", awardCount),
  post(["/api/like", "/api/like.json"], "session", like),
  remove("/api/like", "session", removeLike),
  get(["/api/likes", "/api/likes.json"], "public", likes),
  get(["/api/patron/likes", "/api/patron/likes.json"], "session", ownLikes),

  post("/hide_banner", "public", hideBanner),
].flat();
