import { createdSeconds } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { Type } from '../../base/schema.ts';
import { refusal } from '../errors.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { Parameters, Shown, Timestamp, timestampOf } from '../shapes.ts';
import type { FailedNotice } from './failed_notice.ts';
import { failedNoticesTable, removeFailedNotice, replaceFailedNotice } from './store.ts';

const NoticeOutput = Shown('FailedNotice', 'failed_notice', {
  connector: Type.String(),
  kind: Type.String(),
  notice: Type.Object({}, { additionalProperties: true, description: 'As the processor sent it' }),
  reason: Type.String({ description: 'The error of the last attempt to record it' }),
  failures: Type.Integer(),
  next_attempt: Timestamp,
  created: Timestamp,
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
    const kept = await requireNotice(context, tenant);
    const due_at = new Date(context.now);
    const hurried = { ...kept, version: kept.version + 1, due_at, lease_until: null };
    return { ...outcome(hurried, 'notice.retry'), writes: [replaceFailedNotice(hurried)], due: context.now };
  },
});

const dismiss = operation({
  ...shared,
  name: 'notices.dismiss',
  summary: 'Give up on a failed notice',
  route: 'POST /notices/:id/dismiss',
  async run(context, { tenant }) {
    const kept = await requireNotice(context, tenant);
    return { ...outcome(kept, 'notice.dismiss'), writes: [removeFailedNotice(kept)] };
  },
});

async function requireNotice({ reads, id }: Context, tenant: number): Promise<FailedNotice> {
  const found = await reads.one(failedNoticesTable, tenant as Tenant, id);
  if (found === undefined) throw refusal('resource_missing', { param: 'id', resource: 'notice' });
  return found;
}

/** The audit log keeps the whole notice: after a dismissal it is nowhere else. */
function outcome(kept: FailedNotice, action: string) {
  const { id, tenant, connector, notice, reason, failures } = kept;
  return {
    result: presentNotice(kept),
    objectId: id,
    audit: [{ action, subject: id, details: { tenant, connector, notice, reason, failures } }],
  };
}

export function presentNotice({ id, connector, kind, notice, reason, failures, due_at }: FailedNotice) {
  const times = { next_attempt: timestampOf(due_at), created: createdSeconds(id) };
  return { id, object: 'failed_notice', connector, kind, notice, reason, failures, ...times };
}

export const noticeOperations: readonly AnyOperation[] = [retry, dismiss];
