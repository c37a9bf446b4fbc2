import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.ts";
import type { Source } from "./sources.ts";

/** Openings of texts that make a clause of what should be a noun phrase or a verb. */
const CLAUSE = /^(?:What|How|Where|Whether|Who|Whose|Which|Such as|The same|That of|One's own|There is no)\b/;
/** Texts of operations, parameters, members and responses. Template texts count up to their first value. */
const API_TEXT =
  /(?:\b(?:summary|description|title):\s*|\.describe\(\s*)(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\\.)*))/g;
const COMMENT = /\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ ?([^\n]*)/g;
const TEST_TITLE = /\b(?:describe|it|test)(?:\.\w+)*\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\])*)`)/g;
const IDENTIFIER = /^[a-z]\w*[A-Z_]\w*$|^[A-Z][^\W_]*[a-z][^\W_]*[A-Z][^\W_]*$/;
/** Names of protocols, products and SQL indexes. Tests of client packages name the packages' methods. */
const FOREIGN_NAMES = new Set(["COinS", "OpenID", "OpenRefine", "OpenURL", "work_count_by_readers"]);
const CLIENTS = "test/clients/";

const EXPORT =
  /^export (?:abstract |async |declare )*(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
/** Exported names that several files of src/ may have, because their folders say which is meant. */
const SHARED_NAMES = new Set(["SearchEngine"]);

/** Lists texts that a client reads and that open with a clause. */
export function clauseTexts(files: readonly Source[]) {
  const ofApi = files
    .filter(({ name }) => name.startsWith("src/"))
    .flatMap(({ name, text }) => texts(text, API_TEXT).map((found) => `${name}: "${found}"`));
  const catalogue: Record<string, string | Record<string, string>> = JSON.parse(
    readFileSync(path.join(ROOT, "locales/en.json"), "utf8"),
  );
  const failures = Object.entries(catalogue)
    .filter(([key]) => /^[a-z]+_[a-z_]+\.|^(?:validation|conflict|forbidden|unavailable|timeout)\./.test(key))
    .flatMap(([, phrase]) => (typeof phrase === "string" ? [phrase] : Object.values(phrase)))
    .map((phrase) => `locales/en.json: "${phrase}"`);
  return [...ofApi, ...failures].filter((line) => CLAUSE.test(line.slice(line.indexOf('"') + 1)));
}

/** Lists comments that open with a clause. */
export function clauseComments(files: readonly Source[]) {
  return files.flatMap(({ name, text }) =>
    texts(text, COMMENT)
      .map((comment) => comment.replace(/^[\s*]+/, ""))
      .filter((comment) => CLAUSE.test(comment))
      .map((comment) => `${name}: ${comment.split("\n")[0]}`),
  );
}

/** Lists names in titles of tests, and in backticks inside comments, that the code does not have. */
export function unknownNames(files: readonly Source[]) {
  const inCode = files.flatMap((file) => codeOf(file).match(/[A-Za-z_$][\w$]*/g) ?? []);
  const known = new Set([...FOREIGN_NAMES, ...inCode]);
  const own = files.filter(({ name }) => !name.startsWith(CLIENTS));
  return own.flatMap(({ name, text }) => {
    const titles = isTest(name) ? texts(text, TEST_TITLE).flatMap((title) => title.split(/[^\w$]+/)) : [];
    const inComments = texts(text, COMMENT).flatMap((comment) =>
      [...comment.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word),
    );
    // Tables have the name of a generation at the end.
    return [...titles, ...inComments]
      .filter((word) => IDENTIFIER.test(word) && !known.has(word) && !known.has(`${word}_$`))
      .map((word) => `${name}: ${word} is no name of the code`);
  });
}

function codeOf({ name, text }: Source) {
  const code = text.replace(COMMENT, " ");
  return isTest(name) ? code.replace(TEST_TITLE, " ") : code;
}

function isTest(name: string) {
  return name.startsWith("test/");
}

/** Lists names that several files of src/ export. */
export function repeatedExports(files: readonly Source[]) {
  const places: Map<string, string[]> = new Map();
  for (const { name, text } of files.filter((file) => file.name.startsWith("src/"))) {
    for (const exported of new Set(texts(text, EXPORT)))
      places.set(exported, [...(places.get(exported) ?? []), name]);
  }
  return [...places]
    .filter(([exported, names]) => names.length > 1 && !SHARED_NAMES.has(exported))
    .map(([exported, names]) => `${names.join(", ")}: ${exported} is exported by each`);
}

/** Returns what a pattern finds: its first group that is not empty. */
function texts(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.find((group) => group) ?? []);
}
