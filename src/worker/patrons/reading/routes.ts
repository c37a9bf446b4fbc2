import type { Route } from "../../http/operation.ts";
import { get, post, remove } from "../../http/route-lines.ts";
import { checkInForm } from "../people/own-book-page.ts";
import { award, awardCount } from "./awards.ts";
import { bookshelves, listDropperPartial, putOnShelf, rate, ratings } from "./bookshelves.ts";
import { checkIn, checkInWithoutSuffix, deleteCheckIn, deleteCheckInForm, ownCheckIns } from "./check-ins.ts";
import { goalProgressPartial, readingGoals, saveReadingGoal } from "./goals.ts";
import { hideBanner } from "./hide-banner.ts";
import { like, likes, ownLikes, removeLike } from "./likes.ts";
import { keepNote, ownNotes } from "./notes.ts";
import { observationsOfWorks, observe, observeOwn, ownObservations, unobserve } from "./observations.ts";
import { shelfPage } from "./reading-log.ts";

export const READING_ROUTES: readonly Route[] = [
  get("/people/{username}/books/{key}.json", "public", shelfPage),

  get("/works/XX{work_id}W/bookshelves[.json]", "public", bookshelves),
  post("/works/XX{work_id}W/bookshelves[.json]", "session", putOnShelf),
  get("/works/XX{work_id}W/ratings[.json]", "public", ratings),
  post("/works/XX{work_id}W/ratings[.json]", "session", rate),

  get("/works/XX{work_id}W/notes[.json]", "session", ownNotes),
  post("/works/XX{work_id}W/notes[.json]", "session", keepNote),

  get("/observations.json", "public", observationsOfWorks),
  get("/works/XX{work_id}W/observations[.json]", "session", ownObservations),
  post("/works/XX{work_id}W/observations[.json]", "session", observe),
  remove("/works/XX{work_id}W/observations[.json]", "session", unobserve),
  post("/works/XX{work_id}W/observations/own", "session", observeOwn),

  get("/works/XX{work_id}W/check-ins[.json]", "session", ownCheckIns),
  post("/works/XX{work_id}W/check-ins.json", "session", checkIn),
  post("/works/XX{work_id}W/check-ins", "session", checkInWithoutSuffix),
  post("/works/XX{work_id}W/check-ins/add", "session", checkInForm),
  remove("/check-ins/{check_in_id}", "session", deleteCheckIn),
  post("/check-ins/{check_in_id}/delete", "session", deleteCheckInForm),

  get("/reading-goal[.json]", "session", readingGoals),
  post("/reading-goal[.json]", "session", saveReadingGoal),
  get("/partials/ReadingGoalProgress.json", "session", goalProgressPartial),
  get("/partials/MyBooksDropperLists.json", "session", listDropperPartial),

  post("/works/XX{work_id}W/awards[.json]", "session", award),
  get("/awards/count.json", "public", awardCount),
  post(["/api/like", "/api/like.json"], "session", like),
  remove("/api/like", "session", removeLike),
  get(["/api/likes", "/api/likes.json"], "public", likes),
  get(["/api/patron/likes", "/api/patron/likes.json"], "session", ownLikes),

  post("/hide_banner", "public", hideBanner),
].flat();
