import { type Descriptor, requireRow } from '../../../operations/descriptor.ts';
import type { Mail } from './mail.ts';
import { MailOutput, serializeMail } from './schema.ts';
import { mailsTable } from './store.ts';

export const mailDescriptor: Descriptor<Mail> = {
  resource: 'mails',
  noun: 'mail',
  prefix: 'mail',
  table: mailsTable,
  serialize: serializeMail,
  output: MailOutput,
  notes: { list: 'Mails are kept for as long as events.' },
};

export const requireMail = requireRow(mailDescriptor);
