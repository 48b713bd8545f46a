import type { Invoice } from '@tollgate/node';
import { DetailPage, type Fact, momentFact, Section } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { InvoiceStatus, reasonWords } from '../../nouns/invoice_columns.tsx';
import { InvoiceLines, PeriodOf } from '../../nouns/invoice_lines.tsx';
import { CustomerLink } from '../../nouns/names.tsx';
import { ObjectTimeline } from '../../nouns/object_timeline.tsx';
import { InvoiceActions } from './actions.tsx';
import { Collection } from './collection.tsx';
import { PaymentsOf } from './payments.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['invoices', id], (api, options) => api.invoices.retrieve(id, options));
  return (
    <DetailPage<Invoice>
      reading={reading}
      list={{ path: '/invoices', title: 'Invoices' }}
      id={id}
      headline={({ number, total, currency }) => `${number ?? 'Draft'} · ${formatMoney(total, currency)}`}
      status={(invoice) => <InvoiceStatus invoice={invoice} />}
      actions={(invoice) => <InvoiceActions invoice={invoice} />}
      facts={factsOf}
    >
      {(invoice) => (
        <>
          <Collection invoice={invoice} />
          <Section title="Lines" isFlush>
            <InvoiceLines invoice={invoice} />
          </Section>
          <PaymentsOf invoice={invoice} />
          <Metadata metadata={invoice.metadata ?? {}} />
          <ObjectTimeline id={id} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf(invoice: Invoice): Fact[] {
  const { customer, subscription, currency, status, amount_remaining, billing_reason, period_start, period_end } =
    invoice;
  return [
    ['Customer', <CustomerLink key="customer" id={customer} />],
    ['To be paid', ['open', 'uncollectible'].includes(status) ? formatMoney(amount_remaining, currency) : undefined],
    ['Reason', reasonWords[billing_reason]],
    ['Subscription', subscription && <IdLink key="subscription" id={subscription} />],
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
