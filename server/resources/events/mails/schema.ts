import { Type } from '../../../base/schema.ts';
import { MaybeReference } from '../../../operations/references.ts';
import { Created, MaybeMoment, MaybeText, ObjectKind, OneOf, Shown, Text } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { type Mail, mailStatuses, suppressedReasons } from './mail.ts';

const reasons = [
  'Why it was not sent.',
  '`test_mode`: in test mode, mails go to members of the account alone.',
  '`not_configured`: the operator has set up no mail server.',
  '`bounced_before`: the address was refused before. Change the email of the customer.',
  '`customer_deleted`: the customer was deleted, or its details were erased.',
].join(' ');

const kind = Text('What it is about, such as `receipt`: the name by which the account has switched it on.');
const to = MaybeText('The address; absent once it was erased with the customer.');
const subject = Text('The subject, in the language of the customer.');

/** What became of a mail. */
const outcome = {
  status: OneOf(
    mailStatuses,
    [
      '`queued`: it waits for its first or its next attempt.',
      '`sent`: the mail server has taken it; in development without one, it can be read in the dashboard.',
      '`failed`: no attempt has succeeded, or the mail server has refused what it says.',
      '`bounced`: the mail server has refused the address.',
      '`suppressed`: it was not sent.',
    ].join(' '),
  ),
  failure: MaybeText('Why the latest attempt has failed.'),
  suppressed_reason: Type.Optional(OneOf(suppressedReasons, reasons)),
};

export const MailOutput = Shown('Mail', 'mail', 'A mail to a customer.', {
  kind,
  to,
  status: outcome.status,
  subject,
  created: Created,
  customer: MaybeReference('customers', 'The id of the customer that it was written to.'),
  invoice: MaybeReference('invoices', 'The id of the invoice that it is about.'),
  payment: MaybeReference('payments', 'The id of the payment that it is about.'),
  sent_at: MaybeMoment('When the mail server has taken it.'),
  failure: outcome.failure,
  suppressed_reason: outcome.suppressed_reason,
});

export const serializeMail = serializer<Mail, typeof MailOutput>(MailOutput, { to: 'address', created: timeInId });

/** A mail in the timeline of what it is about. */
export const TimelineMail = Type.Object(
  { id: Text('The id of the mail.'), kind, to, subject, ...outcome },
  { title: 'TimelineMail', description: 'A mail to the customer, and what became of it.' },
);

export type MailAbout = Pick<
  Mail,
  'id' | 'kind' | 'cause' | 'address' | 'subject' | 'status' | 'failure' | 'suppressed_reason'
>;

export const serializeTimelineMail = serializer<MailAbout, typeof TimelineMail>(TimelineMail, { to: 'address' });

export const KindParameter = (kinds: readonly string[]) =>
  Type.String({ enum: [...kinds], description: 'The kind of mail.' });

export const MailContentOutput = Type.Object(
  {
    object: ObjectKind('mail_content'),
    mail: MaybeText('The id of the mail; absent of a sample.'),
    sender: MaybeText('Who writes, as in the header of the mail; absent where no mail server is set up.'),
    to: MaybeText('The address that it was written to; absent of a sample.'),
    reply_to: MaybeText('Where replies go: the support email of the account, if there is one.'),
    subject,
    text: Text('The part in plain text.'),
    html: Text('The part in HTML, with its pictures within. Show it in a sandbox alone.'),
    url: Text('A page that shows the HTML, for an hour, to everybody who has the address.'),
  },
  { title: 'MailContent', description: 'What a mail says, in both parts.' },
);

const deliveries = [
  'How mails are sent.',
  '`smtp`: by the mail server of the operator.',
  '`preview`: not at all, because this is a gateway for development without `SMTP_URL`. Mails count as sent, and can be read in the dashboard.',
  '`none`: not at all, because `SMTP_URL` is not set. Mails are `suppressed`.',
].join(' ');

export const MailSetupOutput = Type.Object(
  {
    object: ObjectKind('mail_setup'),
    delivery: OneOf(['smtp', 'preview', 'none'], deliveries),
    sender: MaybeText('The address that mails come from; absent with `none`.'),
  },
  { title: 'MailSetup', description: 'How this gateway sends mails.' },
);
