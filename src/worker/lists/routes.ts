import type { Route } from "../http/operation.ts";
import { alias, get, post, put } from "../http/route-lines.ts";
import { addByForm, addForm } from "./add-form.ts";
import { changeSeeds, changeSeedsByForm, listSeeds } from "./seeds.ts";
import { createListOperation, deleteList, putList } from "./write-list.ts";
import { editByForm, editForm } from "./edit-form.ts";
import { listEditions, listFeed, listSubjects } from "./list-contents.ts";
import { embedList } from "./list-page.ts";
import { exportList } from "./list-export.ts";
import { listPage, readListJson } from "./list.ts";
import {
  listsOfPatron,
  listsWithAuthor,
  listsWithEdition,
  listsWithSubject,
  listsWithWork,
} from "./collections.ts";
import { routesBelow } from "./list-operations.ts";
import {
  listsOverview,
  oldListSearch,
  searchListsPage,
  seriesOverview,
  searchLists,
} from "./search-lists.ts";
import { addPersonalSeries, editPersonalSeries } from "./series.ts";

const { "people-series": personalSeriesSeeds, ...seedsOfLists } = listSeeds;

export const LIST_ROUTES: readonly Route[] = [
  routesBelow(get, ["/{list_id}.json", "public"], readListJson),

  // Without a suffix these are pages for people.
  get("/people/{username}/lists[.json]", "public", listsOfPatron),
  get("/books/XX{edition_id}M/lists[.json]", "public", listsWithEdition),
  get("/works/XX{work_id}W/lists[.json]", "public", listsWithWork),
  get("/authors/XX{author_id}A/lists[.json]", "public", listsWithAuthor),
  get("/subjects/{key:path}/lists[.json]", "public", listsWithSubject),

  routesBelow(get, ["/{olid}/seeds[.json]", "public"], seedsOfLists),
  get("/people/{username}/series/{olid}/seeds.json", "public", personalSeriesSeeds),
  routesBelow(get, ["/{olid}/editions[.json]", "public"], listEditions),
  routesBelow(get, ["/{olid}/subjects[.json]", "public"], listSubjects),
  routesBelow(get, ["/{list_id}/embed", "public"], embedList),
  routesBelow(get, ["/{list_id}/export", "public"], exportList),
  routesBelow(get, ["/{list_id}/feeds/updates.atom", "public"], listFeed),

  get("/lists", "public", listsOverview),
  get("/series", "public", seriesOverview),
  get("/lists/search", "public", oldListSearch),
  get("/search/lists", "public", searchListsPage),
  get("/search/lists.json", "public", searchLists),

  // writing: whose list it is, is asked by the operations
  post("/people/{username}/lists[.json]", "session", createListOperation),
  put("/people/{username}/lists/{list_id}[.json]", "session", putList),
  routesBelow(post, ["/{olid}/seeds.json", "session"], changeSeeds),
  routesBelow(post, ["/{olid}/seeds", "session"], changeSeedsByForm),
  routesBelow(post, ["/{list_id}/delete[.json]", "session"], deleteList),

  // forms
  routesBelow(get, ["/add", "session"], addForm),
  routesBelow(post, ["/add", "session"], addByForm),
  alias(get("/people/{username}/series/add", "public", addPersonalSeries)),
  post("/people/{username}/series/add", "session", addPersonalSeries),
  // Programs get key and revision; people are asked to log in.
  routesBelow(get, ["/{list_id}[/{slug}]/edit", "public"], editForm),
  routesBelow(post, ["/{list_id}[/{slug}]/edit", "session"], editByForm),
  alias(get("/people/{username}/series/{list_id}/edit", "public", editPersonalSeries)),
  post("/people/{username}/series/{list_id}/edit", "session", editPersonalSeries),

  // pages whose addresses end in any name: after all others
  routesBelow(get, ["/XX{list_id}L", "public"], listPage),
  alias(routesBelow(get, ["/XX{list_id}L/{slug}", "public"], listPage)),
].flat();
