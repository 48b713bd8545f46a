import type { Customer, PortalSession } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { isolated } from '../../kit/isolated.ts';
import { Moment } from '../../kit/moment.tsx';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { customerName } from '../../nouns/names.tsx';

/** Nothing is sent: support passes the link on where they speak with the customer. */
export function makePortalLink(customer: Customer, onMade: (made: PortalSession) => void): OpenDialog {
  const name = isolated(customerName(customer));
  return confirmation({
    title: 'Copy portal link',
    confirm: 'Make the link',
    preview: [
      `A link is made and shown once, for you to copy. It signs in to the portal as ${name}.`,
      'It works once, within 5 minutes.',
      'The audit log says that you have made it.',
    ],
    run: (api, options) => api.portalSessions.create({ customer: customer.id }, options),
    done: () => `Portal link for ${name} made`,
    onDone: onMade,
  });
}

export function PortalLink({ customer, made, onClose }: { customer: Customer; made: PortalSession; onClose(): void }) {
  return (
    <ShownOnce title="Portal link" name="link" lines={[made.url]} onClose={onClose}>
      <p>
        Send it to {isolated(customerName(customer))} and nobody else: it signs in as this customer. It works once,
        until <Moment seconds={made.expires_at} precision="second" />. If you open it yourself, it is used up.
      </p>
    </ShownOnce>
  );
}
