import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** `account` in D1 `PATRONS` (migrations/patrons/0001). */
export const account = sqliteTable("account", {
  username: text("username").notNull(),
  usernameFolded: text("username_folded").primaryKey(),
  emailFolded: text("email_folded").notNull().unique(),
  email: text("email").notNull(),
  passwordHash: text("password_hash").notNull(),
  status: text("status", { enum: ["pending", "active", "blocked"] }).notNull(),
  bot: integer("bot", { mode: "boolean" }).notNull().default(false),
  created: text("created").notNull(),
});
