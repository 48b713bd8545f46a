import type { AccountForm, OpenAccount } from '../registration.ts';
import { type AccountBehaviour, accountBehaviours } from './behaves.ts';

export const places = ['local', 'remote'] as const;

/** How an account of the simulator is set up, so that routing can be tried. */
export type AccountSettings = { place: (typeof places)[number]; behaves: AccountBehaviour };

const choices = { place: places, behaves: accountBehaviours } as const;

export const accountFields: Pick<AccountForm, 'credentials' | 'settings' | 'modes' | 'objection'> = {
  modes: ['test'],
  credentials: [
    {
      name: 'webhook_secret',
      kind: 'text',
      isRequired: false,
      description: 'Signs the notices that are sent to the webhook_url. Without it they are refused.',
    },
  ],
  settings: [
    {
      name: 'place',
      choices: choices.place,
      kind: 'text',
      isRequired: false,
      description:
        'local: its books are committed together with the gateway. remote: as behind a network. By default as SIMULATOR says.',
    },
    {
      name: 'behaves',
      choices: choices.behaves,
      kind: 'text',
      isRequired: false,
      description:
        'normal, by default. unreachable: no connection is made. busy: declines, another processor may approve. silent: charges, and does not answer.',
    },
  ],
  objection({ settings }) {
    for (const [name, allowed] of Object.entries(choices)) {
      const value = settings[name];
      if (value !== undefined && !(allowed as readonly unknown[]).includes(value))
        return { param: `settings.${name}`, reason: `it must be one of ${allowed.join(', ')}` };
    }
    return undefined;
  },
};

/** The settings of an account, with defaults. */
export function settingsOf({ settings }: OpenAccount, place: AccountSettings['place']): AccountSettings {
  return { place, behaves: 'normal', ...(settings as Partial<AccountSettings>) };
}
