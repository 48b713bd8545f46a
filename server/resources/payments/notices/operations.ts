import { isId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { Created, MaybeMoment, Parameters, Shown } from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { locateAccount } from '../processor_accounts/locate.ts';
import { apiError } from './errors.ts';
import { findReplayable, noticeStatesTable, replaceNotice } from './store.ts';
import { dueAgain, finished, kindOf, type NoticeState } from './stored_notice.ts';

const NoticeOutput = Shown('FailedNotice', 'failed_notice', 'A notice of a processor that could not be recorded.', {
  connector: Type.String(),
  processor_account: Type.Optional(Type.String()),
  event: Type.String({ description: "The processor's own id of the notice" }),
  kind: Type.String(),
  reported: Type.Optional(Type.Array(Type.Unsafe<object>(Type.Object({})), { description: 'What it reports' })),
  reason: Type.Optional(Type.String()),
  failures: Type.Integer(),
  next_attempt: MaybeMoment('When it is tried again.'),
  created: Created,
});

export const serializeNotice = serializer<NoticeState, typeof NoticeOutput>(NoticeOutput, {
  event: 'event_id',
  kind: from(['reported'], kindOf),
  next_attempt: 'due_at',
  created: timeInId,
});

// Operators see to the notices of the whole installation: a processor may report for an account that does not exist.
const shared = {
  callers: ['operator'],
  input: Parameters({ tenant: Type.Integer({ description: 'Whose notice it is' }) }),
  output: NoticeOutput,
} as const;

const retry = operation({
  ...shared,
  name: 'notices.retry',
  summary: 'Try to record a failed notice again',
  route: 'POST /notices/:id/retry',
  async run(context, { tenant }) {
    const flagged = await requireFlagged(context, tenant);
    const hurried = dueAgain(flagged, context.now);
    return { ...outcome(hurried, 'notice.retry'), writes: [replaceNotice(hurried)], due: context.now };
  },
});

const dismiss = operation({
  ...shared,
  name: 'notices.dismiss',
  summary: 'Give up on a failed notice',
  route: 'POST /notices/:id/dismiss',
  async run(context, { tenant }) {
    const flagged = await requireFlagged(context, tenant);
    return { ...outcome(flagged, 'notice.dismiss'), writes: [replaceNotice(finished(flagged))] };
  },
});

/** At most as many in a step: a step is one commit. */
const replayedMax = 1_000;

const replay = operation({
  callers: ['operator'],
  name: 'notices.replay',
  summary: 'Handle stored notices of a processor account once more',
  route: 'POST /processor_accounts/:id/replay',
  input: Parameters({
    since: Type.Optional(Type.Integer({ minimum: 0, description: 'Received at this time or later, epoch seconds' })),
    event: Type.Optional(Type.String({ description: "Only this one, by the processor's own id" })),
    after: Type.Optional(Type.String({ description: 'Only later ones than this: the `next` of the step before' })),
  }),
  output: Type.Object({
    object: Type.Literal('notice_replay'),
    replayed: Type.Integer(),
    next: Type.Optional(Type.String()),
  }),
  async run({ reads, now, id }, { since = 0, event = null, after = '' }) {
    const account = isId('pa', id) ? await locateAccount(reads, id) : undefined;
    if (account === undefined) throw apiError('resource_missing', { param: 'id', resource: 'processor account' });
    const { tenant } = account;
    const range = { account: id as ProcessorAccountId, since: since * 1_000, event, after };
    const found = await findReplayable(reads, tenant, range, replayedMax);
    const next = found.length === replayedMax ? { next: found.at(-1)!.id } : {};
    const details = { tenant, since, event, replayed: found.length };
    return {
      result: { object: 'notice_replay', replayed: found.length, ...next },
      objectId: id,
      tenant,
      writes: found.map((notice) => replaceNotice(dueAgain(notice, now))),
      audit: [{ action: 'notices.replay', subject: id, details }],
      due: now,
    };
  },
});

async function requireFlagged({ reads, id }: Context, tenant: number): Promise<NoticeState> {
  const found = await reads.one(noticeStatesTable, tenant as Tenant, id);
  if (found?.flagged_at == null) throw apiError('resource_missing', { param: 'id', resource: 'notice' });
  return found;
}

/** The audit log keeps what the notice reports: once it is swept, that is nowhere else. */
function outcome(flagged: NoticeState, action: string) {
  const { id, tenant, connector, processor_account, event_id, reported, reason, failures } = flagged;
  const details = { tenant, connector, processor_account, event: event_id, reported, reason, failures };
  return { result: serializeNotice(flagged), objectId: id, tenant, audit: [{ action, subject: id, details }] };
}

export const noticeOperations: readonly AnyOperation[] = [retry, dismiss, replay];
