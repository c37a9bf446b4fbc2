import type { Route } from "../http/operation.ts";
import { get, post } from "../http/route-lines.ts";
import { avatar } from "../routes/people/avatar.ts";
import { books } from "../routes/people/books.ts";
import { followers, following } from "../routes/people/circle.ts";
import { feed } from "../routes/people/feed.ts";
import { changeFollow } from "../routes/people/follow.ts";
import { follows } from "../routes/people/follows.ts";
import { notes } from "../routes/people/notes.ts";
import { observations } from "../routes/people/observations.ts";
import { person } from "../routes/people/person.ts";
import { shelf } from "../routes/people/shelf.ts";
import { shelfStatistics, yearStatistics } from "../routes/people/stats.ts";
import { booksOfYear } from "../routes/people/year.ts";

/** Pages of patrons, and whom they follow. Those that show what is the patron's own look themselves who asks. */
export const PEOPLE_ROUTES: readonly Route[] = [
  get("/people/{username}/follows.json", "public", follows),
  post("/people/{username}/follows.json", "public", changeFollow),
  get("/people/{username}/avatar", "public", avatar),
  get("/people/{username}/followers", "public", followers),
  get("/people/{username}/following", "public", following),
  get("/people/{username}/books", "public", books),
  get("/people/{username}/books/notes", "public", notes),
  get("/people/{username}/books/observations", "public", observations),
  get("/people/{username}/books/feed", "public", feed),
  get("/people/{username}/books/already-read/year/{year}", "public", booksOfYear),
  get("/people/{username}/books/{shelf}/year/{year}/stats", "public", yearStatistics),
  get("/people/{username}/books/{shelf}/stats", "public", shelfStatistics),
  get("/people/{username}/books/{shelf}", "public", shelf),
  get("/people/{username}", "public", person),
].flat();
