import type { Route } from "../http/operation.ts";
import { get, post, remove } from "../http/route-lines.ts";
import { awardCount } from "../routes/reading/award-count.ts";
import { award } from "../routes/reading/award.ts";
import { putOnShelf } from "../routes/reading/bookshelves-put.ts";
import { bookshelves } from "../routes/reading/bookshelves.ts";
import { deleteCheckInForm } from "../routes/reading/check-in-delete-form.ts";
import { deleteCheckIn } from "../routes/reading/check-in-delete.ts";
import { checkInForm } from "../routes/reading/check-in-form.ts";
import { checkInWithoutSuffix } from "../routes/reading/check-in-without-suffix.ts";
import { checkIn } from "../routes/reading/check-in.ts";
import { ownCheckIns } from "../routes/reading/check-ins.ts";
import { goalProgressPartial } from "../routes/reading/goal-progress.ts";
import { saveReadingGoal } from "../routes/reading/goal-save.ts";
import { readingGoals } from "../routes/reading/goals.ts";
import { hideBanner } from "../routes/reading/hide-banner.ts";
import { removeLike } from "../routes/reading/like-remove.ts";
import { like } from "../routes/reading/like.ts";
import { likes } from "../routes/reading/likes.ts";
import { monthlyLogins } from "../routes/reading/monthly-logins.ts";
import { listDropperPartial } from "../routes/reading/list-dropper.ts";
import { keepNote } from "../routes/reading/note.ts";
import { ownNotes } from "../routes/reading/notes.ts";
import { observationsOfWorks } from "../routes/reading/observations.ts";
import { observe } from "../routes/reading/observe.ts";
import { ownLikes } from "../routes/reading/own-likes.ts";
import { ownObservations } from "../routes/reading/own-observations.ts";
import { rate } from "../routes/reading/rate.ts";
import { ratings } from "../routes/reading/ratings.ts";
import { shelfPage } from "../routes/reading/shelf.ts";
import { unobserve } from "../routes/reading/unobserve.ts";

/** Shelves, ratings, notes, observations, check-ins and goals. */
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
  get("/api/monthly_logins.json", "public", monthlyLogins),
].flat();
