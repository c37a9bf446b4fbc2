import type { Route } from "../http/operation.ts";
import { alias, get, operationsIn, post, put } from "../http/route-lines.ts";
import { FOLDERS_IN_USE, routesBelow } from "./folders.ts";

const writeList = operationsIn(() => import("./write-list.ts"));
const listForm = operationsIn(() => import("./list-form.ts"));
const listContents = operationsIn(() => import("./list-contents.ts"));
const listPage = operationsIn(() => import("./list-page.ts"));
const listExport = operationsIn(() => import("./list-export.ts"));
const list = operationsIn(() => import("./list.ts"));
const collections = operationsIn(() => import("./collections.ts"));
const searchLists = operationsIn(() => import("./search-lists.ts"));
const seeds = operationsIn(() => import("./seeds.ts"));
const series = operationsIn(() => import("./series.ts"));

export const LIST_ROUTES: readonly Route[] = [
  routesBelow(get, [FOLDERS_IN_USE, "/{list_id}.json", "public"], (folder) => list("readListJson", folder)),

  // Without a suffix these are pages for people.
  get("/people/{username}/lists[.json]", "public", collections("listsOfPatron")),
  get("/books/XX{edition_id}M/lists[.json]", "public", collections("listsWithEdition")),
  get("/works/XX{work_id}W/lists[.json]", "public", collections("listsWithWork")),
  get("/authors/XX{author_id}A/lists[.json]", "public", collections("listsWithAuthor")),
  get("/subjects/{key:path}/lists[.json]", "public", collections("listsWithSubject")),

  routesBelow(get, [FOLDERS_IN_USE, "/{olid}/seeds[.json]", "public"], (folder) =>
    seeds("listSeeds", folder),
  ),
  get("/people/{username}/series/{olid}/seeds.json", "public", seeds("listSeeds", "people-series")),
  routesBelow(get, [FOLDERS_IN_USE, "/{olid}/editions[.json]", "public"], (folder) =>
    listContents("listEditions", folder),
  ),
  routesBelow(get, [FOLDERS_IN_USE, "/{olid}/subjects[.json]", "public"], (folder) =>
    listContents("listSubjects", folder),
  ),
  routesBelow(get, [FOLDERS_IN_USE, "/{list_id}/embed", "public"], (folder) => listPage("embedList", folder)),
  routesBelow(get, [FOLDERS_IN_USE, "/{list_id}/export", "public"], (folder) =>
    listExport("exportList", folder),
  ),
  routesBelow(get, [FOLDERS_IN_USE, "/{list_id}/feeds/updates.atom", "public"], (folder) =>
    listContents("listFeed", folder),
  ),

  get("/lists", "public", searchLists("listsOverview")),
  get("/series", "public", searchLists("seriesOverview")),
  get("/lists/search", "public", searchLists("oldListSearch")),
  get("/search/lists", "public", searchLists("searchListsPage")),
  get("/search/lists.json", "public", searchLists("searchLists")),

  // writing: whose list it is, is asked by the operations
  post("/people/{username}/lists[.json]", "session", writeList("createListOperation")),
  put("/people/{username}/lists/{list_id}[.json]", "session", writeList("putList")),
  routesBelow(
    post,
    [["people", "people-series", "lists", "series"], "/{olid}/seeds.json", "session"],
    (folder) => seeds("changeSeeds", folder),
  ),
  routesBelow(post, [FOLDERS_IN_USE, "/{olid}/seeds", "session"], (folder) =>
    seeds("changeSeedsByForm", folder),
  ),
  routesBelow(post, [["people", "lists"], "/{list_id}/delete[.json]", "session"], (folder) =>
    writeList("deleteList", folder),
  ),

  // forms
  routesBelow(get, [FOLDERS_IN_USE, "/add", "session"], (folder) => listForm("addForm", folder)),
  routesBelow(post, [FOLDERS_IN_USE, "/add", "session"], (folder) => listForm("addByForm", folder)),
  alias(get("/people/{username}/series/add", "public", series("addPersonalSeries"))),
  post("/people/{username}/series/add", "session", series("addPersonalSeries")),
  // Programs get key and revision; people are asked to log in.
  routesBelow(get, [FOLDERS_IN_USE, "/{list_id}[/{slug}]/edit", "public"], (folder) =>
    listForm("editForm", folder),
  ),
  routesBelow(post, [FOLDERS_IN_USE, "/{list_id}[/{slug}]/edit", "session"], (folder) =>
    listForm("editByForm", folder),
  ),
  alias(get("/people/{username}/series/{list_id}/edit", "public", series("editPersonalSeries"))),
  post("/people/{username}/series/{list_id}/edit", "session", series("editPersonalSeries")),

  // pages whose addresses end in any name: after all others
  routesBelow(get, [FOLDERS_IN_USE, "/XX{list_id}L", "public"], (folder) => list("listPage", folder)),
  alias(
    routesBelow(get, [FOLDERS_IN_USE, "/XX{list_id}L/{slug}", "public"], (folder) =>
      list("listPage", folder),
    ),
  ),
].flat();
