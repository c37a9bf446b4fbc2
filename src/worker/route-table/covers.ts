import type { Route } from "../http/operation.ts";
import { get } from "../http/route-lines.ts";
import { coverImages } from "../routes/covers/cover-image.ts";
import { coversHome } from "../routes/covers/home.ts";
import { coverMetadataBy } from "../routes/covers/metadata.ts";
import { coverRobots } from "../routes/covers/robots.ts";
import { readAuthor, readEdition, readWork } from "../records/record.ts";

/** Images of covers, and what is known of them. */
const READING: readonly Route[] = [
  get("/b/{key}/{value}.jpg", "public", coverImages.b),
  get("/a/{key}/{value}.jpg", "public", coverImages.a),
  get("/w/{key}/{value}.jpg", "public", coverImages.w),
  get("/b/{key}/{value}.json", "public", coverMetadataBy.b),
  get("/a/{key}/{value}.json", "public", coverMetadataBy.a),
  get("/w/{key}/{value}.json", "public", coverMetadataBy.w),
];

/** What records are found at by their old addresses (Q11), with any word behind the number: it looks like the key of a cover. */
const OLD_ADDRESSES: readonly Route[] = [
  { ...get("/b/XX{edition_id}M/{slug}.json", "public", readEdition), alias: true },
  { ...get("/a/XX{author_id}A/{slug}.json", "public", readAuthor), alias: true },
  { ...get("/w/XX{work_id}W/{slug}.json", "public", readWork), alias: true },
];

/** The main site has the same, below `/covers` too. */
export const COVER_ROUTES: readonly Route[] = [
  ...OLD_ADDRESSES,
  ...READING,
  ...READING.map((route) => ({ ...route, path: `/covers${route.path}`, alias: true })),
  get("/covers", "public", coversHome),
];

/** The cover store's own listener. */
export const COVER_READING_ROUTES: readonly Route[] = [
  ...READING,
  get("/", "public", coversHome),
  get("/robots.txt", "public", coverRobots),
];
