import { systemClock } from '../base/clock.ts';
import { catalog } from '../catalog.ts';
import { readConfig } from '../config.ts';
import { type LocaleTag, localeOf } from '../locales/index.ts';
import type { MailMessage } from '../mail/message.ts';
import { renderMessage } from '../mail/render.ts';
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
  const { mailKinds } = catalog;
  const found = mailKinds.find((one) => one.kind === kind);
  if (found === undefined)
    throw new UsageError(
      `There is no kind of mail "${kind}". The kinds are ${mailKinds.map((one) => one.kind).join(', ')}`,
    );
  const locale = localeOf(tag);
  const message = found.sample({ locale, merchant: sampleMerchant });
  const rendered = renderMessage(message, mailFrameOf({ name: sampleMerchant }, { locale, isTest: false }));
  const shown = { kind, locale: tag, ...rendered };
  print(json, shown, () => (html ? rendered.html : `Subject: ${rendered.subject}\n\n${rendered.text}`));
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
