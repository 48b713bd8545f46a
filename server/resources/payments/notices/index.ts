import type { NoticeSource } from '../../../connectors/index.ts';
import { type AttentionSource, needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { resource } from '../../../operations/resource.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { UnmatchedNotices } from '../attempts/unmatched.ts';
import { noticeErrors } from './errors.ts';
import { noticeOperations } from './operations.ts';
import { countFlaggedNotices, findFlaggedNoticesOf, oldestDueSeconds, sweepNotices } from './store.ts';
import { kindOf, type NoticeState } from './stored_notice.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Takes notices about attempts that were not made here. */
    unmatchedNotices: UnmatchedNotices;
  }
  interface ServiceCounters {
    noticeUnmatched(source: NoticeSource): void;
  }
}

const failedNotices: AttentionSource = {
  kind: 'notice',
  about: 'what a processor has reported could not be recorded',
  scope: 'payments:read',
  right: 'change',
  objects: ['notice'],
  async find(reads, tenant, limit) {
    return (await findFlaggedNoticesOf(reads, tenant, limit)).map(attentionTo);
  },
};

/** Without the error, which is for the operator. */
function attentionTo(notice: NoticeState) {
  const { id, connector, event_id, flagged_at } = notice;
  return {
    id,
    object: 'notice',
    since: timestampOf(flagged_at!),
    reason: `A notice of ${connector} (${kindOf(notice)}, ${event_id}) could not be recorded.`,
    action: 'It is tried again by itself. The operator sees why, and what to do: tollgate notices list',
  };
}

export const notices = resource({
  name: 'notices',
  errors: noticeErrors,
  provides: ({ processorAccounts, clock, log, count }) => ({
    services: {
      unmatchedNotices: new UnmatchedNotices({ processorAccounts, clock, log, count: count.noticeUnmatched }),
    },
  }),
  operations: noticeOperations,
  extensions: [needsAttention.with(failedNotices)],
  maintenance: [{ name: 'old notices', home: 'tenant', isLong: true, run: sweepNotices }],
  gauges: [
    {
      name: 'tollgate_notices_failed',
      help: 'Notices of processors that could not be recorded and wait for a person.',
      read: countFlaggedNotices,
    },
    {
      name: 'tollgate_notices_due_oldest_seconds',
      help: 'How long the oldest notice of a processor that is due has been due; 0 without any.',
      read: oldestDueSeconds,
    },
  ],
});
