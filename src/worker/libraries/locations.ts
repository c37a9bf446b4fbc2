import { type Branch, branchesOf } from "../../catalog/lending/library.ts";
import { type Json, textOf } from "../../catalog/record.ts";
import { readAddresses } from "../../db/records/libraries.ts";
import { catalogReader, operation } from "../http/operation.ts";
import { plain } from "../http/reply.ts";

/** Libraries whose branches are told. */
const LOCATED_LIBRARIES_MAX = 10_000;

const COLUMNS = ["lat", "lon", "title", "description", "icon", "iconSize", "iconOffset"];
/** The sign on the map, its size and where its foot is, in pixels. */
const ICON = ["/images/icons/library.svg", "24,24", "-12,-24"];

/** `GET /libraries/locations.txt`: where branches of libraries are, as maps read it. */
export const libraryLocations = operation({
  id: "libraryLocations",
  summary: "Branches of libraries with their coordinates, a line each",
  tag: "libraries",
  responses: { 200: { description: "Columns with tabs in between", contentType: "text/plain" } },
  async handle(_input, context) {
    const rows = await readAddresses(catalogReader(context), LOCATED_LIBRARIES_MAX);
    const lines = rows.flatMap(({ name, addresses }) => {
      // A column of JSON, made by SQLite out of a stored document.
      const stored = addresses === null ? null : (JSON.parse(addresses) as Json);
      return branchesOf(textOf(stored) ?? "").flatMap((branch) => line(branch, name ?? ""));
    });
    const body = [COLUMNS.join("\t"), ...lines].map((text) => `${text}\n`).join("");
    return plain(body, { cacheControl: "public, max-age=60" });
  },
});

/** Q457: a branch of which nobody has said where it is has no line. */
function line(branch: Branch, library: string): string[] {
  const { coordinates, name, street, city, state, zip, country, telephone, website } = branch;
  if (coordinates === undefined) return [];
  const town = [city, state, zip].filter((part) => part !== "").join(" ");
  const description = [street, town, country, telephone, website].filter((part) => part !== "").join(", ");
  const { latitude, longitude } = coordinates;
  const title = name === "" ? library.replace(/\s+/g, " ") : name;
  return [[latitude, longitude, title, description, ...ICON].join("\t")];
}
