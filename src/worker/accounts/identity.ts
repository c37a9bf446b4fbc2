/** Somebody whom an identity provider knows. */
export interface Identity {
  /** What names him at the provider, for ever; "" when the provider is the account store itself. */
  readonly subject: string;
  readonly email: string;
  /** True when the provider has made sure that the address is his. */
  readonly emailVerified: boolean;
  readonly screenName: string;
  /** What he would like to be called: the start of his username here. */
  readonly wish: string;
  readonly locked: boolean;
  /** True when he may read what is there for the print-disabled. */
  readonly specialAccess: boolean;
  /** His username, when the provider is the account store itself: there is nothing to link. */
  readonly account?: string;
}

/**
 * Why somebody is not let in: a code that clients know, such as `account_not_found`, or what else the provider said.
 * It is shown to clients, and holds nothing secret.
 */
export type AuthReason = string;

/** What became of an attempt to prove who somebody is. */
export type AuthResult =
  | {
      readonly ok: true;
      readonly identity: Identity;
      /** `access:secret` with which the provider lends to him. */
      readonly lendingCredential?: string | undefined;
    }
  | { readonly ok: false; readonly reason: AuthReason };

/** What somebody gives when he registers. */
export interface RegistrationForm {
  readonly email: string;
  readonly password: string;
  /** The local provider takes it as the username. */
  readonly screenName: string;
  readonly newsletters: boolean;
}

/** Logins by a code that is sent by mail. */
export interface OneTimePasswords {
  issue(email: string, ip: string): Promise<{ readonly ok: boolean; readonly rateLimited?: boolean }>;
  redeem(email: string, code: string, ip: string): Promise<AuthResult>;
}

/** Who somebody is, is decided behind this interface. Nothing in it throws because a provider does not answer. */
export interface IdentityProvider {
  authenticate(email: string, password: string, client: { readonly ip: string }): Promise<AuthResult>;
  authenticateKeys(access: string, secret: string): Promise<AuthResult>;
  /** Null when the provider knows nobody, or cannot say. */
  lookup(who: { readonly email: string } | { readonly subject: string }): Promise<Identity | null>;
  /** Absent when nobody can register here. */
  register?(form: RegistrationForm): Promise<AuthResult>;
  /**
   * Confirms the address of a registration with the token that was mailed. The local provider gives the account this
   * password: whoever has registered need not be whose address it is.
   */
  activate?(token: string, password: string): Promise<AuthResult>;
  readonly otp?: OneTimePasswords;
  /** Pages of the provider, where it and not this service changes passwords and addresses. */
  readonly urls?: { readonly settings?: string; readonly forgotPassword?: string };
}

/** A failed attempt. */
export function refused(reason: AuthReason): AuthResult {
  return { ok: false, reason };
}
