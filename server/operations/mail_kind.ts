import type { Table } from '../base/commit/index.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { MailReader } from '../locales/mail_wording.ts';
import type { MailMessage } from '../mail/message.ts';
import type { ProvidedServices } from './services.ts';

/** What a mail is about. The API shows these ids. */
export type MailSubjects = { customer?: string | null; invoice?: string | null; payment?: string | null };

/** A mail as the noun drafts it. It is written only to somebody whose address is known. */
export type MailDraft = {
  /** Ids of contacts. The mail goes to the first one that has an address. */
  contacts: readonly (string | null)[];
  about: MailSubjects;
  message(reader: MailReader): MailMessage;
};

/** An event that a mail may be written about, before it is committed. */
export type MailCause = {
  tenant: Tenant;
  /** The object, as the event has it. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of the event decides what it is.
  object: any;
  /** A row as it will be: from the unit that is to be committed, and otherwise as it is stored. */
  row<Row extends object>(table: Table<Row>, id: string): Promise<Row | undefined>;
  /** The rows of a table that are written by the same unit. */
  written<Row extends object>(table: Table<Row>): readonly Row[];
  reads: Reads;
  services: Pick<ProvidedServices, 'brandingOf'>;
  /** When it happened, by the test clock if there is one, in epoch seconds. */
  at: number;
  /** Epoch milliseconds of real time. */
  now: number;
};

/** A kind of mail to customers, declared by the noun that it is about. */
export type MailKind = {
  /** The name, by which an account switches it on. */
  kind: string;
  /** When it is sent, in a sentence. */
  when: string;
  /** As it could look, for previews. */
  sample(reader: MailReader): MailMessage;
} & (MailOfEvent | MailOfTime);

type MailOfEvent = {
  /** The type of the event that causes it. */
  cause: string;
  /** Undefined: there is nothing to write. */
  draft(cause: MailCause): Promise<MailDraft | undefined>;
};

/** A mail that no event causes: a time comes. What it is about is looked for a few times a day. */
export type MailOfTime = {
  cause?: undefined;
  /** The name of what is due now. There is one mail for each object and round. Undefined: nothing is due. */
  roundAt(now: number): string | undefined;
  /** What the mails of a round are about, in the order of its ids. */
  find(
    reads: Reads,
    page: { tenant: Tenant; round: string; after: string; limit: number },
  ): Promise<{ id: string; draft: MailDraft }[]>;
};

export const isOfEvent = (kind: MailKind): kind is MailKind & MailOfEvent => kind.cause !== undefined;

/** A kind of mail to people who work with the gateway. They are in English. */
export type PersonMailSample = {
  kind: string;
  /** When it is sent, in a sentence. */
  when: string;
  /** As it could look, for previews. */
  sample(): MailMessage;
};
