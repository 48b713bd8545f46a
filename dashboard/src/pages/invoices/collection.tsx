import type { Account, Invoice } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { endWords } from './dunning.ts';
import style from './invoices.module.css';

/** Where collecting stands, while the invoice is not paid: what has failed, and what comes next. */
export function Collection({ invoice }: { invoice: Invoice }) {
  const { status, attempt_count, last_failure, next_payment_attempt, subscription } = invoice;
  const isOwed = status === 'open' || status === 'uncollectible';
  const { data: account } = useRead(['account'], (api, options) => api.account.retrieve(options), {
    isEnabled: isOwed && subscription !== undefined,
  });
  if (!isOwed || (attempt_count === 0 && last_failure === undefined)) return null;
  return (
    <Section title="Collection">
      <ul className={style.collection}>
        <li>
          {attempt_count === 1 ? 'Tried once' : `Tried ${attempt_count} times`}.
          {last_failure && ` ${last_failure.message}`}
          {last_failure?.decline_code && (
            <>
              {' '}
              (<code>{last_failure.decline_code}</code>)
            </>
          )}
        </li>
        <li>
          <Next at={next_payment_attempt} isOfSubscription={subscription !== undefined} />
        </li>
        {next_payment_attempt !== undefined && account && <li>{planWords(account)}</li>}
      </ul>
    </Section>
  );
}

function Next({ at, isOfSubscription }: { at: number | undefined; isOfSubscription: boolean }) {
  if (at !== undefined)
    return (
      <>
        Tried again on <Moment seconds={at} />, or at once when the payment method changes.
      </>
    );
  return isOfSubscription
    ? 'Not tried again by itself: pay it with another card, or change the payment method of the subscription.'
    : 'Not tried again by itself: pay it with another card.';
}

function planWords({ dunning_days, dunning_end }: Account): string {
  return `This account tries again ${dunning_days.join(', ')} days after the first failure. Unpaid after that, ${endWords(dunning_end)}.`;
}
