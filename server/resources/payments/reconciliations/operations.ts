import { update } from '../../../base/commit/index.ts';
import { type Caller, callerName } from '../../../operations/caller.ts';
import { type Descriptor, listOperation, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import {
  type ComparedDay,
  type DecidedBy,
  type DifferenceStatus,
  type ReconciliationDifference,
  withDecision,
} from './reconciliation.ts';
import {
  AcceptInput,
  DifferenceOutput,
  differenceFilters,
  differenceListOptions,
  FollowUpInput,
  ReconciliationOutput,
  reconciliationFilters,
  reconciliationListOptions,
  serializeDifference,
  serializeReconciliation,
} from './schema.ts';
import { differencesTable, reconciliationsTable } from './store.ts';

export const reconciliationDescriptor: Descriptor<ComparedDay> = {
  resource: 'reconciliations',
  scope: 'balance',
  noun: 'reconciliation',
  prefix: 'recon',
  table: reconciliationsTable,
  serialize: serializeReconciliation,
  output: ReconciliationOutput,
  notes: {
    list: 'They are in the order of the days that were compared, whose beginning is `created`; the operator compares a day with `tollgate reconcile --record`, and comparing it again replaces the figures.',
  },
  csv: `id date connector processor_account status matched matched_on_another_day differences open_differences
    compared_at totals`,
};

const differenceDescriptor: Descriptor<ReconciliationDifference> = {
  resource: 'reconciliation_differences',
  scope: 'balance',
  noun: 'reconciliation difference',
  prefix: 'diff',
  table: differencesTable,
  serialize: serializeDifference,
  output: DifferenceOutput,
  notes: { list: 'A difference that a later comparison of its day does not find again is no longer there.' },
  csv: `id date connector processor_account what kind reference payment ledger.amount ledger.currency processor.amount
    processor.currency status note changed_by.name changed_at ledger.amount_decimal processor.amount_decimal`,
};
const requireDifference = requireRow(differenceDescriptor);

function deciderOf(caller: Caller): DecidedBy {
  if (caller.kind === 'key') return { api_key: caller.key.id, name: caller.key.name || caller.key.id };
  if (caller.kind === 'person') return { user: caller.person.user, name: caller.person.email };
  return { name: callerName(caller) };
}

/** The difference with its new status, and its day with the number of those that are left. */
async function decide(
  context: Context,
  wanted: { status: DifferenceStatus; note: string | null; action: string },
): Promise<Outcome> {
  const { reads, tenant, caller, now } = context;
  const before = await requireDifference(context);
  const { status, note, action } = wanted;
  const after = withDecision(before, { status, note, by: deciderOf(caller), now });
  if (after === undefined) return { result: serializeDifference(before), objectId: before.id, writes: [] };
  const day = before.reconciliation && (await reads.one(reconciliationsTable, tenant, before.reconciliation));
  const change = Number(before.status === 'accepted') - Number(status === 'accepted');
  const counted = day && { ...day, open_differences: day.open_differences + change, version: day.version + 1 };
  const { connector, processor_account, day: date, reference } = before;
  const source = processor_account === null ? { connector } : { processor_account };
  return {
    result: serializeDifference(after),
    objectId: after.id,
    writes: [
      update(differencesTable, after),
      ...(counted && change !== 0 ? [update(reconciliationsTable, counted)] : []),
    ],
    audit: [{ action, subject: after.id, details: { ...source, date, reference, mode: caller.mode, note } }],
  };
}

const accept = operation({
  name: 'reconciliation_differences.accept',
  summary: 'Accept a reconciliation difference',
  description:
    'Records that a difference is explained, by whom and why. The books stay as they are, and it no longer needs attention. It stays accepted when its day is compared again, unless it has become another difference.',
  route: 'POST /reconciliation_differences/:id/accept',
  scope: 'balance:write',
  right: 'books',
  callers: ['key', 'operator'],
  input: AcceptInput,
  output: DifferenceOutput,
  check({ note }) {
    if (note.trim() === '') throw apiError('parameter_invalid', { param: 'note', reason: 'it must not be blank' });
  },
  run: (context, { note }) => decide(context, { status: 'accepted', note, action: 'reconciliation.accepted' }),
});

const followUp = operation({
  name: 'reconciliation_differences.follow_up',
  summary: 'Follow up a reconciliation difference',
  description:
    'Records that somebody looks into a difference, so that others do not. It still needs attention. One that was accepted is open again with it.',
  route: 'POST /reconciliation_differences/:id/follow_up',
  scope: 'balance:write',
  right: 'books',
  callers: ['key', 'operator'],
  input: FollowUpInput,
  output: DifferenceOutput,
  run: (context, { note = null }) =>
    decide(context, { status: 'following_up', note, action: 'reconciliation.followed_up' }),
});

export const reconciliationOperations: readonly AnyOperation[] = [
  retrieveOperation(reconciliationDescriptor),
  listOperation(reconciliationDescriptor, reconciliationFilters, reconciliationListOptions),
];

export const differenceOperations: readonly AnyOperation[] = [
  retrieveOperation(differenceDescriptor),
  listOperation(differenceDescriptor, differenceFilters, differenceListOptions),
  accept,
  followUp,
];
