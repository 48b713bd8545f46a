import type { Dispute } from '@tollgate/node';
import { Moment } from '../../kit/moment.tsx';
import style from './disputes.module.css';
import { timeLeft } from './evidence.ts';

const hurry = 2 * 24 * 3_600;

/** Until when evidence is taken, and how long that is, while the bank waits for it. */
export function Due({ dispute: { status, evidence_details } }: { dispute: Dispute }) {
  const { due_by } = evidence_details;
  const now = Date.now() / 1_000;
  return (
    <span className={style.due}>
      {status === 'needs_response' && (
        <strong className={due_by - now < hurry ? style.hurry : undefined}>{timeLeft(due_by, now)}</strong>
      )}{' '}
      <Moment seconds={due_by} isReal />
    </span>
  );
}
