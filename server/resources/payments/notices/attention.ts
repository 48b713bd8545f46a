import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { findFlaggedNoticesOf } from './store.ts';
import { kindOf, type NoticeState } from './stored_notice.ts';

export const failedNotices: AttentionSource = {
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
