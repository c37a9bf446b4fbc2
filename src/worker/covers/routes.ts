import type { OperationLoader, Route } from "../http/operation.ts";
import { alias, get, operationsIn, post } from "../http/route-lines.ts";
import { type ImageKind, COVER_CATEGORIES, IMAGE_KINDS } from "./image-kinds.ts";

const record = operationsIn(() => import("../records/record.ts"));
const addImage = operationsIn(() => import("./add-image.ts"));
const home = operationsIn(() => import("./home.ts"));
const image = operationsIn(() => import("./image.ts"));
const manageImages = operationsIn(() => import("./manage-images.ts"));
const query = operationsIn(() => import("./query.ts"));
const removal = operationsIn(() => import("./remove.ts"));
const recordImages = operationsIn(() => import("./record-images.ts"));
const upload = operationsIn(() => import("./upload.ts"));

const READING: readonly Route[] = [
  COVER_CATEGORIES.map((category) =>
    get(`/${category}/{key}/{value}.jpg`, "public", image("coverImages", category)),
  ),
  COVER_CATEGORIES.map((category) =>
    get(`/${category}/{key}/{value}.json`, "public", image("coverMetadataBy", category)),
  ),
].flat(2);

/** Old addresses of records with a slug (Q11), which look like addresses of covers. */
const OLD_ADDRESSES: readonly Route[] = [
  alias(get("/b/XX{edition_id}M/{slug}.json", "public", record("readEdition"))),
  alias(get("/a/XX{author_id}A/{slug}.json", "public", record("readAuthor"))),
  alias(get("/w/XX{work_id}W/{slug}.json", "public", record("readWork"))),
].flat();

/** Routes of the main site, which also has them below `/covers`. */
export const COVER_ROUTES: readonly Route[] = [
  ...OLD_ADDRESSES,
  ...READING,
  ...READING.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/covers", "public", home("coversHome")),
].flat();

/** Routes of the cover store's own listener. */
export const COVER_READING_ROUTES: readonly Route[] = [
  ...READING,
  get("/", "public", home("coversHome")),
  get("/robots.txt", "public", home("coverRobots")),
].flat();

function recordPath({ folder, noun, letter }: ImageKind): string {
  return `/${folder}/XX{${noun}_id}${letter}`;
}

/** Returns the routes of a form at a record's address and at its readable one, each also with `.json`. */
function formRoutes(
  kind: ImageKind,
  action: string,
  { show, submit }: Record<"show" | "submit", OperationLoader>,
): Route[] {
  const address = recordPath(kind);
  const paths = [address, `${address}/{slug}`].flatMap((path) => [
    `${path}/${action}`,
    `${path}/${action}.json`,
  ]);
  return [...get(paths, "public", show), ...post(paths, "session-page", submit)];
}

export const COVER_EDIT_ROUTES: readonly Route[] = [
  // Works have no such address.
  IMAGE_KINDS.filter(({ noun }) => noun !== "work").map((kind) =>
    get(`${recordPath(kind)}/${kind.image}`, "public", recordImages("showImage", kind.noun)),
  ),
  IMAGE_KINDS.map((kind) =>
    formRoutes(kind, `add-${kind.image}`, {
      show: addImage("addImageForm", kind.noun),
      submit: addImage("addRecordImage", kind.noun),
    }),
  ),
  IMAGE_KINDS.map((kind) =>
    formRoutes(kind, `manage-${kind.images}`, {
      show: manageImages("manageImagesPage", kind.noun),
      submit: manageImages("manageImages", kind.noun),
    }),
  ),
].flat(2);

const STORE: readonly Route[] = [
  COVER_CATEGORIES.map((category) => get(`/${category}/query`, "public", query("queryCovers", category))),
  COVER_CATEGORIES.map((category) =>
    post(`/${category}/upload2`, "cover-writer", upload("upload2", category)),
  ),
  COVER_CATEGORIES.map((category) => post(`/${category}/upload`, "cover-writer", upload("upload", category))),
  COVER_CATEGORIES.map((category) => post(`/${category}/touch`, "cover-writer", removal("touch", category))),
  COVER_CATEGORIES.map((category) =>
    post(`/${category}/delete`, "cover-writer", removal("deleteCover", category)),
  ),
].flat(2);

/** Routes of the main site, which also has them below `/covers`. */
export const COVER_STORE_ROUTES: readonly Route[] = [
  ...STORE,
  ...STORE.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/system/covers.json", "operator", query("coversList")),
].flat();

/** Routes of the cover store's own listener. */
export const COVER_LISTENER_ROUTES: readonly Route[] = [
  ...STORE,
  get("/{category}/query", "public", query("queryNothing")),
].flat();
