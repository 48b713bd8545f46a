import type { Mail } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { Email } from '../../kit/email.tsx';
import { isolated } from '../../kit/isolated.ts';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { Status, statusInWords, toneOf } from '../../kit/status.tsx';
import { CustomerFacts } from '../../nouns/fact_sections.tsx';
import { MailFrame } from '../../nouns/mail_frame.tsx';
import { usePollingOf } from '../../nouns/mail_parts.tsx';
import { kindName, mailTitle, outcomeOf } from '../../nouns/mail_words.ts';
import { InvoiceLink, PaymentLink } from '../../nouns/names.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['mails', id], (api, options) => api.mails.retrieve(id, options));
  const { data, refetch } = reading;
  usePollingOf(data && [data], refetch);
  return (
    <DetailPage<Mail>
      reading={reading}
      list={{ path: '/mails', title: 'Mails' }}
      id={id}
      headline={({ kind }) => kindName(kind)}
      status={({ status }) => <Status status={status} />}
      story={(mail) => `${mailTitle({ ...mail, to: mail.to && isolated(mail.to) })}.`}
      actions={(mail) => <Actions mail={mail} />}
      notice={(mail) => <Outcome mail={mail} />}
      facts={factsOf}
      aside={({ customer }) => customer !== undefined && <CustomerFacts id={customer} />}
    >
      {(mail) => <Said mail={mail} />}
    </DetailPage>
  );
}

const outcomeTitles: Readonly<Record<Mail['status'], string>> = {
  queued: 'Not sent yet',
  sent: 'Sent',
  failed: 'Not sent',
  bounced: 'The address was refused',
  suppressed: 'Suppressed',
};

function Outcome({ mail }: { mail: Mail }) {
  const words = outcomeOf(mail);
  if (words === undefined) return null;
  return (
    <Notice title={outcomeTitles[mail.status]} tone={toneOf(mail.status)}>
      {words}
    </Notice>
  );
}

function factsOf({ to, subject, invoice, payment, created, sent_at }: Mail): Fact[] {
  return [
    ['To', to ? <Email key="to" address={to} /> : 'Erased'],
    [
      'Subject',
      <span key="subject" dir="auto">
        {subject}
      </span>,
    ],
    ['Invoice', invoice && <InvoiceLink key="invoice" id={invoice} />],
    ['Payment', payment && <PaymentLink key="payment" id={payment} />],
    momentFact('Created', created),
    momentFact('Sent', sent_at),
  ];
}

function Said({ mail: { id } }: { mail: Mail }) {
  const reading = useRead(['mails', id, 'content'], (api, options) => api.mails.content(id, options));
  return <MailFrame title="What it says" reading={reading} />;
}

function Actions({ mail }: { mail: Mail }) {
  return (
    <ActionButtons
      actions={[
        {
          title: 'Send again',
          calls: 'mails.resend',
          asked: 'send it again',
          isPossible: mail.to !== undefined,
          dialog: sendAgain(mail),
        },
      ]}
    />
  );
}

function sendAgain({ id, kind }: Mail): OpenDialog {
  return confirmation({
    title: 'Send the mail again',
    confirm: 'Send it again',
    preview: [
      `A new mail says the same as this one: ${kindName(kind).toLowerCase()}.`,
      'It goes to the email that the customer has now.',
    ],
    run: (api, options) => api.mails.resend(id, {}, options),
    done: ({ status }) => `New mail: ${statusInWords(status)}`,
    leadsTo: (mail) => `/mails/${mail.id}`,
  });
}
