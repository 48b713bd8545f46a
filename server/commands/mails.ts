import { systemClock } from '../base/clock.ts';
import { catalog } from '../catalog.ts';
import { readConfig } from '../config.ts';
import { type LocaleTag, localeOf } from '../locales/index.ts';
import type { MailMessage } from '../mail/message.ts';
import { type RenderedMail, renderMessage } from '../mail/render.ts';
import { mailSender } from '../mail/sender.ts';
import { mailFrameOf, peopleFrame } from '../resources/people/branding/mail_frame.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

const sampleMerchant = 'Your shop';

/** Prints a mail as it could look. It needs no server and no database. */
export async function preview(
  kind: string,
  { locale: tag, html, json }: { locale: LocaleTag; html?: boolean; json?: boolean },
): Promise<void> {
  const rendered = sampleOf(kind, tag);
  if (rendered === undefined) {
    const { mailKinds, personMailKinds } = catalog;
    const kinds = [...mailKinds, ...personMailKinds].map((one) => one.kind);
    throw new UsageError(`There is no kind of mail "${kind}". The kinds are ${kinds.join(', ')}`);
  }
  const shown = { kind, locale: tag, ...rendered };
  print(json, shown, () => (html ? rendered.html : `Subject: ${rendered.subject}\n\n${rendered.text}`));
}

/** Mails to people who work with the gateway are in English, whatever the locale. */
function sampleOf(kind: string, tag: LocaleTag): RenderedMail | undefined {
  const toPerson = catalog.personMailKinds.find((one) => one.kind === kind);
  if (toPerson !== undefined) return renderMessage(toPerson.sample(), peopleFrame);
  const locale = localeOf(tag);
  const message = catalog.mailKinds.find((one) => one.kind === kind)?.sample({ locale, merchant: sampleMerchant });
  return message && renderMessage(message, mailFrameOf({ name: sampleMerchant }, { locale, isTest: false }));
}

const testMessage: MailMessage = {
  subject: 'A test of Tollgate',
  blocks: [
    { kind: 'heading', text: 'Mail works' },
    { kind: 'paragraph', text: 'This gateway can send mails through your mail server.' },
    { kind: 'note', text: 'If this mail was marked as spam, set up SPF, DKIM and DMARC for the domain of the sender.' },
  ],
};

/** Sends a mail that says that sending works. */
export async function test({ to, json }: { to: string; json?: boolean }): Promise<void> {
  const { mail } = readConfig('command');
  if (mail === undefined) throw new UsageError('SMTP_URL is not set, so no mails are sent. Set it, with MAIL_FROM');
  const sender = mailSender(mail, { isDevelopment: false });
  const now = systemClock.now();
  const outcome = await sender.send({
    ...renderMessage(testMessage, peopleFrame),
    messageId: `test-${now}@${sender.domain}`,
    from: { name: peopleFrame.sender, address: sender.from },
    to,
    date: new Date(now),
    language: peopleFrame.language,
    attachments: [],
  });
  sender.close();
  const ok = outcome.kind === 'sent';
  print(json, { ok, to, reason: ok ? null : outcome.reason }, () =>
    ok ? `The mail server has taken a mail to ${to}. Look whether it arrives, and not as spam.` : outcome.reason,
  );
  if (!ok) process.exitCode = 1;
}
