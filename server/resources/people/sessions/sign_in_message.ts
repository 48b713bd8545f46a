import { shortened } from '../../../base/one_line.ts';
import { forPeople, momentIn } from '../../../locales/formats.ts';
import type { MailMessage } from '../../../mail/message.ts';

export type NewSignInMail = {
  /** Epoch seconds. */
  at: number;
  address: string;
  /** The User-Agent, as the browser sent it. */
  browser: string | null;
  /** Where sessions are ended and the password is changed. */
  url: string;
};

/** A User-Agent can be as long as headers may be, and can say anything. */
const browserMax = 160;

export function newSignInMessage({ at, address, browser, url }: NewSignInMail): MailMessage {
  const moment = momentIn(forPeople, at * 1_000);
  return {
    subject: 'New sign-in to your user',
    preheader: `${moment}, from a network that you have not used before.`,
    blocks: [
      { kind: 'heading', text: 'Somebody signed in from a new network' },
      { kind: 'paragraph', text: 'If it was you, there is nothing to do.' },
      {
        kind: 'details',
        rows: [
          { label: 'When', value: moment },
          { label: 'Address', value: address },
          ...(browser === null ? [] : [{ label: 'Browser', value: shortened(browser, browserMax) }]),
        ],
      },
      { kind: 'button', text: 'See your sessions', url },
      { kind: 'note', text: 'If it was not you, end the session there and change your password.' },
    ],
  };
}

export const newSignInSample: NewSignInMail = {
  at: 1_794_304_800,
  address: '203.0.113.7',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  url: 'https://pay.example.com/dashboard',
};
