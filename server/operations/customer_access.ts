import { assert } from '../base/errors.ts';
import type { CustomerCaller } from './caller.ts';
import { apiError } from './errors.ts';
import type { AnyOperation, Belonging, Context, SentValues } from './operation.ts';

type CustomerContext = Context & { caller: CustomerCaller };

/**
 * Checks a call by a customer who has signed in to the portal, before its operation runs, and each time that it is decided again. What is not
 * its own is refused as what does not exist. Returns the parameters for the operation.
 */
export async function admitCustomer(context: Context, operation: AnyOperation, sent: SentValues): Promise<SentValues> {
  const { name, customers: access, method } = operation;
  assert(access !== undefined && isCustomers(context), `${name} does not serve a customer`);
  const { about, customer, parameters = [], refersTo = {}, fixed = {}, allows } = access;
  const subject = about?.parameter ?? customer;
  const known = [...parameters, ...(subject === undefined ? [] : [subject])];
  const stranger = Object.keys(sent).find((param) => !known.includes(param));
  if (stranger !== undefined) throw apiError('parameter_unknown', { param: stranger, hint: '' });
  if (customer !== undefined && sent[customer] !== context.caller.customer) throw unknown('customer', customer);
  const id = about?.parameter === undefined ? context.id : sent[about.parameter];
  const row = about && (await findOwn(context, about, id, about.parameter ?? 'id'));
  for (const [param, kind] of Object.entries(refersTo))
    if (sent[param] !== undefined) await findOwn(context, kind, sent[param], param);
  const input = { ...sent, ...fixed };
  if (method !== 'GET') await refuseSuspended(context);
  if (allows !== undefined && !allows(await context.portalSettingsOf(context.tenant), input, row as never))
    throw apiError('portal_not_allowed', { reason: 'This shop does not let its customers do this by themselves.' });
  return input;
}

function isCustomers(context: Context): context is CustomerContext {
  return context.caller.kind === 'customer';
}

async function findOwn(context: CustomerContext, kind: Belonging, id: unknown, param: string): Promise<object> {
  const { noun, find, column, isHidden } = kind;
  const row = typeof id === 'string' ? await find({ ...context, id }, id) : undefined;
  const isOwn = row !== undefined && (row as SentValues)[column] === context.caller.customer;
  if (!isOwn || isHidden?.(row as never)) throw unknown(noun, param);
  return row;
}

const unknown = (resource: string, param: string) => apiError('resource_missing', { param, resource });

async function refuseSuspended({ isSuspended, tenant }: CustomerContext): Promise<void> {
  if (await isSuspended(tenant))
    throw apiError('portal_not_allowed', { reason: 'This shop is not taking payments at the moment.' });
}
