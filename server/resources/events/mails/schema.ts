import { Type } from '../../../base/schema.ts';
import { MaybeReference } from '../../../operations/references.ts';
import { Created, MaybeMoment, MaybeText, OneOf, Shown, Text } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { type Mail, mailStatuses, suppressedReasons } from './mail.ts';

const reasons = [
  'Why it was not sent.',
  '`test_mode`: in test mode, mails go to members of the account alone.',
  '`not_configured`: the operator has set up no mail server.',
  '`bounced_before`: the address was refused before. Change the email of the customer.',
  '`customer_deleted`: the customer was deleted, or its details were erased.',
].join(' ');

export const MailOutput = Shown('Mail', 'mail', 'A mail to a customer.', {
  kind: Text('What it is about, such as `receipt`: the name by which the account has switched it on.'),
  to: MaybeText('The address; absent once it was erased with the customer.'),
  status: OneOf(
    mailStatuses,
    [
      '`queued`: it waits for its first or its next attempt.',
      '`sent`: the mail server has taken it.',
      '`failed`: no attempt has succeeded, or the mail server has refused what it says.',
      '`bounced`: the mail server has refused the address.',
      '`suppressed`: it was not sent.',
    ].join(' '),
  ),
  subject: Text('The subject, in the language of the customer.'),
  created: Created,
  customer: MaybeReference('customers', 'The id of the customer that it was written to.'),
  invoice: MaybeReference('invoices', 'The id of the invoice that it is about.'),
  payment: MaybeReference('payments', 'The id of the payment that it is about.'),
  sent_at: MaybeMoment('When the mail server has taken it.'),
  failure: MaybeText('Why the latest attempt has failed.'),
  suppressed_reason: Type.Optional(OneOf(suppressedReasons, reasons)),
});

export const serializeMail = serializer<Mail, typeof MailOutput>(MailOutput, { to: 'address', created: timeInId });
