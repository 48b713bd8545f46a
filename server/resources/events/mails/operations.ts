import { newId } from '../../../base/id.ts';
import { listOperation, retrieveOperation } from '../../../operations/descriptor.ts';
import type { MailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { OptionalChoices, OptionalId } from '../../../operations/schemas.ts';
import { contactOf, storedRow } from './contacts.ts';
import { contentOperations } from './content.ts';
import { mailDescriptor, requireMail } from './descriptor.ts';
import { mailStatuses, suppressed } from './mail.ts';
import { MailOutput, serializeMail } from './schema.ts';
import { addMail } from './store.ts';
import { newMail } from './write.ts';

export function mailOperations(
  kinds: Pick<Declared, 'mailKinds' | 'personMailKinds'>,
  contacts: readonly MailContacts[],
): readonly AnyOperation[] {
  const names = kinds.mailKinds.map(({ kind }) => kind);
  const list = listOperation(
    mailDescriptor,
    {
      customer: OptionalId('Only those to this customer.'),
      invoice: OptionalId('Only those about this invoice.'),
      payment: OptionalId('Only those about this payment.'),
      kind: OptionalChoices(names, 'Only those of this kind, or of these kinds.'),
      status: OptionalChoices(mailStatuses, 'Only those with this status, or with one of these.'),
    },
    { narrow: ['customer', 'invoice', 'payment'], merged: { column: 'status', values: mailStatuses } },
  );
  return [list, retrieveOperation(mailDescriptor), resendOperation(contacts), ...contentOperations(kinds)];
}

function resendOperation(contacts: readonly MailContacts[]): AnyOperation {
  return operation({
    name: 'mails.resend',
    summary: 'Send a mail again',
    description:
      'Makes a new mail that says the same, to the address that the customer has now. If that one must not be sent, it is `suppressed`.',
    route: 'POST /mails/:id/resend',
    right: 'handle',
    output: MailOutput,
    async run(context) {
      const before = await requireMail(context);
      const { reads, tenant, now, mail: sender } = context;
      const contact = await contactOf(contacts, before.contact, storedRow(reads, tenant));
      const address = contact.isGone ? null : (contact.known?.email ?? before.address);
      const id = newId('mail', now);
      const again = newMail({ ...before, id, cause: id, address }, { now, isSetUp: sender.isSetUp });
      // Nobody is left to write to: that is said at once, and not by the job.
      const isLost = again.message === null || again.address === null;
      const mail = isLost ? { ...suppressed(again, 'customer_deleted'), version: 1 } : again;
      return { result: serializeMail(mail), objectId: id, writes: [addMail(mail)], due: now };
    },
  });
}
