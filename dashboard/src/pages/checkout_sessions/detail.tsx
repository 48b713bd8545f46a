import type { CheckoutSession } from '@tollgate/node';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { counted } from '../../kit/counted.ts';
import { DetailPage, type Fact, FactSection, momentFact } from '../../kit/detail_page.tsx';
import { Email } from '../../kit/email.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { editMetadata } from '../../kit/metadata_fields.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { wordsOf } from '../../kit/status.tsx';
import { CustomerFacts, MethodFacts, PaymentFact } from '../../nouns/fact_sections.tsx';
import { NamedLink } from '../../nouns/link_parts.tsx';
import { InvoiceLink, SubscriptionLink } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { SessionStatus } from '../../nouns/session_columns.tsx';
import { ShareSection } from '../../nouns/share_section.tsx';
import { SoldLines } from '../../nouns/sold_lines.tsx';
import { savingWords } from '../../nouns/sold_params.ts';
import { sessionAmount } from '../../nouns/sold_words.ts';
import { storyOfSession } from './story.ts';
import { Tries } from './tries.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['checkout_sessions', id], (api, options) => api.checkoutSessions.retrieve(id, options));
  return (
    <DetailPage<CheckoutSession>
      reading={reading}
      list={{ path: '/checkout-sessions', title: 'Checkout sessions' }}
      id={id}
      headline={sessionAmount}
      status={(session) => <SessionStatus session={session} />}
      story={storyOfSession}
      actions={(session) => <Actions session={session} />}
      facts={factsOf}
      aside={(session) => <Aside session={session} />}
    >
      {({ url, line_items = [], currency = 'eur' }) => (
        <>
          {url !== undefined && <ShareSection url={url} name={`checkout-${id}`} />}
          <SoldLines
            lines={line_items.map(({ amount, ...line }) => ({ ...line, cost: formatMoney(amount, currency) }))}
          />
          <Tries session={id} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf(session: CheckoutSession): Fact[] {
  const { currency = 'eur', amount_subtotal, amount_discount, payment, payment_link, reference, description } = session;
  const { setup, subscription, invoice, save_payment_method, subscription_data } = session;
  const days = subscription_data?.trial_days;
  const money = (amount: number | undefined) => amount && formatMoney(amount, currency);
  return [
    ['What is sold', description],
    ['Trial', days && counted(days, 'day')],
    ['Subtotal', amount_discount === undefined ? undefined : money(amount_subtotal)],
    ['Discount', money(amount_discount)],
    ['Payment', payment && <PaymentFact key="payment" id={payment} />],
    ['Setup', setup && <IdLink key="setup" id={setup} />],
    ['Subscription', subscription && <SubscriptionLink key="subscription" id={subscription} />],
    ['Invoice', invoice && <InvoiceLink key="invoice" id={invoice} />],
    ['Card', save_payment_method && savingWords[save_payment_method]],
    ['Payment link', payment_link && <NamedLink key="link" id={payment_link} />],
    ['Order number', reference],
    ['Mode', wordsOf(session.mode)],
    momentFact('Created', session.created),
    momentFact('Completed', session.completed_at),
    momentFact('Reviewed', session.reviewed_at),
    momentFact(session.status === 'expired' ? 'Expired' : 'Expires', whenOver(session)),
    ['After the payment', session.success_url],
  ];
}

/** As on a letter: the country comes last. */
function addressWords({ country, ...lines }: Record<string, string>): string {
  return [...Object.values(lines), country].filter(Boolean).join(', ');
}

/** One that was ended before its time, or completed, is over since then: its timeline says when. */
const whenOver = ({ status, expired_reason = 'time', expires_at }: CheckoutSession) =>
  status === 'complete' || expired_reason !== 'time' ? undefined : expires_at;

function Aside({ session }: { session: CheckoutSession }) {
  const { customer, customer_details: details, payment_method, metadata = {} } = session;
  return (
    <>
      {customer !== undefined && <CustomerFacts id={customer} />}
      {customer === undefined && details !== undefined && (
        <FactSection
          title="Customer"
          facts={[
            ['Name', details.name],
            ['Email', details.email && <Email key="email" address={details.email} />],
            ['Phone', details.phone],
            ['Address', details.address && addressWords(details.address)],
          ]}
        />
      )}
      {payment_method !== undefined && <MethodFacts id={payment_method} />}
      <Metadata metadata={metadata} />
    </>
  );
}

function Actions({ session }: { session: CheckoutSession }) {
  const { id, status, metadata, customer_details, late, reviewed_at } = session;
  const actions: ActionEntry[] = [
    {
      title: 'Expire',
      calls: 'checkout_sessions.expire',
      asked: 'expire it',
      isPossible: status === 'open',
      dialog: expireSession(session),
    },
    {
      title: 'Mark as reviewed',
      calls: 'checkout_sessions.review',
      asked: 'mark it as reviewed',
      isPossible: late === true && reviewed_at === undefined,
      dialog: reviewSession(session),
    },
    {
      title: 'Erase contact details',
      calls: 'checkout_sessions.redact',
      isPossible: customer_details !== undefined && (status === 'complete' || status === 'expired'),
      isMore: true,
      dialog: redactSession(session),
    },
    {
      title: 'Edit metadata',
      calls: 'checkout_sessions.update',
      isMore: true,
      dialog: editMetadata({
        metadata,
        run: (api, params, options) => api.checkoutSessions.update(id, params, options),
      }),
    },
  ];
  return <ActionButtons actions={actions} />;
}

function expireSession({ id }: CheckoutSession): OpenDialog {
  return confirmation({
    title: 'Expire the session',
    confirm: 'Expire it',
    isDangerous: true,
    preview: [
      'The customer can no longer pay it. If a page of the processor turns out to be paid, the session is complete instead.',
      endpointsGet('checkout_session.expired'),
    ],
    run: (api, options) => api.checkoutSessions.expire(id, {}, options),
    done: (after) => (after.status === 'expired' ? 'Checkout session expired' : `Checkout session is ${after.status}`),
  });
}

function reviewSession({ id }: CheckoutSession): OpenDialog {
  return confirmation({
    title: 'Mark as reviewed',
    confirm: 'Mark as reviewed',
    preview: ['You have delivered what was paid for, or refunded the payment. The session no longer needs attention.'],
    run: (api, options) => api.checkoutSessions.review(id, {}, options),
    done: () => 'Checkout session reviewed',
  });
}

function redactSession({ id }: CheckoutSession): OpenDialog {
  return confirmation({
    title: 'Erase contact details',
    confirm: 'Erase them',
    isDangerous: true,
    preview: ['What the customer has typed is erased: name, email, phone and address. This cannot be undone.'],
    run: (api, options) => api.checkoutSessions.redact(id, {}, options),
    done: () => 'Contact details erased',
  });
}
