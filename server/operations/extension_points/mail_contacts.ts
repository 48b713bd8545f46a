import type { Table } from '../../base/commit/index.ts';
import type { LocaleTag } from '../../locales/index.ts';
import { extensionPoint } from '../resource.ts';

/** Somebody that mails are written to, as far as it is known. */
export type MailContact = {
  email?: string | null | undefined;
  locale?: LocaleTag | null | undefined;
  /** Its country decides how dates and amounts are written. */
  address?: { country?: string } | null | undefined;
};

/** A kind of object that knows the address of somebody: customers, and checkout sessions of guests. */
export type MailContacts = {
  /** How its ids begin. */
  prefix: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has rows of its own, and `contactIn` is for the same.
  table: Table<any>;
  /** Undefined: what was known was erased. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  contactIn(row: any): MailContact | undefined;
  /** The type of the event that says, by `email` of its previous attributes, that the address has changed. */
  changedBy?: string;
};

export const mailContacts = extensionPoint<MailContacts>('contacts of mails');

/** Declares a kind of contact. The compiler checks that both members are about the same rows. */
export function contactsIn<Row>(
  contacts: Omit<MailContacts, 'table' | 'contactIn'> & {
    table: Table<Row>;
    contactIn(row: Row): MailContact | undefined;
  },
): MailContacts {
  return contacts;
}
