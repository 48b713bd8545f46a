import { oneSentence } from '../base/one_line.ts';
import { htmlOf } from './html.ts';
import type { MailFrame, MailMessage } from './message.ts';
import { textOf } from './text.ts';

export type RenderedMail = { subject: string; text: string; html: string };

/** The subject in one line, and both parts. An address that is neither http nor https is a mistake of the caller, and throws. */
export function renderMessage(message: MailMessage, frame: MailFrame): RenderedMail {
  return { subject: oneSentence(message.subject), text: textOf(message, frame), html: htmlOf(message, frame) };
}
