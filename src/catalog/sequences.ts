/** Which sequence gives out the number of a key (records.md 9). Lists and series share one. */
const SEQUENCES = {
  A: "type_author_seq",
  M: "type_edition_seq",
  W: "type_work_seq",
  T: "type_tag_seq",
  P: "type_publisher_seq",
  L: "list",
};
const OLID_KEY =
  /^\/(?:authors|books|works|tags|publishers|series|lists|people\/[^/]+\/lists)\/([A-Z]+)(\d{1,13})([AMWTPL])$/;

/** The sequence and number of an OLID key; undefined for keys without an OLID of this prefix. */
export function sequenceOfKey(key: string, prefix: string): { name: string; number: number } | undefined {
  const match = OLID_KEY.exec(key);
  if (match === null || match[1] !== prefix) return undefined;
  const name = Object.entries(SEQUENCES).find(([letter]) => letter === match[3])?.[1];
  return name === undefined ? undefined : { name, number: Number(match[2]) };
}
