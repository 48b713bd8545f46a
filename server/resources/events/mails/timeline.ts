import { mayRead } from '../../../operations/caller.ts';
import type { TimelineSource } from '../../../operations/extension_points/timeline.ts';
import { findGroupsOf } from '../../../outbox/event.ts';
import type { Mail } from './mail.ts';
import { serializeTimelineMail, TimelineMail } from './schema.ts';
import { findMailsAbout } from './store.ts';

type Told = Pick<Mail, 'kind' | 'status'>;

const summaryOf = ({ kind, status }: Told) => `mail ${kind}: ${status}`;

/** The mails about an object and those that belong to it. They have an address, so a key needs the scope for mails too. */
export const mailsInTimelines: TimelineSource = {
  type: 'mail',
  prefix: 'mail',
  rank: 6,
  scope: 'mails:read',
  schema: TimelineMail,
  async find({ reads, tenant, caller }, wanted) {
    if (!mayRead(caller, 'mails:read')) return [];
    const rows = await findMailsAbout(reads, tenant, wanted);
    const groups = await findGroupsOf(
      reads,
      tenant,
      rows.map(({ cause }) => cause),
    );
    return rows.map((row) => ({
      id: row.id,
      summary: summaryOf(row),
      details: serializeTimelineMail(row),
      group: groups.get(row.cause),
    }));
  },
};
