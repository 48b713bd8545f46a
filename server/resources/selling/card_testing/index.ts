import {
  type Attention,
  type AttentionSource,
  needsAttention,
} from '../../../operations/extension_points/needs_attention.ts';
import { resource } from '../../../operations/resource.ts';
import { CardTesting } from './card_testing.ts';
import { findAlarms, purgeTries, type ShownAlarm } from './store.ts';

export type { TryVerdict, WantedTry } from './card_testing.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Limits against the testing of stolen cards at the checkout. */
    cardTesting: CardTesting;
  }
}

const alarms: AttentionSource = {
  kind: 'card_testing',
  about: 'most tries to pay at the checkout are declined, as when stolen cards are tested',
  scope: 'payments:read',
  right: 'settings',
  operations: ['account.update'],
  objects: ['account'],
  find: async (reads, tenant, limit) => (await findAlarms(reads, tenant, limit)).map(attentionOf),
};

function attentionOf({ account, since, until, tries, declined }: ShownAlarm): Attention {
  return {
    id: account,
    object: 'account',
    since: secondsOf(since),
    reason: `Of ${tries} tries to pay in ten minutes, ${declined} were declined: somebody may be testing stolen cards.`,
    action: `Look at the declined payments, and lower the limits of card_testing. Every card is to be authenticated until ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    operation: 'account.update',
  };
}

const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1_000);

/** It has no operations: the limits are a setting of the account, and the checkout asks this service. */
export const cardTesting = resource({
  name: 'card_testing',
  provides: ({ relaxed, reads, clock, keyring, cardTestingLimitsOf: limitsOf }) => ({
    services: { cardTesting: new CardTesting({ relaxed, reads, clock, keyring, limitsOf }) },
  }),
  maintenance: [{ name: 'old tries of the checkout', home: 'tenant', run: purgeTries }],
  extensions: [needsAttention.with(alarms)],
});
