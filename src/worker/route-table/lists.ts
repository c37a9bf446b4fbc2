import type { Route } from "../operation.ts";
import { alias, get } from "../route-lines.ts";
import {
  listsOfPatron,
  listsWithAuthor,
  listsWithEdition,
  listsWithSubject,
  listsWithWork,
} from "../routes/lists/collections.ts";
import { listEditions, peopleListEditions, seriesEditions } from "../routes/lists/editions.ts";
import { embedList, embedPeopleList, embedSeries } from "../routes/lists/embed.ts";
import { exportList, exportPeopleList, exportSeries } from "../routes/lists/export.ts";
import { listFeed, peopleListFeed } from "../routes/lists/feed.ts";
import { communityListPage, peopleListPage, seriesPage } from "../routes/lists/list-page.ts";
import { listsOverview, oldListSearch, searchListsPage } from "../routes/lists/overview.ts";
import { readCommunityList, readPeopleList, readSeries } from "../routes/lists/read-list.ts";
import { listSeeds, peopleListSeeds, peopleSeriesSeeds, seriesSeeds } from "../routes/lists/seeds.ts";
import { listSubjects, peopleListSubjects, seriesSubjects } from "../routes/lists/subjects.ts";

/** Lists and series: reading. */
export const LIST_ROUTES: readonly Route[] = [
  get("/people/{username}/lists/{list_id}.json", "public", readPeopleList),
  get("/lists/{list_id}.json", "public", readCommunityList),
  get("/series/{list_id}.json", "public", readSeries),

  // Without a suffix these are pages for people.
  get("/people/{username}/lists.json", "public", listsOfPatron),
  alias("/people/{username}/lists", "public", listsOfPatron),
  get("/books/XX{edition_id}M/lists.json", "public", listsWithEdition),
  alias("/books/XX{edition_id}M/lists", "public", listsWithEdition),
  get("/works/XX{work_id}W/lists.json", "public", listsWithWork),
  alias("/works/XX{work_id}W/lists", "public", listsWithWork),
  get("/authors/XX{author_id}A/lists.json", "public", listsWithAuthor),
  alias("/authors/XX{author_id}A/lists", "public", listsWithAuthor),
  get("/subjects/{key:path}/lists.json", "public", listsWithSubject),
  alias("/subjects/{key:path}/lists", "public", listsWithSubject),

  get("/people/{username}/lists/{olid}/seeds.json", "public", peopleListSeeds),
  alias("/people/{username}/lists/{olid}/seeds", "public", peopleListSeeds),
  get("/people/{username}/series/{olid}/seeds.json", "public", peopleSeriesSeeds),
  get("/lists/{olid}/seeds.json", "public", listSeeds),
  alias("/lists/{olid}/seeds", "public", listSeeds),
  get("/series/{olid}/seeds.json", "public", seriesSeeds),
  alias("/series/{olid}/seeds", "public", seriesSeeds),

  get("/people/{username}/lists/{olid}/editions.json", "public", peopleListEditions),
  alias("/people/{username}/lists/{olid}/editions", "public", peopleListEditions),
  get("/lists/{olid}/editions.json", "public", listEditions),
  alias("/lists/{olid}/editions", "public", listEditions),
  get("/series/{olid}/editions.json", "public", seriesEditions),
  alias("/series/{olid}/editions", "public", seriesEditions),

  get("/people/{username}/lists/{olid}/subjects.json", "public", peopleListSubjects),
  alias("/people/{username}/lists/{olid}/subjects", "public", peopleListSubjects),
  get("/lists/{olid}/subjects.json", "public", listSubjects),
  alias("/lists/{olid}/subjects", "public", listSubjects),
  get("/series/{olid}/subjects.json", "public", seriesSubjects),
  alias("/series/{olid}/subjects", "public", seriesSubjects),

  get("/people/{username}/lists/{list_id}/embed", "public", embedPeopleList),
  get("/lists/{list_id}/embed", "public", embedList),
  get("/series/{list_id}/embed", "public", embedSeries),
  get("/people/{username}/lists/{list_id}/export", "public", exportPeopleList),
  get("/lists/{list_id}/export", "public", exportList),
  get("/series/{list_id}/export", "public", exportSeries),
  get("/people/{username}/lists/{list_id}/feeds/updates.atom", "public", peopleListFeed),
  get("/lists/{list_id}/feeds/updates.atom", "public", listFeed),

  get("/lists", "public", listsOverview),
  get("/lists/search", "public", oldListSearch),
  get("/search/lists", "public", searchListsPage),
];

/** Pages of lists, whose addresses end in any name: after all other routes of lists. */
export const LIST_PAGE_ROUTES: readonly Route[] = [
  get("/people/{username}/lists/XX{list_id}L", "public", peopleListPage),
  alias("/people/{username}/lists/XX{list_id}L/{slug}", "public", peopleListPage),
  get("/lists/XX{list_id}L", "public", communityListPage),
  alias("/lists/XX{list_id}L/{slug}", "public", communityListPage),
  get("/series/XX{list_id}L", "public", seriesPage),
  alias("/series/XX{list_id}L/{slug}", "public", seriesPage),
];
