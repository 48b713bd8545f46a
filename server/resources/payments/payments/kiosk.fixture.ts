import { insert, type Table, table, update } from '../../../base/commit/index.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { Secret } from '../../../base/secret.ts';
import type { Instrument } from '../../../connectors/contract.ts';
import { operation } from '../../../operations/operation.ts';
import { type Declared, resource } from '../../../operations/resource.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { declineCodes } from '../attempts/errors.ts';
import { perform, resumeAttempt } from '../attempts/perform.ts';
import { newCustomer } from '../customers/customer.ts';
import { requireCustomer } from '../customers/operations.ts';
import { addCustomer } from '../customers/store.ts';
import { methodCodes } from '../payment_methods/errors.ts';
import { beginSetupChoice } from '../setups/begin.ts';
import { type SetupHook, setupSettlements, setupTopic } from '../setups/topic.ts';
import { beginChoice } from './charge.ts';
import { captureMethods, type Payment } from './payment.ts';
import { paymentTopic, type SettlementHook, settlements } from './topic.ts';

/** A machine that sells one thing, once, on a page of the processor: the smallest owner of payments without a known method. */
type Kiosk = { tenant: Tenant; id: Id<'cs'>; version: number; payment: string; status: string };

export const kioskSql = `create table kiosks (
  tenant int4 not null, id text not null, version int4 not null, payment text not null, status text not null, primary key (tenant, id))`;

const kiosksTable: Table<Kiosk> = table('kiosks', { int4: 'tenant version', text: 'id payment status' });

/** The row that shows what became of its payment. It is in the commit of the payment, however the answer arrives. */
const followPayment: SettlementHook = async ({ reads }, { payment, isNew, named }) => {
  const { tenant, checkout_session: id, status } = payment;
  if (id === null) return { writes: [], events: [] };
  const before = isNew ? undefined : await reads.one(kiosksTable, tenant, id);
  const row = { tenant, id, payment: payment.id, status };
  const own =
    before === undefined
      ? insert(kiosksTable, { ...row, version: 1 })
      : update(kiosksTable, { ...row, version: before.version + 1 });
  const customer = named?.newCustomer && addCustomer(newCustomer(tenant, named.newCustomer, { name: 'At the kiosk' }));
  return { writes: [own, ...(customer ? [customer] : [])], events: [] };
};

const input = Parameters({
  token: Type.Optional(Type.String()),
  processor_account: Type.Optional(Type.String()),
  save: Type.Optional(Type.Boolean()),
  customer: Type.Optional(Type.String()),
  capture_method: Type.Optional(Type.Union(captureMethods.map((one) => Type.Literal(one)))),
  authentication: Type.Optional(Type.Union([Type.Literal('issuer'), Type.Literal('always')])),
  minutes: Type.Optional(Type.Integer()),
  /** The description of the payment. */
  note: Type.Optional(Type.String()),
});

const output = Type.Object({}, { additionalProperties: true });

const create = (declared: Declared) => {
  const topic = () => paymentTopic(declared.extensionsOf(settlements));
  return operation({
    name: 'kiosks.create',
    summary: 'Sell at a kiosk',
    route: 'POST /kiosks',
    input,
    output,
    errors: [...methodCodes, ...declineCodes],
    async run(context, { token, save = false, minutes = 60, note: description, ...input }) {
      const { tenant, now } = context;
      const id = newId('cs', now);
      const lines = [{ name: 'A cup of <tea>', quantity: 2, amount: 1_000 }];
      const page = { kind: 'page', locale: 'en', lines, expiresAt: now + minutes * 60_000, save } as const;
      const instrument: Instrument<'page' | 'confirmation'> =
        token === undefined ? { ...page, holder: {} } : { kind: 'confirmation', token: new Secret(token), holder: {} };
      const { step } = await beginChoice(context, {
        ...{ amount: 1_000, currency: 'eur', checkout_session: id, instrument, save, description, ...input },
        customer: input.customer === undefined ? undefined : await requireCustomer(context, input.customer),
        processor_account: input.processor_account as Id<'pa'> | undefined,
        begun: (payment: Payment) => [
          insert(kiosksTable, { tenant, id, version: 1, payment: payment.id, status: 'asked' }),
        ],
      });
      return perform(context, topic(), step);
    },
    resume: (context, attempt) => resumeAttempt(topic())(context, attempt),
  });
};

/** The same for a setup. */
const followSetup: SetupHook = async ({ reads }, { setup, isNew, named }) => {
  const { tenant, checkout_session: id, status } = setup;
  if (id === null) return { writes: [], events: [] };
  const before = isNew ? undefined : await reads.one(kiosksTable, tenant, id);
  const row = { tenant, id, payment: setup.id, status };
  const own =
    before === undefined
      ? insert(kiosksTable, { ...row, version: 1 })
      : update(kiosksTable, { ...row, version: before.version + 1 });
  const customer = named?.newCustomer && addCustomer(newCustomer(tenant, named.newCustomer, { name: 'At the kiosk' }));
  return { writes: [own, ...(customer ? [customer] : [])], events: [] };
};

const keep = (declared: Declared) => {
  const topic = () => setupTopic(declared.extensionsOf(setupSettlements));
  return operation({
    name: 'kiosks.keep',
    summary: 'Keep a card at a kiosk',
    route: 'POST /kiosks/keep',
    scope: 'kiosks:write',
    input: Parameters({ customer: Type.Optional(Type.String()) }),
    output,
    errors: [...methodCodes, ...declineCodes],
    async run(context, { customer: wanted }) {
      const { tenant, now } = context;
      const id = newId('cs', now);
      const customer = wanted === undefined ? undefined : await requireCustomer(context, wanted);
      const page = {
        kind: 'page',
        locale: 'en',
        lines: [],
        expiresAt: now + 3_600_000,
        save: true,
        holder: {},
      } as const;
      const { step } = await beginSetupChoice(context, {
        ...{ checkout_session: id, instrument: page, customer },
        begun: (setup) => [insert(kiosksTable, { tenant, id, version: 1, payment: setup.id, status: 'asked' })],
      });
      return perform(context, topic(), step);
    },
    resume: (context, attempt) => resumeAttempt(topic())(context, attempt),
  });
};

export const kiosks = resource({
  name: 'kiosks',
  scopes: ['kiosks'],
  operations: (declared) => [create(declared), keep(declared)],
  extensions: [settlements.with(followPayment), setupSettlements.with(followSetup)],
});
