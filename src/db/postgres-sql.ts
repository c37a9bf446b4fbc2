/**
 * The statements of src/db are written once, in what SQLite and PostgreSQL have in common, with a few forms of SQLite
 * (docs/sql.md); this writes those forms as PostgreSQL has them. What of SQLite's functions and operators it leaves as
 * they are, migrations/postgres/0001_functions.sql defines.
 */

const translations = new Map<string, string>();
/** Statements that are kept; those that are put together out of a request's parts are without number. */
const TRANSLATIONS_MAX = 2000;

/** A statement of the common subset as PostgreSQL takes it. */
export function toPostgres(sql: string): string {
  const known = translations.get(sql);
  if (known !== undefined) return known;
  if (translations.size >= TRANSLATIONS_MAX) translations.clear();
  const text = printTokens(sql);
  translations.set(sql, text);
  return text;
}

function printTokens(sql: string): string {
  const tokens = tokensOf(sql);
  dropHints(tokens);
  writeJoins(tokens);
  nameSubqueries(tokens);
  writeParts(tokens);
  let bound = 0;
  return tokens
    .map(({ kind, text, space }) => {
      if (kind === "placeholder") return `${space}$${text === "?" ? (bound += 1) : text.slice(1)}`;
      return space + (kind === "word" ? toWord(text) : text);
    })
    .join("");
}

interface Token {
  readonly kind: "string" | "placeholder" | "word" | "sign";
  text: string;
  /** What stands before it. */
  space: string;
  /** How many parentheses it stands in. */
  readonly depth: number;
}

/** Blanks and comments, or one token. A quote within a string ends one string and begins the next, which changes no SQL. */
const TOKEN = /(\s+|--.*)|('[^']*'|"[^"]*")|(\?\d*)|([A-Za-z_]\w*)|(->>?|<=|>=|<>|\|\||\d[\w.]*|\S)/g;

function tokensOf(sql: string): Token[] {
  let depth = 0;
  let space = "";
  return [...sql.trim().matchAll(TOKEN)].flatMap(([, blank, string, placeholder, word, sign = ""]) => {
    if (blank !== undefined) {
      space += blank;
      return [];
    }
    if (sign === ")") depth -= 1;
    const token: Token = {
      kind: string ? "string" : placeholder ? "placeholder" : word ? "word" : "sign",
      text: string ?? placeholder ?? word ?? sign,
      space,
      depth,
    };
    if (sign === "(") depth += 1;
    space = "";
    return [token];
  });
}

/** Words that PostgreSQL has another one for; a name in camelCase would lose its capitals. */
const WORDS: Readonly<Record<string, string>> = {
  BINARY: '"C"',
  LIKE: "ILIKE",
  GLOB: "OPERATOR(carrel.~~~)",
  // These are the names of others there.
  json_each: "carrel.json_each",
  json_array_length: "carrel.json_array_length",
  json_object: "json_build_object",
  json_array: "json_build_array",
};

function toWord(text: string): string {
  return WORDS[text] ?? (/^[a-z_].*[A-Z]/.test(text) ? `"${text}"` : text);
}

/** What tells SQLite the way to go: PostgreSQL finds its own. */
function dropHints(tokens: Token[]): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const [text, next] = [tokens[at]?.text, tokens[at + 1]?.text];
    if (text === "INDEXED") tokens.splice(at, 3);
    else if (text === "NOT" && next === "INDEXED") tokens.splice(at, 2);
    else if (text === "+" && isUnary(tokens[at - 1])) {
      const [sign] = tokens.splice(at, 1);
      const operand = tokens[at];
      if (sign && operand) operand.space = sign.space;
    }
  }
}

function isUnary(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === "word") return /^[A-Z]+$/.test(before.text);
  return before.kind === "sign" && before.text !== ")" && !/^\d/.test(before.text);
}

/** Where the tables of a SELECT end. */
const AFTER_TABLE = /^(?:WHERE|GROUP|ORDER|LIMIT|UNION|ON|USING|JOIN|LEFT|CROSS|SET|RETURNING|[,)])$/;

/** `JOIN` has a condition in PostgreSQL, and `CROSS JOIN`, which keeps the order in SQLite, has none. */
function writeJoins(tokens: Token[]): void {
  tokens.forEach((token, at) => {
    if (token.text !== "JOIN" || tokens[at - 1]?.text === "LEFT") return;
    const isCross = tokens[at - 1]?.text === "CROSS";
    const end = tokens
      .slice(at + 1)
      .find(({ text, depth }) => depth <= token.depth && AFTER_TABLE.test(text));
    const hasCondition = end?.text === "ON" && end.depth === token.depth;
    if (hasCondition === !isCross) return;
    if (isCross) tokens[at - 1] = { ...token, text: "", space: "" };
    else token.text = "CROSS JOIN";
  });
}

/** A subquery in the place of a table has a name. */
function nameSubqueries(tokens: Token[]): void {
  let count = 0;
  const opened: boolean[] = [];
  tokens.forEach((token, at) => {
    if (token.text === "(") {
      const next = tokens[at + 1]?.text ?? "";
      opened.push(
        /^(?:FROM|(?:CROSS )?JOIN)$/.test(tokens[at - 1]?.text ?? "") &&
          /^(?:SELECT|WITH|VALUES)$/.test(next),
      );
    }
    if (token.text !== ")" || opened.pop() !== true) return;
    const next = tokens[at + 1];
    if (next?.kind === "word" && (next.text === "AS" || !/^[A-Z]+$/.test(next.text))) return;
    token.text = `) AS nameless${(count += 1)}`;
  });
}

/** `x->>'$.a.b'` is `x#>>'{a,b}'`, and the parts of an element of a list are taken from `element`, not from its text. */
function writeParts(tokens: Token[]): void {
  tokens.forEach((token, at) => {
    if (!token.text.startsWith("->")) return;
    const [from, part] = [tokens[at - 1], tokens[at + 1]];
    if (part === undefined || part.kind === "placeholder") return;
    if (from?.text === "value") from.text = "element";
    token.text = token.text.replace("->", "#>");
    part.text = `'{${pathOf(part.text)}}'`;
  });
}

const STEP = /\."([^"]*)"|\.([^.["]+)|\[(\d+)\]/g;

function pathOf(text: string): string {
  const path = text.replace(/^'|'$/g, "");
  if (!path.startsWith("$")) return path;
  return [...path.matchAll(STEP)].map(([, quoted, bare, index]) => quoted ?? bare ?? index).join(",");
}
