import type { Route } from "../../http/operation.ts";
import { get, post } from "../../http/route-lines.ts";
import { books } from "./books-page.ts";
import { changeFollow, feed, followers, following, follows } from "./follows.ts";
import { observations, ownNotes } from "./notes-page.ts";
import { avatar, person } from "./profile.ts";
import { people } from "./readers.ts";
import { shelf } from "./shelf-page.ts";
import { booksOfYear, shelfStatistics, yearStatistics } from "./reading-statistics.ts";

/** Routes of patrons' pages and follows. Pages with private data check the session themselves. */
export const PEOPLE_ROUTES: readonly Route[] = [
  get("/people", "public", people),
  get("/people/{username}/follows.json", "public", follows),
  post("/people/{username}/follows.json", "public", changeFollow),
  get("/people/{username}/avatar", "public", avatar),
  get("/people/{username}/followers", "public", followers),
  get("/people/{username}/following", "public", following),
  get("/people/{username}/books", "public", books),
  get("/people/{username}/books/notes", "public", ownNotes),
  get("/people/{username}/books/observations", "public", observations),
  get("/people/{username}/books/feed", "public", feed),
  get("/people/{username}/books/already-read/year/{year}", "public", booksOfYear),
  get("/people/{username}/books/{shelf}/year/{year}/stats", "public", yearStatistics),
  get("/people/{username}/books/{shelf}/stats", "public", shelfStatistics),
  get("/people/{username}/books/{shelf}", "public", shelf),
  get("/people/{username}", "public", person),
].flat();
