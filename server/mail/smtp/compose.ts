import type { OutgoingMail } from '../outgoing.ts';

const nameCharsMax = 100;
const subjectCharsMax = 200;

/**
 * One line without control characters, and nothing that programs would decode: nothing in it can begin another header, or look like one, and
 * no header is endless.
 */
export function headerText(text: string, charsMax: number): string {
  const line = [
    ...text
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
      .replace(/[\u202a-\u202e\u2066\u2067]/g, '')
      .replaceAll('=?', '= ?')
      .replace(/ {2,}/g, ' ')
      .trim(),
  ];
  return line.length <= charsMax
    ? line.join('')
    : `${line
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`;
}

/** The bytes of a mail. The package is loaded with the first one. */
export async function compose(mail: OutgoingMail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { messageId, from, to, replyTo, date, subject, language, text, html, attachments } = mail;
  const composer = new MailComposer({
    from: { name: headerText(from.name, nameCharsMax), address: from.address },
    to: { name: '', address: to },
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    subject: headerText(subject, subjectCharsMax),
    messageId: `<${messageId}>`,
    date,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language, 'X-Auto-Response-Suppress': 'All' },
    text,
    html,
    attachments: attachments.map(({ contentId, name, type, bytes }) => ({
      cid: contentId,
      filename: name,
      contentType: type,
      content: bytes,
      contentDisposition: 'inline' as const,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Promise((resolve, reject) =>
    composer.compile().build((error, bytes) => (error ? reject(error) : resolve(bytes as Buffer))),
  );
}
