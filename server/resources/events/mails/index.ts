import type { Table } from '../../../base/commit/index.ts';
import { copies } from '../../../operations/extension_points/erasure.ts';
import { mailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import type { MaintenanceTask } from '../../../operations/job.ts';
import { purgeOlderThan } from '../../../operations/purge.ts';
import { resource } from '../../../operations/resource.ts';
import { contactOf, storedRow } from './contacts.ts';
import { shownHtml } from './content.ts';
import { mailErrors } from './errors.ts';
import { mailGauges } from './gauges.ts';
import { sendMails } from './jobs.ts';
import { mailOperations } from './operations.ts';
import { personMailReader, personMailsTable, personMailWriter, sendPersonMails } from './person_mails.ts';
import { MailPlaces } from './places.ts';
import { mailPage } from './shown_page.ts';
import { eraseContacts, mailsTable } from './store.ts';
import { mailSweep } from './sweep.ts';
import { mailsInTimelines } from './timeline.ts';
import { MailWriter } from './write.ts';

const purgeOf =
  (table: Pick<Table, 'name'>): MaintenanceTask['run'] =>
  (sql, { eventDays }, tenants) =>
    purgeOlderThan(sql, eventDays, { table, id: 'id', prefix: 'mail' }, tenants);

export const mails = resource({
  name: 'mails',
  about: 'What your customers were written by mail, and what became of it.',
  place: { group: 'Developers', position: 15 },
  scopes: ['mails'],
  provides(foundation, { mailKinds, extensionsOf }) {
    const writer = new MailWriter(foundation, mailKinds, extensionsOf(mailContacts));
    const services = { mailToPerson: personMailWriter(foundation), personMailsOf: personMailReader(foundation) };
    return { services, beforeCommit: (unit) => writer.extend(unit) };
  },
  operations: (declared) => mailOperations(declared, declared.extensionsOf(mailContacts)),
  errors: mailErrors,
  pages: (services, declared) => [mailPage({ ...services, htmlOf: shownHtml(services, declared) })],
  loops: (services, { mailKinds, extensionsOf }) => [mailSweep(services, mailKinds, extensionsOf(mailContacts))],
  jobs(services, { extensionsOf }) {
    const places = new MailPlaces(services);
    return [sendPersonMails(services, places), sendMails(services, extensionsOf(mailContacts), places)];
  },
  gauges: mailGauges,
  maintenance: [
    { name: 'old mails', home: 'tenant', isLong: true, run: purgeOf(mailsTable) },
    { name: 'old mails to people', home: 'both', isLong: true, run: purgeOf(personMailsTable) },
  ],
  extensions: [
    timelineSources.with(mailsInTimelines),
    copies.with({
      forget: ({ durable }, tenant, contacts) => eraseContacts(durable, tenant, contacts),
      async renew({ durable, reads }, { extensionsOf }, tenant, ids) {
        const kinds = extensionsOf(mailContacts);
        const found = await Promise.all(ids.map((id) => contactOf(kinds, id, storedRow(reads, tenant))));
        await eraseContacts(
          durable,
          tenant,
          ids.filter((_, at) => found[at]!.isGone),
        );
      },
      async compare() {}, // who is gone is found out before each mail
    }),
  ],
});
