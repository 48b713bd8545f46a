import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Subscription } from '@tollgate/node';
import { DetailPage, type Fact, FactSection, momentFact, StorySkeleton } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { isolated } from '../../kit/isolated.ts';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { statusInWords } from '../../kit/tones.ts';
import { SetupChallenge } from '../../nouns/challenge.tsx';
import { useChargedMethod } from '../../nouns/charged_method.ts';
import { CustomerFacts, MethodFacts } from '../../nouns/fact_sections.tsx';
import { PeriodOf } from '../../nouns/invoice_lines.tsx';
import {
  ClockLink,
  CouponLink,
  customerName,
  InvoiceLink,
  useCustomer,
  useMethodWords,
  usePrices,
} from '../../nouns/names.tsx';
import { Notes } from '../../nouns/notes.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { itemsWords, periodCost } from '../../nouns/price_words.ts';
import { NextStep } from '../../nouns/subscription_columns.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { SubscriptionActions } from './actions.tsx';
import { InvoicesOf, ItemsOf, Upcoming } from './sections.tsx';
import { storyOfSubscription } from './story.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['subscriptions', id], (api, options) => api.subscriptions.retrieve(id, options));
  return (
    <DetailPage<Subscription>
      reading={reading}
      list={{ path: '/subscriptions', title: 'Subscriptions' }}
      id={id}
      headline={(subscription) => <Headline subscription={subscription} />}
      status={({ status, cancel_at_period_end }) => (
        <>
          <Status status={status} />
          {cancel_at_period_end && status !== 'canceled' && <Status status="ends_with_its_period" tone="waiting" />}
        </>
      )}
      story={(subscription) => <Story subscription={subscription} />}
      actions={(subscription) => <SubscriptionActions subscription={subscription} />}
      notice={(subscription) => (
        <>
          <PastDue subscription={subscription} />
          {subscription.pending_setup && <PendingSetup id={subscription.pending_setup} />}
        </>
      )}
      facts={factsOf}
      aside={(subscription) => (
        <>
          <CustomerFacts id={subscription.customer} />
          <Charged subscription={subscription} />
          <Metadata metadata={subscription.metadata ?? {}} />
        </>
      )}
    >
      {(subscription) => (
        <>
          <ItemsOf subscription={subscription} />
          <Upcoming subscription={subscription} />
          <InvoicesOf subscription={subscription} />
          <Notes id={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

function Headline({ subscription: { id, items } }: { subscription: Subscription }) {
  return itemsWords(items, usePrices(items.map(({ price }) => price))) ?? id;
}

function factsOf(subscription: Subscription): Fact[] {
  const { current_period_start, current_period_end, coupon, latest_invoice, test_clock } = subscription;
  const { cancellation_reason, pending_setup, trial_start, trial_end, paused_at, canceled_at, ended_at, status } =
    subscription;
  return [
    ['Costs', <Costs key="costs" subscription={subscription} />],
    ['Next', <NextStep key="next" subscription={subscription} />],
    [
      status === 'trialing' ? 'Trial' : 'Current period',
      <PeriodOf key="period" period={{ start: current_period_start, end: current_period_end }} />,
    ],
    [
      'Trial',
      status === 'trialing' || trial_start === undefined || trial_end === undefined ? undefined : (
        <PeriodOf key="trial" period={{ start: trial_start, end: trial_end }} />
      ),
    ],
    ['Pending setup', pending_setup && <IdLink key="setup" id={pending_setup} />],
    ['Coupon', coupon && <CouponLink key="coupon" id={coupon} />],
    ['Latest invoice', latest_invoice && <InvoiceLink key="invoice" id={latest_invoice} />],
    momentFact('Created', subscription.created),
    momentFact('Paused', paused_at),
    momentFact('Cancellation requested', status === 'canceled' ? undefined : canceled_at),
    ['Reason', cancellation_reason && statusInWords(cancellation_reason)],
    momentFact('Ended', ended_at),
    ['Test clock', test_clock && <ClockLink key="clock" id={test_clock} />],
    ['External id', subscription.external_id],
  ];
}

function Costs({ subscription: { items } }: { subscription: Subscription }) {
  return periodCost(items, usePrices(items.map(({ price }) => price))) ?? <Skeleton height={12} width={110} />;
}

/** Who pays what, with which card, and what comes next. */
function Story({ subscription }: { subscription: Subscription }) {
  const { customer: id, items, status } = subscription;
  const cost = periodCost(items, usePrices(items.map(({ price }) => price)));
  const customer = useCustomer(id);
  const method = useMethodWords(useChargedMethod(subscription));
  if (cost === undefined || customer.isLoading || method.isLoading) return <StorySkeleton />;
  const name = customer.data === undefined ? 'The customer' : isolated(customerName(customer.data));
  return (
    <>
      {storyOfSubscription(status, { customer: name, method: method.data, cost })}{' '}
      <NextStep subscription={subscription} end="." />
    </>
  );
}

/** Says whose choice it is. */
function Charged({ subscription }: { subscription: Subscription }) {
  const method = useChargedMethod(subscription);
  if (method === undefined) return <FactSection title="Payment method" facts={[['Method', 'None']]} />;
  const isDefault = subscription.default_payment_method === undefined;
  return <MethodFacts id={method} {...(isDefault && { note: 'As the customer’s default' })} />;
}

/** Of a subscription whose charge has failed: why, when it is tried again, and what helps. */
function PastDue({ subscription: { status, latest_invoice } }: { subscription: Subscription }) {
  const isLate = status === 'past_due' || status === 'unpaid';
  const { may, whoMay } = useWorkspace();
  const { data: invoice } = useRead(
    ['invoices', latest_invoice],
    (api, options) => api.invoices.retrieve(latest_invoice!, options),
    { isEnabled: isLate && latest_invoice !== undefined },
  );
  if (!isLate || invoice === undefined || invoice.status === 'paid') return null;
  const { id, number, last_failure, next_payment_attempt } = invoice;
  return (
    <Notice tone="bad" title={status === 'unpaid' ? 'Unpaid' : 'Past due'}>
      The charge for <Link to={`/invoices/${id}` as string}>{number ?? id}</Link> failed
      {last_failure ? `: ${last_failure.message}` : '.'}{' '}
      {next_payment_attempt === undefined ? (
        'It is not tried again automatically.'
      ) : (
        <>
          The next try is on <Moment seconds={next_payment_attempt} />.
        </>
      )}{' '}
      {may('invoices.pay')
        ? 'Ask the customer for another payment method, and pay the invoice with it.'
        : `Ask the customer for another payment method. ${whoMay('invoices.pay')} can charge it.`}
    </Notice>
  );
}

/** What the setup of the payment method waits for. */
function PendingSetup({ id }: { id: string }) {
  const { data } = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  return data && <SetupChallenge setup={data} />;
}
