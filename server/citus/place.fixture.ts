import { Committer, claim, insert, type Table, table, type Unit, type Versioned } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import type { DatabaseAddress } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { postingsTable } from '../ledger/posting.ts';
import { eventsTable } from '../outbox/event.ts';

type Key = { tenant: Tenant; key: string; fingerprint: Buffer; operation: string; request_id: string };

/** As requests write it. */
const keysTable: Table<Key, 'both'> = table('idempotency', {
  home: 'both',
  int4: 'tenant',
  text: 'key operation request_id',
  bytea: 'fingerprint',
  key: ['tenant', 'key'],
  identity: ['tenant', 'key', 'request_id'],
  expiry: 'expires_at',
  filled: ['expires_at', 'replays', 'version'],
});

type Hook = Versioned & { tenant: Tenant; id: string; position: string; until: string; due_at: Date };

/** A table of the product with versions. */
export const hooksTable: Table<Hook> = table('webhook_recoveries', {
  int4: 'tenant version',
  text: 'id position until',
  timestamptz: 'due_at',
});

export const hook = (tenant: Tenant, id: string, version: number): Hook => {
  return { tenant, id, version, position: '', until: '', due_at: new Date() };
};

/** What a payment writes, as far as it matters here: a key, an event and a posting. The id is that of the payment. */
export function paymentUnit(tenant: Tenant, id = newId('py', Date.now())): Unit {
  const now = Date.now();
  const request_id = newId('req', now);
  const event = { id: newId('evt', now), type: 'payment.succeeded', object_id: id, object_version: 1 };
  return {
    tenant,
    writes: [
      claim(keysTable, { tenant, key: id, fingerprint: Buffer.alloc(4), operation: 'create_payment', request_id }),
      insert(eventsTable, { tenant, ...event, request_id, payload: Buffer.from('{}') }),
      insert(postingsTable, {
        ...{ tenant, id: newId('txn', now), kind: 'payment', debit: 'processor', credit: 'balance' },
        ...{ amount: 100, currency: 'eur', source: id, payment: id, reference: null, available_on: '2027-01-10' },
      }),
    ],
  };
}

export function placeCommitter(address: DatabaseAddress): Committer {
  return new Committer(address, { hold: 'hold' });
}
