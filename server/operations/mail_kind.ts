import type { Table } from '../base/commit/index.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { Locale } from '../locales/index.ts';
import type { MailMessage } from '../mail/message.ts';

/** What a mail is about. The API shows these ids. */
export type MailSubjects = { customer?: string | null; invoice?: string | null; payment?: string | null };

/** A mail as the noun drafts it. It is written only to somebody whose address is known. */
export type MailDraft = {
  /** Ids of contacts. The mail goes to the first one that has an address. */
  contacts: readonly (string | null)[];
  about: MailSubjects;
  message(reader: { locale: Locale; merchant: string }): MailMessage;
};

/** An event that a mail may be written about, before it is committed. */
export type MailCause = {
  tenant: Tenant;
  /** The object, as the event has it. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of the event decides what it is.
  object: any;
  /** A row as it will be: from the unit that is to be committed, and otherwise as it is stored. */
  row<Row extends object>(table: Table<Row>, id: string): Promise<Row | undefined>;
  reads: Reads;
  now: number;
};

/** A kind of mail to customers, declared by the noun that it is about. */
export type MailKind = {
  /** The name, by which an account switches it on. */
  kind: string;
  /** When it is sent, in a sentence. */
  when: string;
  /** The type of the event that causes it. */
  cause: string;
  /** Undefined: there is nothing to write. */
  draft(cause: MailCause): Promise<MailDraft | undefined>;
};
