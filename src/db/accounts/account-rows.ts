import { eq, inArray, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, type AnySQLiteColumn } from "drizzle-orm/sqlite-core";

export const account = sqliteTable("account", {
  username: text("username").notNull(),
  usernameFolded: text("username_folded").primaryKey(),
  emailFolded: text("email_folded").notNull().unique(),
  email: text("email").notNull(),
  passwordHash: text("password_hash"),
  subject: text("subject").unique(),
  displayname: text("displayname").notNull().default(""),
  status: text("status", { enum: ["pending", "active", "blocked"] }).notNull(),
  bot: integer("bot", { mode: "boolean" }).notNull().default(false),
  tags: text("tags", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  specialAccess: integer("special_access", { mode: "boolean" }).notNull().default(false),
  hasRecords: integer("has_records", { mode: "boolean" }).notNull().default(false),
  created: text("created").notNull(),
  lastLogin: text("last_login"),
  /** Code such as `de`. */
  language: text("language"),
  data: text("data", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull().default({}),
});

export const accountLink = sqliteTable(
  "account_link",
  {
    usernameFolded: text("username_folded").notNull(),
    purpose: text("purpose", { enum: ["verify", "password", "email"] }).notNull(),
    codeHash: text("code_hash").notNull().unique(),
    email: text("email").notNull(),
    expires: text("expires").notNull(),
  },
  (table) => [primaryKey({ columns: [table.usernameFolded, table.purpose] })],
);

export const apiKey = sqliteTable("api_key", {
  usernameFolded: text("username_folded").primaryKey(),
  access: text("access").notNull().unique(),
  secretHash: text("secret_hash").notNull(),
  created: text("created").notNull(),
  lastUsed: text("last_used"),
});

/** Table `outbox` in D1 `PATRONS` (migrations/patrons/0003): emails that a development service did not send. */
export const outbox = sqliteTable("outbox", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  recipient: text("recipient").notNull(),
  subject: text("subject").notNull(),
  body: text("body").notNull(),
  created: text("created").notNull(),
});

/** Row of `account`. Times are naive UTC. */
export type AccountRow = Readonly<typeof account.$inferSelect>;

/** Status of an account; `pending`: the email address is not confirmed yet. */
export type AccountStatus = AccountRow["status"];

/** Purpose of an emailed link: to confirm an address, to set a new password, to change the address. */
export type LinkPurpose = (typeof accountLink.$inferSelect)["purpose"];

/** Returns the condition that a row is the account with a username, in any case. */
export function hasUsername(username: string) {
  return eq(account.usernameFolded, username.toLowerCase());
}

/** Returns the condition that a column has one of the values. It binds one parameter, because D1 binds 100 at most. */
export function isAmong(column: AnySQLiteColumn, values: readonly string[]) {
  return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`);
}
