import type { Table, TenantUnit, Unit, Write } from '../../../base/commit/index.ts';
import { Unavailable } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { isUnavailable } from '../../../base/sql.ts';
import type { MailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { isOfEvent, type MailDraft, type MailKind } from '../../../operations/mail_kind.ts';
import type { Foundation, ProvidedServices } from '../../../operations/services.ts';
import { type EventRow, eventsTable } from '../../../outbox/event.ts';
import { documentLocale } from '../../people/branding/letterhead.ts';
import { contactOf, type FindRow, storedRow } from './contacts.ts';
import { type Mail, suppressed } from './mail.ts';
import { addMail, forgetBounces } from './store.ts';

export type MailWriterParts = Pick<Foundation, 'reads' | 'clock' | 'log' | 'mail'> &
  Pick<ProvidedServices, 'mailSwitchesOf' | 'brandingOf'>;

type CausedKind = Extract<MailKind, { cause: string }>;
type Causes = { kinds: ReadonlyMap<string, readonly CausedKind[]>; contacts: readonly MailContacts[] };

/** Adds to a unit the mails about its events, so that they are committed together. */
export class MailWriter {
  readonly #parts: MailWriterParts;
  readonly #causes: Causes;
  /** The types of events after which an address has changed. */
  readonly #changes: ReadonlySet<string>;

  constructor(parts: MailWriterParts, kinds: readonly MailKind[], contacts: readonly MailContacts[]) {
    this.#parts = parts;
    this.#causes = { kinds: Map.groupBy(kinds.filter(isOfEvent), ({ cause }) => cause), contacts };
    this.#changes = new Set(contacts.flatMap(({ changedBy = [] }) => changedBy));
  }

  /** Undefined, and nothing is waited for, unless the unit has an event that a mail could be about. */
  extend(unit: Unit): Promise<Unit> | undefined {
    if (unit.tenant === undefined) return undefined;
    const events: EventRow[] = [];
    for (const { kind, table, row } of unit.writes) {
      if (table.name !== eventsTable.name || kind !== 'insert') continue;
      const { type } = row as EventRow;
      if (this.#causes.kinds.has(type) || this.#changes.has(type)) events.push(row as EventRow);
    }
    return events.length === 0 ? undefined : this.#extended(unit, events);
  }

  async #extended(unit: TenantUnit, events: readonly EventRow[]): Promise<TenantUnit> {
    const writes = await Promise.all(events.map((event) => this.#writesAbout(event, unit)));
    const more = writes.flat();
    return more.length === 0 ? unit : { ...unit, writes: [...unit.writes, ...more] };
  }

  async #writesAbout(event: EventRow, unit: TenantUnit): Promise<Write[]> {
    if (this.#changes.has(event.type)) return forgotten(event);
    // Read with the terms, which the commit of a payment needs as well, once a second.
    const switches: Readonly<Record<string, boolean>> = await this.#parts.mailSwitchesOf(event.tenant);
    const wanted = (this.#causes.kinds.get(event.type) ?? []).filter(({ kind }) => switches[kind]);
    const mails = await Promise.all(wanted.map((kind) => this.#written(kind, event, unit)));
    return mails.filter((mail) => mail !== undefined).map(addMail);
  }

  /** What an event is about must be committed, even if no mail about it could be written. */
  async #written(kind: CausedKind, event: EventRow, unit: TenantUnit): Promise<Mail | undefined> {
    try {
      return await this.#write(kind, event, unit);
    } catch (error) {
      if (error instanceof Unavailable || isUnavailable(error)) throw error;
      this.#parts.log.error(
        { kind: kind.kind, event: event.id, error: String(error) },
        'could not write a mail; it is lost',
      );
      return undefined;
    }
  }

  async #write({ kind, draft }: CausedKind, event: EventRow, unit: TenantUnit): Promise<Mail | undefined> {
    const { reads, clock, brandingOf } = this.#parts;
    const { tenant, id: cause, payload } = event;
    const row = rowIn(unit, storedRow(reads, tenant));
    const { created: at, data } = JSON.parse(payload.toString());
    const written = <Row>(table: Table<Row>) => rowsOf(unit, table);
    const services = { brandingOf };
    const drafted = await draft({ tenant, object: data.object, row, written, reads, services, at, now: clock.now() });
    return drafted && mailOf(this.#parts, this.#causes.contacts, { tenant, kind, cause, drafted, row });
  }
}

type Drafted = { tenant: Tenant; kind: string; cause: string; drafted: MailDraft; row: FindRow };

/** The mail, in the language of who gets it; undefined: nobody has an address. */
export async function mailOf(
  { clock, mail: { isSetUp }, brandingOf }: Pick<MailWriterParts, 'clock' | 'mail' | 'brandingOf'>,
  kinds: readonly MailContacts[],
  { tenant, kind, cause, drafted, row }: Drafted,
): Promise<Mail | undefined> {
  const to = await recipientOf(drafted, kinds, row);
  if (to === undefined) return undefined;
  const { contact, address, locale } = to;
  const message = drafted.message({ locale, merchant: (await brandingOf(tenant)).name });
  const { customer = null, invoice = null, payment = null } = drafted.about;
  const about = { customer, invoice, payment, message, subject: message.subject, language: locale.tag };
  const now = clock.now();
  return newMail({ tenant, id: newId('mail', now), kind, cause, contact, address, ...about }, { now, isSetUp });
}

/** The first contact with an address. */
async function recipientOf({ contacts }: MailDraft, kinds: readonly MailContacts[], row: FindRow) {
  for (const contact of contacts) {
    const { known } = await contactOf(kinds, contact, row);
    if (contact && known?.email) {
      const { email: address, locale = null, address: place = null } = known;
      return { contact, address, locale: documentLocale({ locale, address: place }) };
    }
  }
  return undefined;
}

type NewMail = Omit<Mail, keyof typeof untouched | 'due_at'>;

const untouched = {
  version: 1,
  status: 'queued',
  attempts: 0,
  failure: null,
  suppressed_reason: null,
  sent_at: null,
  lease_until: null,
} as const;

/** A mail that is due now; suppressed where mails are not set up. */
export function newMail(facts: NewMail, { now, isSetUp }: { now: number; isSetUp: boolean }): Mail {
  const mail: Mail = { ...facts, ...untouched, due_at: new Date(now) };
  return isSetUp ? mail : { ...suppressed(mail, 'not_configured'), version: 1 };
}

function rowsOf<Row>({ writes }: TenantUnit, { name }: Table<Row>): Row[] {
  return writes.filter((write) => write.table.name === name && write.kind !== 'delete').map(({ row }) => row as Row);
}

/** The row that a unit is about to write, and otherwise the stored one. */
function rowIn({ writes }: TenantUnit, find: FindRow): FindRow {
  return async (table, id) => {
    const written = writes.findLast((write) => write.table.name === table.name && write.row.id === id);
    if (written === undefined) return find(table, id);
    const isKept = written.kind !== 'delete' && written.kind !== 'discard';
    return isKept ? (written.row as never) : undefined;
  };
}

/** An address that was refused may be written to again once the contact has another one, or has it again. */
function forgotten({ tenant, payload }: EventRow): Write[] {
  const { object, previous_attributes = {} } = JSON.parse(payload.toString()).data;
  if (!('email' in previous_attributes)) return [];
  return [object.email, previous_attributes.email].filter(Boolean).map((email) => forgetBounces(tenant, email));
}
