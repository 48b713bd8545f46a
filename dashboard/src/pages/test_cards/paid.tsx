import { Link } from '@tanstack/react-router';
import type { Payment } from '@tollgate/node';
import { useEffect } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { formatMoney } from '../../kit/money.ts';
import { usePolling } from '../../kit/poll.ts';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { grouped } from '../../nouns/test_cards.ts';
import type { Paid } from './pay.tsx';
import style from './test_cards.module.css';

/** What became of the payments that were made on this page. */
export function PaidList({ paid }: { paid: readonly Paid[] }) {
  // The card may stand far below.
  useEffect(() => {
    if (paid.length > 0) scrollTo({ top: 0 });
  }, [paid.length]);
  if (paid.length === 0) return null;
  return (
    <Section title="Paid just now">
      <ul className={style.paid} aria-live="polite">
        {paid.map((one) => (
          <PaidRow key={one.payment} paid={one} />
        ))}
      </ul>
    </Section>
  );
}

/** Every read is a request in the log, and a cardholder may take long. */
const openEveryMs = 2_000;

/** An outcome that is not known yet, or waits for the cardholder. */
const isOpen = (payment: Payment | undefined) => ['processing', 'requires_action'].includes(payment?.status ?? '');

function PaidRow({ paid: { payment: id, card, refusal } }: { paid: Paid }) {
  const { data, refetch } = useRead(['payments', id], (api, options) => api.payments.retrieve(id, options));
  usePolling(isOpen(data), refetch, openEveryMs);
  const challenge = data?.status === 'requires_action' ? data.next_action?.redirect_to_url?.url : undefined;
  return (
    <li>
      <Link to={`/payments/${id}` as string}>{data ? formatMoney(data.amount, data.currency) : id}</Link>
      {data && <Status status={data.status} />}
      <code>{grouped(card.id)}</code>
      <span className={style.outcome}>
        {refusal?.message ?? data?.failure_message}
        {data?.dispute && <IdLink id={data.dispute} />}
      </span>
      {challenge && (
        <a href={challenge} target="_blank" rel="noopener noreferrer">
          Open the page of the cardholder’s bank
        </a>
      )}
      {refusal?.request && (
        <span>
          Request <IdLink id={refusal.request} />
        </span>
      )}
    </li>
  );
}
