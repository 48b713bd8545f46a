import { Link } from '@tanstack/react-router';
import type { Dispute, Payment } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { toneOf } from '../../kit/status.tsx';

/** The latest dispute of a payment; nothing where there is none. */
export function useDispute({ dispute: id }: Payment) {
  return useRead<Dispute>(['disputes', id], (api, options) => api.disputes.retrieve(id!, options), {
    isEnabled: id !== undefined,
  });
}

/** Whether the money of a payment is with the bank of its cardholder, or may be: then nothing is refunded. */
export function isHeld({ dispute: id }: Payment, dispute: Dispute | undefined): boolean {
  return id !== undefined && dispute?.status !== 'won';
}

const titles: Record<Dispute['status'], string> = {
  needs_response: 'The customer has disputed this payment',
  under_review: 'The customer has disputed this payment',
  won: 'The customer has disputed this payment, and you won',
  lost: 'The customer has disputed this payment, and you lost',
};

/** Where its dispute stands, and the way there. */
export function DisputeNotice({ payment }: { payment: Payment }) {
  const { data: dispute } = useDispute(payment);
  const status = dispute?.status ?? 'needs_response';
  return (
    <Notice tone={toneOf(status)} title={titles[status]}>
      {dispute && sentences(dispute)[status]} <Link to={`/disputes/${payment.dispute}` as string}>View dispute</Link>
    </Notice>
  );
}

function sentences({ evidence_details }: Dispute): Record<Dispute['status'], ReactNode> {
  return {
    needs_response: (
      <>
        Evidence is due by <Moment seconds={evidence_details.due_by} />. Until it is decided, nothing can be refunded.
      </>
    ),
    under_review: 'The bank has your evidence. Until it is decided, nothing can be refunded.',
    won: 'The money is back in your balance.',
    lost: 'The money stays with the customer, so nothing can be refunded.',
  };
}
