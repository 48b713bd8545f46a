import type { RenderedMail } from './render.ts';

/** A mail as it is handed to the server. */
export type OutgoingMail = RenderedMail & {
  /** By which the same mail that arrives twice can be recognized. */
  messageId: string;
  from: { name: string; address: string };
  to: string;
  replyTo?: string;
  date: Date;
  subject: string;
  /** BCP 47. */
  language: string;
  attachments: readonly InlineAttachment[];
};

/** A picture that the HTML shows by `cid:<contentId>`. */
export type InlineAttachment = { contentId: string; name: string; type: string; bytes: Buffer };

/** Under what conditions a mail may be sent. */
export type SendingTerms = {
  /** Aborted when this process stops. Nothing is handed over then any more, and what was handed over is waited for a little. */
  stopping?: AbortSignal | undefined;
  /** Asked at the last moment at which a mail can be held back: whether nobody else sends it by now. */
  isOurs?: (() => Promise<boolean>) | undefined;
};

/** What became of an attempt to send a mail. `reason` is a sentence for people. */
export type MailOutcome =
  | { kind: 'sent' }
  /** The server refuses the address: nothing more should go there. */
  | { kind: 'bounced'; reason: string }
  /** It will never be sent. */
  | { kind: 'refused'; reason: string }
  /** Another attempt may succeed. It may also be a second mail, if the connection broke before the server had answered. */
  | { kind: 'unsent'; reason: string };
