import { isolatedName } from '../../../base/one_line.ts';
import type { Mode } from '../../../base/reads.ts';
import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';
import type { KeyKind } from './api_key.ts';

export type KeyCreatedMail = {
  account: string;
  mode: Mode;
  kind: KeyKind;
  name: string | null;
  /** The last characters of the key. Nothing else of it is ever in a mail. */
  hint: string;
  /** The last characters of the key that it replaces; null: it replaces none. */
  replaced_hint: string | null;
  /** The email of who made it; null: the operator of the gateway. */
  created_by: string | null;
  /** Epoch seconds. */
  at: number;
  /** Where keys are revoked. */
  url: string;
};

export function keyCreatedMessage(key: KeyCreatedMail): MailMessage {
  const { account, mode, kind, name, hint, replaced_hint, created_by, at, url } = key;
  return {
    subject: `New API key of ${isolatedName(account, 'ltr')}`,
    preheader: `A ${kind} key for ${mode} mode, which ends in ${hint}.`,
    blocks: [
      { kind: 'heading', text: replaced_hint === null ? 'An API key was created' : 'An API key was replaced' },
      {
        kind: 'details',
        rows: [
          { label: 'Account', value: account },
          { label: 'Mode', value: mode },
          { label: 'Kind', value: kind },
          ...(name === null ? [] : [{ label: 'Name', value: name }]),
          { label: 'Ends in', value: hint },
          ...(replaced_hint === null ? [] : [{ label: 'Replaces the one that ends in', value: replaced_hint }]),
          { label: 'Created by', value: created_by ?? 'the operator of the gateway' },
          { label: 'When', value: momentIn(forPeople, at * 1_000) },
        ],
      },
      { kind: 'button', text: 'See API keys', url },
      { kind: 'note', text: 'If you do not know of it, revoke it there.' },
    ],
  };
}

export const keyCreatedSample: KeyCreatedMail = {
  account: 'Nordlicht Coffee',
  mode: 'live',
  kind: 'restricted',
  name: 'Shop, payments only',
  hint: 'Qp7x',
  replaced_hint: null,
  created_by: 'ada@nordlicht.example',
  at: 1_794_304_800,
  url: 'https://pay.example.com/dashboard',
};
