import { secretHash } from "../../db/accounts/secret-hash.ts";
import { all, first, storedValue } from "../storage.ts";
import { PatronPart } from "./core.ts";
import { useToken } from "./sessions.ts";

/** Grants of one account: personal tokens and apps with access. */
const GRANTS_MAX = 100;
/**
 * Tokens of one kind of a grant, beyond which those that end first are deleted. Used refresh tokens are among them, so that a
 * second use of a stolen one is noticed.
 */
const TOKENS_MAX = 200;

/** Access that an account has given to a program. Times are milliseconds since the epoch. */
export interface Grant {
  readonly id: string;
  /** Id of the app's registration; null: a personal token. */
  readonly client: string | null;
  readonly name: string;
  /** Host of the app's redirect address, or its scheme; empty for personal tokens. */
  readonly place: string;
  /** Scopes with blanks between them. */
  readonly scopes: string;
  readonly created: number;
  /** When a personal token ends; null: the grant ends with its tokens. */
  readonly expires: number | null;
  /** Last use, to the hour; null: never used. */
  readonly seen: number | null;
  /** Network of the last use. */
  readonly network: string;
}

/** New token. Only the hash of its id is stored. `kind`: `use` opens routes, `code` and `refresh` are exchanged once. */
export interface NewToken {
  readonly id: string;
  readonly kind: "use" | "code" | "refresh";
  readonly expires: number;
}

/** Values of the request for a code that its exchange repeats. */
export interface CodeTerms {
  readonly client: string;
  /** Redirect address of the request. */
  readonly redirect: string;
  /** SHA-256 of the verifier, as base64url. */
  readonly challenge: string;
}

interface StoredToken {
  readonly grant_id: string;
  readonly kind: NewToken["kind"];
  readonly used: number;
  readonly terms: string | null;
}

/** Result of an exchange. `replayed`: the token was used before, so all tokens of its grant have ended. */
export type Exchange = Pick<Grant, "id" | "name" | "scopes"> | "invalid" | "replayed";

export function endAllTokens(sql: SqlStorage): void {
  sql.exec("DELETE FROM token");
  sql.exec("DELETE FROM access_grant");
}

/** Access of programs to the account. Each method is one transaction, so that a code or refresh token is exchanged once. */
export class PatronTokens extends PatronPart {
  /** Adds a grant with its first token: a personal token, or a code with its terms. Returns false if there are too many. */
  add(grant: Omit<Grant, "seen" | "network">, token: NewToken, terms: CodeTerms | null): boolean {
    const { sql, state } = this.core;
    return this.core.transact(() => {
      this.prune(grant.created);
      if (state.get("barred") !== undefined) return false;
      if (Number(storedValue(sql, "SELECT count(*) FROM access_grant")) >= GRANTS_MAX) return false;
      const { id, client, name, place, scopes, created, expires } = grant;
      sql.exec(
        "INSERT INTO access_grant VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, '')",
        id,
        client,
        name,
        place,
        scopes,
        created,
        expires,
      );
      this.insert(id, token, terms);
      return true;
    });
  }

  /**
   * Exchanges a code for tokens. A code that was used before ends its grant, and so does one with other terms: it was
   * intercepted (Q854). Without `redirect` its address is not compared (OAuth 2.1).
   */
  redeem(
    { code, now }: { code: string; now: number },
    terms: Omit<CodeTerms, "redirect"> & { redirect: string | undefined },
    tokens: readonly NewToken[],
  ): Exchange {
    return this.exchange({ id: code, kind: "code", now }, tokens, (stored) => {
      const { client, redirect, challenge } = JSON.parse(stored ?? "{}") as Partial<CodeTerms>;
      const isSameRedirect = redirect === (terms.redirect ?? redirect);
      return client === terms.client && isSameRedirect && challenge === terms.challenge;
    });
  }

  /** Exchanges a refresh token for new tokens. One that was used before ends its grant. */
  refresh(
    { token, now }: { token: string; now: number },
    client: string,
    tokens: readonly NewToken[],
  ): Exchange {
    return this.exchange(
      { id: token, kind: "refresh", now },
      tokens,
      (_terms, grant) => grant.client === client,
    );
  }

