import type { Declared } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { closePage, type ReturnKind, type Words } from '../returns/page.ts';
import type { SetupJobs } from './jobs.ts';
import type { SetupStatus } from './setup.ts';
import { setupsTable } from './store.ts';

const open = {
  title: 'Your card is not confirmed yet',
  words: `The shop is notified as soon as it is. You were not charged. ${closePage}`,
};
const texts: Record<SetupStatus, Words> = {
  succeeded: { title: 'Your card was confirmed', words: `You were not charged. ${closePage}` },
  failed: { title: 'Your card could not be confirmed', words: `You were not charged. ${closePage}` },
  canceled: { title: 'Confirming your card was canceled', words: `You were not charged. ${closePage}` },
  processing: open,
  requires_action: open,
};

/** How cardholders come back from the authentication of a setup. */
export const returnsFromSetups =
  (jobsOf: (services: Services, declared: Declared) => SetupJobs) =>
  (services: Services, declared: Declared): ReturnKind => ({
    prefix: 'set',
    name: 'setup',
    async find(reads, tenant, id) {
      const setup = await reads.one(setupsTable, tenant, id);
      return setup && { ...setup, attempt: setup.open_attempt ?? setup.setup_attempt };
    },
    handlers: jobsOf(services, declared),
    texts,
  });
