export interface Identity {
  /** Permanent id at the provider; "" if the provider is the account store itself. */
  readonly subject: string;
  readonly email: string;
  /** True if the provider has verified the email address. */
  readonly emailVerified: boolean;
  readonly screenName: string;
  /** Preferred name, from which the username here is made. */
  readonly preferredName: string;
  readonly locked: boolean;
  /** True if the patron may read the items for the print-disabled. */
  readonly specialAccess: boolean;
  /** Username, if the provider is the account store itself: there is nothing to link. */
  readonly account?: string;
}

/**
 * Reason of a failed login: a code that clients know, such as `account_not_found`, or the provider's own text. Clients
 * see it, so it contains no secrets.
 */
export type AuthReason = string;

export type AuthResult =
  | {
      readonly ok: true;
      readonly identity: Identity;
      /** Key pair `access:secret` with which the provider lends to the patron. */
      readonly lendingCredential?: string | undefined;
    }
  | { readonly ok: false; readonly reason: AuthReason };

export interface RegistrationForm {
  readonly email: string;
  readonly password: string;
  /** Screen name; the local provider takes it as the username. */
  readonly screenName: string;
  readonly newsletters: boolean;
}

export interface OneTimePasswords {
  issue(email: string, ip: string): Promise<{ readonly ok: boolean; readonly rateLimited?: boolean }>;
  redeem(email: string, code: string, ip: string): Promise<AuthResult>;
}

/** Identity provider. No method throws because the provider does not answer. */
export interface IdentityProvider {
  authenticate(email: string, password: string, client: { readonly ip: string }): Promise<AuthResult>;
  authenticateKeys(access: string, secret: string): Promise<AuthResult>;
  /** Returns null if the provider does not know the person, or cannot say. */
  lookup(who: { readonly email: string } | { readonly subject: string }): Promise<Identity | null>;
  /** Registers an account. Absent if registration is not possible here. */
  register?(form: RegistrationForm): Promise<AuthResult>;
  /**
   * Confirms the address of a registration with the emailed token. The local provider sets this password, because the
   * person who registered may not own the address.
   */
  activate?(token: string, password: string): Promise<AuthResult>;
  readonly otp?: OneTimePasswords;
  /** Pages of the provider, if it and not this service changes passwords and addresses. */
  readonly urls?: { readonly settings?: string; readonly forgotPassword?: string };
}

export function refuse(reason: AuthReason): AuthResult {
  return { ok: false, reason };
}
