import type { NoticeSource } from '../../../connectors/index.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { resource } from '../../../operations/resource.ts';
import { UnmatchedNotices } from '../attempts/unmatched.ts';
import { failedNotices } from './attention.ts';
import { noticeErrors } from './errors.ts';
import { noticeOperations } from './operations.ts';
import { countFlaggedNotices, oldestDueSeconds, sweepNotices } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Takes notices about attempts that were not made here. */
    unmatchedNotices: UnmatchedNotices;
  }
  interface ServiceCounters {
    noticeUnmatched(source: NoticeSource): void;
  }
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
  maintenance: [{ name: 'old notices', isLong: true, run: sweepNotices }],
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
