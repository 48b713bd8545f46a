import { discard, insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Sql } from '../../../base/sql.ts';
import { inSteps, rowsPerStep } from '../../../operations/purge.ts';
import type { Mail } from './mail.ts';
import type { MailAbout } from './schema.ts';

export const mailsTable: Table<Mail> = table('mails', {
  int4: 'tenant version attempts',
  text: `id kind cause address contact status subject language customer invoice payment failure suppressed_reason`,
  json: 'message',
  timestamptz: 'sent_at due_at lease_until',
});

export const addMail = (mail: Mail): Write => insert(mailsTable, mail);
export const replaceMail = (mail: Mail): Write => update(mailsTable, mail);

/** Those of the causes that a mail of a kind was written about. */
export async function findWritten(
  reads: Reads,
  tenant: Tenant,
  kind: string,
  causes: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = 'select cause from mails where tenant = $1 and cause = any($2::text[]) and kind = $3';
  const rows = await reads.rows<{ cause: string }>(text, [tenant, causes, kind]);
  return new Set(rows.map(({ cause }) => cause));
}

/** How ids begin that mails are listed by. */
const columnOf = { cus: 'customer', in: 'invoice', py: 'payment' } as const;

/** The mails about any of these objects, before an id, newest first. */
export async function findMailsAbout(
  reads: Reads,
  tenant: Tenant,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<MailAbout[]> {
  const found = await Promise.all(
    Object.entries(columnOf).map(([prefix, column]) => {
      const objects = ids.filter((id) => id.startsWith(`${prefix}_`));
      if (objects.length === 0) return [];
      return reads.rows<MailAbout>(
        `select found.* from unnest($2::text[]) as x (object)
          cross join lateral (
            select id, kind, cause, address, subject, status, failure, suppressed_reason from mails m
             where m.tenant = $1 and m.${column} = x.object and m.id < $3
             order by m.${column} desc, m.id desc limit $4) found
          order by found.id desc limit $4`,
        [tenant, objects, before, limit],
      );
    }),
  );
  // One about an invoice is one to its customer too.
  const all = new Map(found.flat().map((mail) => [mail.id, mail]));
  return [...all.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
}

/** An address that was refused, the mail by which that was found out, and whose address it is. */
type Bounce = { tenant: Tenant; address: string; mail: string; contact: string | null };

/** By the address: all rows of one are removed together, and several mails may have found out the same. */
const bouncesTable: Table<Bounce> = table('mail_bounces', {
  int4: 'tenant',
  text: 'address mail contact',
  key: ['tenant', 'address'],
  identity: [],
});

const sameCase = (address: string) => address.toLowerCase();

export const addBounce = ({ tenant, address, id, contact }: Mail): Write =>
  insert(bouncesTable, { tenant, address: sameCase(address!), mail: id, contact });

export const forgetBounces = (tenant: Tenant, address: string): Write =>
  discard(bouncesTable, { tenant, address: sameCase(address) });

export async function hasBounced(reads: Reads, tenant: Tenant, address: string): Promise<boolean> {
  const text = 'select from mail_bounces where tenant = $1 and address = $2 limit 1';
  return (await reads.rows(text, [tenant, sameCase(address)])).length > 0;
}

/**
 * What contacts that are gone have left: their addresses, also in answers of the mail server, and what was written to them. What was not
 * sent yet never is.
 */
export async function eraseContacts(durable: SqlAt, tenant: Tenant, contacts: readonly string[]): Promise<void> {
  await durable.at(tenant, (sql) => eraseFrom(sql, tenant, contacts));
}

async function eraseFrom(pool: Sql | Pool, tenant: Tenant, contacts: readonly string[]): Promise<void> {
  await inSteps(
    pool,
    `delete from mail_bounces where tenant = $1 and (address, mail) in (
       select address, mail from mail_bounces where tenant = $1 and contact = any($2::text[]) limit ${rowsPerStep})`,
    [tenant, contacts],
  );
  await inSteps(
    pool,
    `update mails set address = null, message = null, failure = null, version = version + 1, due_at = null, lease_until = null,
            suppressed_reason = case when status = 'queued' then 'customer_deleted' else suppressed_reason end,
            status = case when status = 'queued' then 'suppressed' else status end
      where tenant = $1 and id = any (array(
        select id from mails where tenant = $1 and contact = any($2::text[]) and address is not null
         order by id limit ${rowsPerStep} for update))`,
    [tenant, contacts],
  );
}

/**
 * Takes places for mails in a minute, which all instances share. Gives how many of the wanted ones there were. Minutes that are over are
 * deleted with the first place of a later one.
 */
export async function takePlaces(
  pool: Pool,
  { minute, wanted, max }: { minute: Date; wanted: number; max: number },
): Promise<number> {
  const [row] = await query<{ used: number }>(
    pool,
    `with over as (delete from mail_minutes where minute < $1)
     insert into mail_minutes as m (minute, used) values ($1, $2)
         on conflict (minute) do update set used = m.used + excluded.used
      returning m.used`,
    [minute, wanted],
  );
  const before = row!.used - wanted;
  return Math.max(0, Math.min(wanted, max - before));
}

/** Gives leased mails back for which there was no place. */
export async function release(
  pool: Pool,
  { name }: Pick<Table, 'name'>,
  mails: readonly Leasable[],
): Promise<readonly []> {
  if (mails.length === 0) return [];
  await query(
    pool,
    `update ${name} m set lease_until = null from unnest($1::int4[], $2::text[], $3::int4[]) as x (tenant, id, version)
      where m.tenant = x.tenant and m.id = x.id and m.version = x.version`,
    [mails.map(({ tenant }) => tenant), mails.map(({ id }) => id), mails.map(({ version }) => version)],
  );
  return [];
}
