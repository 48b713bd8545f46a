import { sourceOf } from '../../connectors/index.ts';
import { commitDue, type InquiryServices } from '../attempts/inquire.ts';
import { type Duty, dueRows } from '../duty.ts';
import type { NoticeHandler } from '../notice_handlers.ts';
import { type FailedNotice, failedAgain } from './failed_notice.ts';
import { failedNoticesTable, removeFailedNotice, replaceFailedNotice } from './store.ts';

type RetryServices = Pick<InquiryServices, 'durable' | 'clock' | 'committer' | 'onDue' | 'log'>;

/** Tries to record the notices that are kept. One that is recorded is kept no longer. */
export function retryNotices(services: RetryServices, handle: NoticeHandler): Duty {
  return dueRows(services, 'failed notices', failedNoticesTable, async (kept: FailedNotice) => {
    try {
      await handle(kept.notice, sourceOf(kept.connector, kept.notice));
    } catch (error) {
      const after = failedAgain(kept, error, services.clock.now());
      await commitDue(services, [replaceFailedNotice(after)], after.due_at);
      return;
    }
    // After a conflict it is tried once more: handlers take a notice any number of times.
    if (await commitDue(services, [removeFailedNotice(kept)]))
      services.log.info({ notice: kept.notice_id, kind: kept.kind }, 'a notice that had failed was recorded');
  });
}