  /** Adds a token to the grant of another one that is open. Returns false if it is not. */
  extend({ token, now }: { token: string; now: number }, added: NewToken): boolean {
    return this.core.transact(() => {
      if (useToken(this.core.sql, { id: token, now }) === undefined) return false;
      const grant = storedValue<string>(
        this.core.sql,
        "SELECT grant_id FROM token WHERE hash = ?",
        secretHash(token),
      );
      this.insert(String(grant), added, null);
      return true;
    });
  }

  use(use: { id: string; now: number; network: string }): number | undefined {
    return useToken(this.core.sql, use);
  }

  /** Returns the grants that have an open token, last used first. */
  list(now: number): Grant[] {
    return this.core.transact(() => {
      this.prune(now);
      const text = "SELECT * FROM access_grant ORDER BY coalesce(seen, created) DESC, id";
      return all<Grant & Record<string, SqlStorageValue>>(this.core.sql, text);
    });
  }

  /** Ends a grant and all its tokens. Returns its name; undefined if there is none. */
  end(grant: string): string | undefined {
    return this.core.transact(() => {
      const name = storedValue<string>(this.core.sql, "SELECT name FROM access_grant WHERE id = ?", grant);
      this.endGrant(grant);
      return name;
    });
  }

  /**
   * Ends the grant of a token for the app that it was given to, or only the token if that has access alone. Returns the
   * name of the grant; undefined for the token of another app, and for an unknown one.
   */
  revoke(token: string, client: string | null): string | undefined {
    const { sql } = this.core;
    return this.core.transact(() => {
      const text = `SELECT g.id, g.client, g.name, t.kind FROM token t JOIN access_grant g ON g.id = t.grant_id WHERE t.hash = ?`;
      const found = first<{ id: string; client: string | null; name: string; kind: string }>(
        sql,
        text,
        secretHash(token),
      );
      if (found === undefined || found.client !== client) return undefined;
      if (found.kind === "use" && client !== null) {
        sql.exec("DELETE FROM token WHERE hash = ?", secretHash(token));
      } else {
        this.endGrant(found.id);
      }
      return found.name;
    });
  }

  private exchange(
    { id, kind, now }: { id: string; kind: NewToken["kind"]; now: number },
    tokens: readonly NewToken[],
    isAllowed: (terms: string | null, grant: Grant) => boolean,
  ): Exchange {
    const { sql } = this.core;
    return this.core.transact(() => {
      const hash = secretHash(id);
      const text = "SELECT grant_id, kind, used, terms FROM token WHERE hash = ? AND expires > ?";
      const token = first<StoredToken & Record<string, SqlStorageValue>>(sql, text, hash, now);
      const grant =
        token &&
        first<Grant & Record<string, SqlStorageValue>>(
          sql,
          "SELECT * FROM access_grant WHERE id = ?",
          token.grant_id,
        );
      if (token === undefined || grant === undefined || token.kind !== kind) return "invalid";
      if (token.used === 1) {
        this.endGrant(grant.id);
        return "replayed";
      }
      if (!isAllowed(token.terms, grant)) {
        if (kind === "code") this.endGrant(grant.id);
        return "invalid";
      }
      sql.exec("UPDATE token SET used = 1 WHERE hash = ?", hash);
      for (const added of tokens) this.insert(grant.id, added, null);
      return { id: grant.id, name: grant.name, scopes: grant.scopes };
    });
  }

  private insert(grant: string, { id, kind, expires }: NewToken, terms: CodeTerms | null): void {
    const stored = terms === null ? null : JSON.stringify(terms);
    const text = "INSERT INTO token (hash, grant_id, kind, expires, used, terms) VALUES (?, ?, ?, ?, 0, ?)";
    this.core.sql.exec(text, secretHash(id), grant, kind, expires, stored);
    const surplus = `DELETE FROM token WHERE hash IN (SELECT hash FROM token WHERE grant_id = ? AND kind = ?
                     ORDER BY expires DESC, hash LIMIT -1 OFFSET ?)`;
    this.core.sql.exec(surplus, grant, kind, TOKENS_MAX);
  }

  private endGrant(id: string): void {
    this.core.sql.exec("DELETE FROM token WHERE grant_id = ?", id);
    this.core.sql.exec("DELETE FROM access_grant WHERE id = ?", id);
  }

  /** Deletes tokens that have ended, and grants without an open token. */
  private prune(now: number): void {
    const { sql } = this.core;
    sql.exec("DELETE FROM token WHERE expires <= ?", now);
    sql.exec("DELETE FROM access_grant WHERE id NOT IN (SELECT grant_id FROM token WHERE used = 0)");
  }
}
