import type { Connector } from './contract.ts';
import { connector, type OpenAccount } from './registration.ts';

/** What the dock answers to `verify`, by its API key. A key that is not here works, and is of the account `dock_1`. */
export const dockAnswers = new Map<string, () => ReturnType<NonNullable<Connector['verify']>>>();

/** Every account that was opened, as the connector got it. */
export const openedDocks: OpenAccount[] = [];

/** A processor that has accounts in both modes. Each charge is approved. */
export const dock = connector({
  name: 'dock',
  settings: () => undefined,
  create: () => ({
    accounts: {
      credentials: [
        { name: 'api_key', kind: 'text', isRequired: true, description: 'Begins with test_ or live_' },
        { name: 'webhook_secret', kind: 'text', isRequired: false, description: 'Signs notices' },
      ],
      settings: [
        { name: 'host', kind: 'text', isRequired: false, description: 'Where it is', directsCredentials: true },
        { name: 'raw_cards', kind: 'flag', isRequired: false, description: 'Whether it takes card numbers' },
      ],
      modes: ['test', 'live'],
      objection({ mode, credentials }) {
        if (credentials.api_key?.open().startsWith(mode)) return undefined;
        return { param: 'credentials.api_key', reason: `in ${mode} mode it begins with ${mode}_` };
      },
      open: openDock,
    },
  }),
});

function openDock(account: OpenAccount): Connector {
  openedDocks.push(account);
  const key = account.credentials.api_key!.open();
  return {
    name: 'dock',
    account: account.id,
    place: 'remote',
    visibleAfterMs: 0,
    describe: () => ({
      currencies: ['eur'],
      partialCapture: true,
      authorizationDays: 5,
      challenge: false,
      tokens: true,
      rawCards: account.settings.raw_cards === true,
      setup: false,
    }),
    authorize: async ({ attempt }) => ({ attempt, outcome: { kind: 'approved' }, exchange: {} }),
    find: async ({ attempt }) => ({ attempt, outcome: { kind: 'not_found' }, exchange: {} }),
    verify: dockAnswers.get(key) ?? (async () => ({ ok: true, message: 'It works.', identity: 'dock_1' })),
  };
}
