import { assert } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import { callerAccount } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import type { Outstanding } from '../../../operations/extension_points/outstanding.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { ListOf, Parameters } from '../../../operations/schemas.ts';
import { findAccount } from './store.ts';

/** Objects of one page: they are ended side by side, and their commits are grouped. */
const pageMax = 50;

const OutstandingOutput = Type.Object({
  kind: Type.String(),
  fate: Type.String(),
  count: Type.Integer(),
  can_end: Type.Boolean(),
});

const EndableOutput = Type.Object({
  id: Type.String(),
  operation: Type.String(),
  test_clock: Type.Optional(Type.String()),
});

export type ShownOutstanding = { kind: string; fate: string; count: number; can_end: boolean };
export type ShownEndable = { id: string; operation: string; test_clock?: string };

/** An account that takes requests makes new subscriptions and payments while others are ended. */
async function requireSuspended({ reads, caller }: Context): Promise<void> {
  const id = callerAccount(caller);
  assert(id !== null, 'an operator acts for an account here');
  const account = await findAccount(reads, id);
  assert(account, 'a tenant has an account');
  if (account.status === 'suspended') return;
  const message = `${id} is ${account.status}. Suspend it first: tollgate accounts suspend ${id}.`;
  throw apiError('parameter_invalid', { param: 'id', reason: 'it is not suspended' }).saying(message);
}

const listOutstanding = (sources: readonly Outstanding[]) =>
  operation({
    callers: ['operator'],
    name: 'account.list_outstanding',
    summary: 'List what a suspended account has left',
    route: 'GET /account/outstanding',
    output: ListOf(OutstandingOutput),
    async run(context) {
      await requireSuspended(context);
      const { reads, tenant } = context;
      const data: ShownOutstanding[] = [];
      // One after the other: a dry run must not take all connections that requests read with.
      for (const { kind, fate, count, end } of sources)
        data.push({ kind, fate, count: await count(reads, tenant), can_end: end !== undefined });
      return { result: { object: 'list', url: '/v1/account/outstanding', has_more: false, data } };
    },
  });

const listEndable = (sources: readonly Outstanding[]) =>
  operation({
    callers: ['operator'],
    name: 'account.list_endable',
    summary: 'List objects of a suspended account that can be ended',
    route: 'GET /account/endable',
    input: Parameters({ kind: Type.String(), starting_after: Type.Optional(Type.String()) }),
    output: ListOf(EndableOutput),
    async run(context, { kind, starting_after = '' }) {
      await requireSuspended(context);
      const end = sources.find((source) => source.kind === kind)?.end;
      assert(end, `${kind} can be ended`);
      const page = { after: starting_after, limit: pageMax };
      const found = await end.find(context.reads, context.tenant, page);
      const data: ShownEndable[] = found.map(({ id, test_clock }) => ({
        id,
        operation: end.operation,
        ...(test_clock === null ? {} : { test_clock }),
      }));
      return { result: { object: 'list', url: '/v1/account/endable', has_more: found.length === pageMax, data } };
    },
  });

/**
 * By these a command finds what is left of a suspended account. Operations of the resources end it: of those that build on others first,
 * so that an ended subscription makes no invoice, and the payment of a void invoice is not tried again.
 */
export function windDownOperations(sources: readonly Outstanding[]): AnyOperation[] {
  const ended = sources.filter(({ end }) => end !== undefined).toReversed();
  const awaited = sources.filter(({ end }) => end === undefined);
  return [listOutstanding([...ended, ...awaited]), listEndable(ended)];
}
