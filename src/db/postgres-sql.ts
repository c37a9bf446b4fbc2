/**
 * Translation of statements to PostgreSQL. The statements of src/db use the common subset of SQLite and PostgreSQL and
 * a few SQLite forms (docs/sql.md), which are rewritten here. Other SQLite functions and operators are defined by
 * migrations/postgres/0001_functions.sql.
 */

const translations = new Map<string, string>();
/** Maximum number of cached translations: statements built from parts of a request are unlimited in number. */
const TRANSLATIONS_MAX = 2000;

/** Translates a statement of the common subset to PostgreSQL. Results are cached. */
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
  /** Whitespace and comments before the token. */
  space: string;
  /** Nesting depth in parentheses. */
  readonly depth: number;
}

/**
 * Pattern of whitespace, a comment, or one token. A quote inside a string ends one string and starts the next, which
 * leaves the SQL unchanged.
 */
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

/** Words with another name in PostgreSQL. Names in camelCase need quotes to keep their capitals. */
const WORDS: Readonly<Record<string, string>> = {
  BINARY: '"C"',
  LIKE: "ILIKE",
  GLOB: "OPERATOR(carrel.~~~)",
  // PostgreSQL has other functions of these names.
  json_each: "carrel.json_each",
  json_array_length: "carrel.json_array_length",
  json_object: "json_build_object",
  json_array: "json_build_array",
};

function toWord(text: string): string {
  return WORDS[text] ?? (/^[a-z_].*[A-Z]/.test(text) ? `"${text}"` : text);
}

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

/** Pattern of tokens that end the table list of a SELECT. */
const AFTER_TABLE = /^(?:WHERE|GROUP|ORDER|LIMIT|UNION|ON|USING|JOIN|LEFT|CROSS|SET|RETURNING|[,)])$/;

/**
 * Adapts joins: in PostgreSQL `JOIN` needs a condition, and `CROSS JOIN`, which fixes the order in SQLite, must not
 * have one.
 */
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

/** Rewrites `x->>'$.a.b'` to `x#>>'{a,b}'`, and takes parts of list elements from `element` instead of its text. */
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
