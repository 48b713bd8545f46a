import type { Connection } from '../base/sql.ts';
import type { FakeCustomer, FakePaymentMethod } from '../fakes/stripe/shapes.ts';
import type { FakeEffect, FakeWorld } from '../fakes/stripe/world.ts';

/** The attempt that an effect is of; undefined for what is not asked for. */
function attemptOf({ kind, metadata }: FakeEffect): string | undefined {
  return kind === 'capture' ? metadata.tollgate_capture : metadata.tollgate_attempt;
}

const moving = new Set(['authorization', 'charge', 'capture', 'refund', 'setup']);
const declining = new Set(['decline', 'setup_decline']);

/**
 * At most one effect for each attempt, and at most one processor with an effect for each payment and each setup. A page takes another card
 * after a decline.
 */
export function doubled(books: readonly (readonly FakeEffect[])[]): string[] {
  const found: string[] = [];
  const effects = books
    .flat()
    .filter((effect) => moving.has(effect.kind) || (declining.has(effect.kind) && !isByPage(effect)));
  for (const [attempt, own] of Map.groupBy(effects, (one) => attemptOf(one) ?? 'no attempt'))
    if (own.length > 1 || attempt === 'no attempt')
      found.push(`${attempt} has effects at Stripe: ${own.map(({ kind, id }) => `${kind} ${id}`).join(', ')}`);
  const takers = new Map<string, number>();
  for (const [at, own] of books.entries())
    for (const { kind, metadata } of own) {
      if (!moving.has(kind)) continue;
      const subject = metadata.tollgate_payment ?? metadata.tollgate_setup ?? '';
      if (takers.get(subject) === 1 - at) found.push(`${subject} has effects at both processors`);
      takers.set(subject, at);
    }
  return found;
}

/** A card that Stripe keeps for a customer which the gateway has made, and does not remember: nothing would delete it there. */
export async function unremembered(sql: Connection, worlds: readonly FakeWorld[]): Promise<string[]> {
  const { rows } = await sql.query(
    `select customer from kept_cards
     union all select processor_customer from payment_methods where processor_customer is not null`,
  );
  const known = new Set(rows.map(({ customer }) => customer));
  return worlds.flatMap((world) =>
    world.all<FakePaymentMethod>('payment_method').flatMap(({ customer }) => {
      if (customer === null || known.has(customer)) return [];
      const isOurs = world.get<FakeCustomer>(customer).metadata.tollgate_payment_method !== undefined;
      return isOurs ? [`Stripe keeps a card for ${customer}, which nothing deletes`] : [];
    }),
  );
}

/** Shows the books of fakes as the simulator's, which has done nothing here: all rules about payments read those. */
export async function copyBooks(sql: Connection, effects: readonly FakeEffect[]): Promise<void> {
  const { rows } = await sql.query(`select tenant from tenants where mode = 'test'`);
  const bounced = new Set(effects.flatMap(({ kind, id }) => (kind === 'refund_failure' ? [id] : [])));
  const authorizations = new Map<string | null, string>();
  for (const { kind, payment_intent, metadata } of effects)
    if (kind === 'charge' || kind === 'authorization' || kind === 'decline')
      authorizations.set(payment_intent, metadata.tollgate_attempt!);
  // A page stays open after a decline: what its attempt has come to is the last of them.
  const last = new Map(effects.filter(isByPage).map((effect) => [effect.metadata.tollgate_attempt, effect]));
  const entries = effects.flatMap((effect, at) => {
    const { kind, id, payment_intent, amount, currency, metadata } = effect;
    if (isByPage(effect) && last.get(metadata.tollgate_attempt) !== effect) return [];
    const verb = metadata.tollgate_reversal === undefined ? verbs[kind] : 'cancel';
    if (verb === undefined) return [];
    const isFirst = verb === 'authorize' || verb === 'setup';
    const isRefused = declining.has(kind) || bounced.has(id);
    return {
      ...{ tenant: rows[0].tenant, verb, amount, reference: id, captures: kind === 'charge' },
      currency: currency || null,
      attempt: (unasked.has(kind) ? undefined : attemptOf(effect)) ?? `${kind} ${id}`,
      authorization_attempt: verb === 'setup' ? attemptOf(effect) : authorizations.get(payment_intent),
      sequence: isFirst ? 0 : at + 1,
      payment: metadata.tollgate_payment ?? metadata.tollgate_setup ?? null,
      result: isRefused ? 'declined' : 'approved',
      code: isRefused ? 'card_declined' : null,
      verdict: kind === 'dispute_reversal' ? 'won' : null,
      at: new Date(effect.created * 1_000),
    };
  });
  await sql.query('delete from simulator_entries');
  await sql.query(
    `insert into simulator_entries
     select * from json_populate_recordset(null::simulator_entries, $1) on conflict do nothing`,
    [JSON.stringify(entries)],
  );
}

/** A card that was tried on a page of Stripe's. */
function isByPage({ kind, metadata }: FakeEffect): boolean {
  return metadata.tollgate_method === 'page' && (kind === 'charge' || kind === 'authorization' || kind === 'decline');
}

const verbs: Partial<Record<FakeEffect['kind'], string>> = {
  authorization: 'authorize',
  charge: 'authorize',
  decline: 'authorize',
  capture: 'capture',
  release: 'cancel',
  refund: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'close',
  setup: 'setup',
  setup_decline: 'setup',
};

/** They are separate entries, and not of the attempt that the object is marked with. */
const unasked = new Set<FakeEffect['kind']>(['release', 'dispute_reversal']);
