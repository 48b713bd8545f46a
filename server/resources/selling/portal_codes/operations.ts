import { timingSafeEqual } from 'node:crypto';
import { newId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import { IdParameter, Parameters, Personal, Text } from '../../../operations/schemas.ts';
import { accountIdOf } from '../../../operations/tenants.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { findCustomersByEmail } from '../../payments/customers/operations.ts';
import { begunByCode } from '../portal_sessions/portal_session.ts';
import { addPortalSession } from '../portal_sessions/session_rows.ts';
import {
  codeHash,
  codeMs,
  emailHash,
  isProved,
  isWaiting,
  newCode,
  openCode,
  type PortalCode,
  type PortalCodeId,
  readCode,
  sealCode,
} from './code.ts';
import { addCode, portalCodesTable, replaceCode } from './store.ts';

/** Customers of one address, as many as a page offers to choose from. */
const customersMax = 20;

const CookieHash = Type.Unsafe<Buffer>(Type.Object({}, { description: 'A keyed hash of the cookie.' }));

/** What became of a try. `choose`: the code was right, and these customers have the address. */
export type CodeResult = { state: 'wrong' } | { state: 'begun' } | { state: 'choose'; customers: Customer[] };

const CodeOutput = Type.Object({ state: Text('What became of it.') }, { title: 'PortalCode' });

/** Not operations of the API: the page runs them. */
const request = operation({
  name: 'portal_codes.request',
  summary: 'Ask for a code to sign in to the portal',
  route: 'POST /portal_codes',
  callers: ['shopper'],
  input: Parameters({
    email: Personal({ maxLength: 254, description: 'The address that the code goes to.' }),
    language: Text('The language of the page.'),
  }),
  output: CodeOutput,
  /** Whether somebody has the address is found out by the job that writes the mail: here nothing differs. */
  async run({ tenant, now, keyring }, { email, language }) {
    const id: PortalCodeId = newId('pc', now);
    const code = newCode();
    const row: PortalCode = {
      tenant,
      id,
      version: 1,
      sealed: sealCode(keyring, { tenant, id }, { email: email.trim(), code, language }),
      email_hash: emailHash(keyring, tenant, email),
      hash: codeHash(keyring, id, code),
      tries: 0,
      expires_at: new Date(now + codeMs),
      proved_at: null,
      used_at: null,
      due_at: new Date(now),
      lease_until: null,
    };
    return { result: { id }, objectId: id, writes: [addCode(row)], due: now };
  },
});

async function requireCode({ reads, tenant, id }: Context): Promise<PortalCode> {
  const row = await reads.one(portalCodesTable, tenant, id);
  if (row === undefined) throw apiError('resource_missing', { param: 'id', resource: 'code' });
  return row;
}

const enter = operation({
  name: 'portal_codes.enter',
  summary: 'Enter a code to sign in to the portal',
  route: 'POST /portal_codes/:id/enter',
  callers: ['shopper'],
  input: Parameters({ code: Text('As it was typed.'), hash: CookieHash }),
  output: CodeOutput,
  async run(context, { code: typed, hash }) {
    const { tenant, now, keyring, reads } = context;
    const row = await requireCode(context);
    if (!isWaiting(row, now)) return { result: { state: 'wrong' } satisfies CodeResult };
    const counted = { ...row, version: row.version + 1, tries: row.tries + 1 };
    const code = readCode(typed) ?? '';
    const isRight = timingSafeEqual(codeHash(keyring, row.id, code), row.hash);
    const { email } = openCode(keyring, row);
    const customers = await findCustomersByEmail({ reads, tenant }, email, customersMax);
    if (!isRight || customers.length === 0)
      return { result: { state: 'wrong' } satisfies CodeResult, objectId: row.id, writes: [replaceCode(counted)] };
    const proved = { ...counted, proved_at: new Date(now) };
    if (customers.length === 1) return begin(context, proved, customers[0]!, hash);
    const result: CodeResult = { state: 'choose', customers };
    return { result, objectId: row.id, writes: [replaceCode(proved)] };
  },
});

const choose = operation({
  name: 'portal_codes.choose',
  summary: 'Choose as which customer to sign in',
  route: 'POST /portal_codes/:id/choose',
  callers: ['shopper'],
  input: Parameters({ customer: IdParameter('One of those that have the address.'), hash: CookieHash }),
  output: CodeOutput,
  async run(context, { customer: id, hash }) {
    const { tenant, now, keyring, reads } = context;
    const row = await requireCode(context);
    if (!isProved(row, now)) return { result: { state: 'wrong' } satisfies CodeResult };
    const { email } = openCode(keyring, row);
    const customers = await findCustomersByEmail({ reads, tenant }, email, customersMax);
    const chosen = customers.find((one) => one.id === id);
    if (chosen === undefined) return { result: { state: 'wrong' } satisfies CodeResult };
    return begin(context, { ...row, version: row.version + 1 }, chosen, hash);
  },
});

async function begin(context: Context, code: PortalCode, customer: Customer, hash: Buffer): Promise<Outcome> {
  const { reads, tenant, now, mode } = context;
  const session = begunByCode({ tenant, id: newId('ps', now), customer: customer.id, hash, now });
  const account = await accountIdOf(reads, tenant);
  const entry = { action: 'portal_session.begun', subject: customer.id, actor: 'the customer', accounts: [account] };
  return {
    result: { state: 'begun' } satisfies CodeResult,
    objectId: code.id,
    writes: [replaceCode({ ...code, used_at: new Date(now) }), addPortalSession(session)],
    audit: [{ ...entry, details: { mode, by: 'code' } }],
  };
}

export const portalCodeOperations: AnyOperation[] = [request, enter, choose];
