import type { Static } from 'typebox';
import { newId } from '../../../base/id.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { accountIdOf } from '../../../operations/tenants.ts';
import { requireInvoice } from '../../billing/invoices/descriptor.ts';
import { requireSubscription } from '../../billing/subscriptions/descriptor.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { placeProblem } from '../../payments/returns/url.ts';
import { portalLinks } from './links.ts';
import { begun, canBegin, ended, linkMs, type PortalSession } from './portal_session.ts';
import { BeginInput, NewPortalSessionInput, PortalSessionOutput } from './schema.ts';
import { addPortalSession, findBegun, portalSessionsTable, replacePortalSession } from './store.ts';

type NewPortalSession = Static<typeof NewPortalSessionInput>;

/** Which parameter names the object of a flow. */
function subjectParameter(flow: NewPortalSession['flow']): 'subscription' | 'invoice' | undefined {
  if (flow === 'invoice_pay') return 'invoice';
  return flow === undefined || flow === 'payment_method_update' ? undefined : 'subscription';
}

const create = operation({
  name: 'portal_sessions.create',
  summary: 'Create a link to the customer portal',
  description:
    'Send the customer to `url` when they are signed in to your shop: it works once, within five minutes, and signs them in to the portal for an hour after the last click, eight at most. What they can do there is in the portal settings.',
  route: 'POST /portal_sessions',
  right: 'handle',
  callers: ['key', 'operator'],
  input: NewPortalSessionInput,
  output: PortalSessionOutput,
  errors: apiError.codes('resource_missing'),
  check(input, { mode }) {
    const { return_url, flow } = input;
    const problem = return_url === undefined ? undefined : placeProblem(return_url, mode);
    if (problem !== undefined) throw apiError('parameter_invalid', { param: 'return_url', reason: problem });
    const wanted = subjectParameter(flow);
    if (wanted !== undefined && input[wanted] === undefined) throw apiError('parameter_missing', { param: wanted });
    for (const param of ['subscription', 'invoice'] as const)
      if (param !== wanted && input[param] !== undefined)
        throw apiError('parameter_invalid', { param, reason: 'no flow that is about one is named' });
  },
  async run(context, input) {
    const { tenant, now, keyring } = context;
    const customer = await requireCustomer(context, input.customer, 'customer');
    const id = newId('ps', now);
    const link_ends = new Date(now + linkMs);
    const session: PortalSession = {
      tenant,
      id,
      version: 1,
      customer: customer.id,
      return_url: input.return_url ?? null,
      flow: input.flow ?? null,
      subject: await subjectOf(context, customer.id, input),
      link_ends,
      hash: null,
      begun_at: null,
      ended_at: null,
    };
    const url = portalLinks.urlOf({ keyring, tenant, publicUrl: context.publicUrl }, id);
    const expires_at = Math.floor(link_ends.getTime() / 1_000);
    return {
      result: { id, object: 'portal_session', customer: customer.id, url, expires_at },
      objectId: customer.id,
      writes: [addPortalSession(session)],
    };
  },
});

async function subjectOf(context: Context, customer: string, input: NewPortalSession): Promise<string | null> {
  const param = subjectParameter(input.flow);
  if (param === undefined) return null;
  const require = param === 'invoice' ? requireInvoice : requireSubscription;
  const found = await require(context, input[param], param);
  const refuse = (reason: string) => apiError('parameter_invalid', { param, reason });
  if (found.customer !== customer) throw refuse('it is of another customer');
  if ('hosted_url' in found && found.hosted_url === null) throw refuse('it is not finalized');
  return found.id;
}

async function requirePortalSession({ reads, tenant, id }: Context): Promise<PortalSession> {
  const session = await reads.one(portalSessionsTable, tenant, id);
  if (session === undefined) throw apiError('resource_missing', { param: 'id', resource: 'portal session' });
  return session;
}

/** The press of the button behind a link uses it up. Not an operation of the API: the page runs it, after it has checked the token. */
const begin = operation({
  name: 'portal_sessions.begin',
  summary: 'Sign a customer in by a link',
  route: 'POST /portal_sessions/:id/begin',
  callers: ['shopper'],
  input: BeginInput,
  output: PortalSessionOutput,
  async run(context, { hash }) {
    const session = await requirePortalSession(context);
    if (!canBegin(session, context.now))
      throw apiError('resource_missing', { param: 'id', resource: 'portal session' });
    const after = begun(session, hash, context.now);
    return {
      result: {},
      objectId: session.id,
      writes: [replacePortalSession(after)],
      audit: [await auditOf(context, after, 'portal_session.begun')],
    };
  },
});

async function auditOf({ reads, tenant, mode }: Context, { customer }: PortalSession, action: string) {
  const account = await accountIdOf(reads, tenant);
  return { action, accounts: [account], subject: customer, actor: 'the customer', details: { mode } };
}

const end = operation({
  name: 'portal_sessions.end',
  summary: 'Sign a customer out',
  route: 'POST /portal_sessions/:id/end',
  callers: ['shopper'],
  output: PortalSessionOutput,
  async run(context) {
    const session = await requirePortalSession(context);
    if (session.ended_at !== null) return { result: {} };
    return { result: {}, objectId: session.id, writes: [replacePortalSession(ended(session, context.now))], audit: [] };
  },
});

/** More than anybody has. */
const endedAtOnce = 500;

const endAll = operation({
  name: 'portal_sessions.end_all',
  summary: 'Sign a customer out everywhere',
  route: 'POST /portal_sessions/:id/end_all',
  callers: ['shopper'],
  output: PortalSessionOutput,
  async run(context) {
    const { reads, tenant, now } = context;
    const session = await requirePortalSession(context);
    const all = await findBegun(reads, tenant, session.customer, endedAtOnce);
    return {
      result: {},
      objectId: session.id,
      writes: all.map((one) => replacePortalSession(ended(one, now))),
      audit: [await auditOf(context, session, 'portal_session.ended_everywhere')],
    };
  },
});

export const portalSessionOperations: AnyOperation[] = [create, begin, end, endAll];
