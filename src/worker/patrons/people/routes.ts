import type { Route } from "../../http/operation.ts";
import { get, post } from "../../http/route-lines.ts";
import { books } from "./books.ts";
import { feed } from "./feed.ts";
import { changeFollow, followers, following, follows } from "./followers.ts";
import { ownNotes } from "./notes.ts";
import { observations } from "./observations.ts";
import { avatar, person } from "./person.ts";
import { people } from "./readers.ts";
import { shelf } from "./shelf.ts";
import { shelfStatistics, yearStatistics } from "./stats.ts";
import { booksOfYear } from "./year.ts";

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
