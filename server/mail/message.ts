import type { Direction } from '../base/one_line.ts';

/**
 * What a mail says, as texts that are ready to be read: this folder knows neither nouns, amounts nor languages. Every text is plain. Values
 * within a sentence are isolated where they are filled in (`base/one_line.ts`); what stands alone, such as a cell, is isolated here.
 */
export type MailMessage = {
  subject: string;
  /** What lists of mails show after the subject. */
  preheader?: string;
  blocks: readonly MailBlock[];
};

export type MailBlock =
  /** The one figure that the mail is about. */
  | { kind: 'amount'; amount: string }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** What amounts are made of. `label`: what the table is, for screen readers. */
  | { kind: 'amounts'; label: string; lines: readonly AmountLine[]; sums: readonly AmountSum[] }
  | { kind: 'details'; rows: readonly { label: string; value: string }[] }
  | { kind: 'button'; text: string; url: string }
  /** Smaller than a paragraph. */
  | { kind: 'note'; text: string };

export type AmountLine = { name: string; note?: string; amount: string };
export type AmountSum = { label: string; amount: string; isStrong?: boolean };

/** What all mails of a sender have, whatever they say. */
export type MailFrame = {
  /** BCP 47. */
  language: string;
  direction: Direction;
  /** Who writes. */
  sender: string;
  /** `cid:…` of an inline attachment, or `data:…`: see the README. Sizes are in pixels, of the picture itself. */
  logo?: { src: string; width: number; height: number };
  /** Behind the button and of the text on it, as `#rrggbb`. Absent: those of the pages. */
  colors?: { background: string; text: string };
  /** Above everything, where it is about no real money. */
  notice?: string;
  links: readonly { text: string; url: string }[];
  supportEmail?: string;
  /** Lines with `\n` between. */
  supportAddress?: string;
};
