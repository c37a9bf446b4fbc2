/** Fields of a line of addresses, with `|` in between. */
const FIELDS = 9;
const COORDINATE = /^[+-]?\d{1,3}(?:\.\d{1,20})?$/;

/** One building of a library; its coordinates are undefined when nobody has said where it is. */
export type Branch = NonNullable<ReturnType<typeof branchOf>>;

/** A line of addresses; undefined for one with another number of fields or with coordinates that are none. */
export function branchOf(line: string) {
  const fields = line.split("|").map((field) => field.replace(/\s+/g, " ").trim());
  if (fields.length !== FIELDS) return undefined;
  const [name = "", street = "", city = "", state = "", zip = "", country = "", ...more] = fields;
  const [telephone = "", website = "", place = ""] = more;
  const coordinates = coordinatesOf(place);
  if (place !== "" && coordinates === undefined) return undefined;
  return { name, street, city, state, zip, country, telephone, website, coordinates };
}

/** All branches of a text of addresses, one a line; lines that are none are left out. */
export function branchesOf(text: string): Branch[] {
  return linesOf(text).flatMap((line) => branchOf(line) ?? []);
}

/** The lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** A place on the globe, in degrees as written. */
function coordinatesOf(text: string) {
  const [latitude = "", longitude = "", ...more] = text.split(",").map((part) => part.trim());
  if (more.length > 0 || !isCoordinate(latitude, 90) || !isCoordinate(longitude, 180)) return undefined;
  return { latitude, longitude };
}

function isCoordinate(text: string, most: number): boolean {
  return COORDINATE.test(text) && Math.abs(Number(text)) <= most;
}
