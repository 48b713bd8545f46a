import { Stack } from '@mantine/core';
import type { Account, Invoice } from '@tollgate/node';
import { DetailPage, type Fact, momentFact, Section, StorySkeleton } from '../../kit/detail_page.tsx';
import { isolated } from '../../kit/isolated.ts';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { PdfButton } from '../../kit/pdf_button.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { CustomerFacts } from '../../nouns/fact_sections.tsx';
import { InvoiceStatus, reasonWords } from '../../nouns/invoice_columns.tsx';
import { InvoiceLines, PeriodOf } from '../../nouns/invoice_lines.tsx';
import { MailsOf } from '../../nouns/mail_parts.tsx';
import { customerName, SubscriptionLink, useCustomer } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { paymentColumns } from '../../nouns/payment_columns.tsx';
import { listPayments } from '../../nouns/payment_list.ts';
import { InvoiceActions } from './actions.tsx';
import { storyOfInvoice } from './story.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['invoices', id], (api, options) => api.invoices.retrieve(id, options));
  return (
    <DetailPage<Invoice>
      reading={reading}
      list={{ path: '/invoices', title: 'Invoices' }}
      id={id}
      headline={({ number, total, currency }) => `${number ?? 'Draft'} · ${formatMoney(total, currency)}`}
      status={(invoice) => <InvoiceStatus invoice={invoice} />}
      story={(invoice) => <Story invoice={invoice} />}
      actions={(invoice) => (
        <>
          {invoice.number !== undefined && (
            <PdfButton
              title="PDF"
              calls="invoices.pdf"
              name={`${invoice.number}.pdf`}
              read={(api) => api.invoices.pdf(id)}
            />
          )}
          <InvoiceActions invoice={invoice} />
        </>
      )}
      facts={factsOf}
      aside={({ customer, metadata = {} }) => (
        <>
          <CustomerFacts id={customer} />
          <Metadata metadata={metadata} />
        </>
      )}
    >
      {(invoice) => (
        <>
          <Collection invoice={invoice} />
          <Section title="Lines" isFlush>
            <InvoiceLines invoice={invoice} />
          </Section>
          <PaymentsOf invoice={invoice} />
          <MailsOf of={{ invoice: id }} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

/** Who owes or has paid what, and for what. */
function Story({ invoice }: { invoice: Invoice }) {
  const { data: customer, isLoading } = useCustomer(invoice.customer);
  if (isLoading) return <StorySkeleton />;
  return storyOfInvoice(invoice, customer === undefined ? 'The customer' : isolated(customerName(customer)));
}

function factsOf(invoice: Invoice): Fact[] {
  const { subscription, currency, status, amount_remaining, billing_reason, period_start, period_end } = invoice;
  return [
    ['Amount due', ['open', 'uncollectible'].includes(status) ? formatMoney(amount_remaining, currency) : undefined],
    ['Reason', reasonWords[billing_reason]],
    ['Subscription', subscription && <SubscriptionLink key="subscription" id={subscription} />],
    [
      'Period',
      period_start === period_end ? undefined : (
        <PeriodOf key="period" period={{ start: period_start, end: period_end }} />
      ),
    ],
    momentFact('Created', invoice.created),
    momentFact('Paid', invoice.paid_at),
    momentFact('Voided', invoice.voided_at),
  ];
}

const newest = 10;

/** The payments that were made for an invoice. */
function PaymentsOf({ invoice: { id, payment, attempt_count } }: { invoice: Invoice }) {
  const reading = useRead(
    ['invoices', id, 'payments', payment, attempt_count],
    (api, options) => listPayments(api, { invoice: id, limit: newest }, options),
    { isEnabled: attempt_count > 0 },
  );
  if (attempt_count === 0) return null;
  return (
    <RelatedList
      title="Payments"
      reading={reading}
      columns={paymentColumns.filter(({ id: column }) => !['customer', 'description'].includes(column))}
      all={{ path: '/payments', search: { invoice: id } }}
      empty="No payments. There was nothing to charge."
    />
  );
}

/** Where collecting stands, while the invoice is not paid: what has failed, and what comes next. */
function Collection({ invoice }: { invoice: Invoice }) {
  const { status, attempt_count, last_failure, next_payment_attempt, subscription } = invoice;
  const isOwed = status === 'open' || status === 'uncollectible';
  const { data: account } = useRead(['account'], (api, options) => api.account.retrieve(options), {
    isEnabled: isOwed && subscription !== undefined,
  });
  if (!isOwed || (attempt_count === 0 && last_failure === undefined)) return null;
  return (
    <Section title="Collection">
      <Stack component="ul" gap={4} pl="1.1rem" style={{ listStyle: 'disc' }}>
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
      </Stack>
    </Section>
  );
}

function Next({ at, isOfSubscription }: { at: number | undefined; isOfSubscription: boolean }) {
  if (at !== undefined)
    return (
      <>
        Next attempt on <Moment seconds={at} />, or as soon as the payment method changes.
      </>
    );
  return isOfSubscription
    ? 'No automatic retry: pay it with another payment method, or change the payment method of the subscription.'
    : 'No automatic retry: pay it with another payment method.';
}

function planWords({ dunning_days, dunning_end }: Account): string {
  return `This account retries ${dunning_days.join(', ')} days after the first failure. If it is still unpaid then, ${endWords(dunning_end)}.`;
}

/** What becomes of a subscription after the last try. */
function endWords(end: Account['dunning_end']): string {
  return {
    canceled: 'the subscription is canceled, and its open invoices become uncollectible',
    unpaid: 'the subscription becomes unpaid and is no longer billed',
    past_due: 'the subscription stays past due and is still billed',
  }[end];
}
