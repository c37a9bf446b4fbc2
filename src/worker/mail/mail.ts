/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** How mails leave the service. */
export interface Mailer {
  /** Throws a 503 when the mail cannot be handed over. */
  send(mail: Mail): Promise<void>;
}
