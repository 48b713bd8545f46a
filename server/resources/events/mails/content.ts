import type { Mode, Tenant } from '../../../base/reads.ts';
import { type LocaleTag, localeOf, localeTags } from '../../../locales/index.ts';
import type { MailMessage } from '../../../mail/message.ts';
import { type RenderedMail, renderMessage } from '../../../mail/render.ts';
import type { MailKind } from '../../../operations/mail_kind.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import type { JobServices } from '../../../operations/resource.ts';
import { OptionalChoice, Parameters } from '../../../operations/schemas.ts';
import { modeOf } from '../../../operations/tenants.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { requireMail } from './descriptor.ts';
import { apiError } from './errors.ts';
import { frameOf } from './frame.ts';
import { KindParameter, MailContentOutput, MailSetupOutput } from './schema.ts';
import { mailPagePath, type ShownMail } from './shown_page.ts';
import { mailsTable } from './store.ts';

type BrandedMail = RenderedMail & { branding: ShownToCustomers };

type Branded = Pick<Context, 'brandingOf' | 'logoFileOf'>;

/** A mail as it would look if it were sent now. */
async function rendered(
  services: Branded,
  { tenant, mode, language }: { tenant: Tenant; mode: Mode; language: LocaleTag },
  message: (merchant: string) => MailMessage,
): Promise<BrandedMail> {
  const isTest = mode === 'test';
  const { frame, branding } = await frameOf(services, tenant, { language, isTest, logoIs: 'within' });
  return { ...renderMessage(message(branding.name), frame), branding };
}

const sampleOf = (kind: MailKind, language: LocaleTag) => (merchant: string) =>
  kind.sample({ locale: localeOf(language), merchant });

function contentIn(context: Context, shown: ShownMail, content: BrandedMail) {
  const { keyring, publicUrl, tenant, now, mail: sender } = context;
  const { subject, text, html, branding } = content;
  return {
    object: 'mail_content',
    ...(sender.isSetUp && { sender: `${branding.name} <${sender.from}>` }),
    ...(branding.supportEmail && { reply_to: branding.supportEmail }),
    subject,
    text,
    html,
    url: `${publicUrl()}${mailPagePath(keyring, { tenant, shown }, now)}`,
  };
}

export function contentOperations(kinds: readonly MailKind[]): readonly AnyOperation[] {
  const content = operation({
    name: 'mails.content',
    summary: 'Retrieve what a mail says',
    description:
      'Returns both parts of a mail, in the language of the customer, as the account shows itself now; also of one that was not sent.',
    route: 'GET /mails/:id/content',
    output: MailContentOutput,
    errors: apiError.codes('mail_erased'),
    answersByCaller: true,
    async run(context) {
      const { id, message, language, address } = await requireMail(context);
      if (message === null) throw apiError('mail_erased', { param: 'id' });
      const shown = await rendered(context, { ...context, language }, () => message);
      const to = address === null ? {} : { to: address };
      return { result: { ...contentIn(context, { mail: id }, shown), mail: id, ...to }, objectId: id };
    },
  });

  const sample = operation({
    name: 'mails.sample',
    summary: 'Retrieve a sample of a mail',
    description:
      'Returns a mail of a kind with sample data, as the account shows itself now. Nothing is sent. It tells what the switch of the kind would send.',
    route: 'GET /mails/sample',
    right: 'read',
    input: Parameters({
      kind: KindParameter(kinds.map(({ kind }) => kind)),
      locale: OptionalChoice(localeTags, 'The language of the customer; `en` when not given.'),
    }),
    output: MailContentOutput,
    answersByCaller: true,
    async run(context, { kind: name, locale = 'en' }) {
      const kind = kinds.find((one) => one.kind === name)!;
      const shown = await rendered(context, { ...context, language: locale }, sampleOf(kind, locale));
      return { result: contentIn(context, { kind: name, locale }, shown) };
    },
  });

  const setup = operation({
    name: 'mails.setup',
    summary: 'Retrieve how mails are sent',
    description: 'Says whether the operator has set up a mail server, and the address that mails come from.',
    route: 'GET /mails/setup',
    right: 'read',
    output: MailSetupOutput,
    async run({ mail: { isSetUp, isDelivered, from } }) {
      const delivery = isDelivered ? 'smtp' : isSetUp ? 'preview' : 'none';
      return { result: { object: 'mail_setup', delivery, ...(isSetUp && { sender: from }) } };
    },
  });
  return [content, sample, setup];
}

/** The HTML of what an address shows; undefined: it is gone. */
export function shownHtml({ reads, brandingOf, logoFileOf }: JobServices, kinds: readonly MailKind[]) {
  return async ({ tenant, shown }: { tenant: Tenant; shown: ShownMail }): Promise<string | undefined> => {
    const found = 'mail' in shown ? await writtenIn(shown.mail, tenant) : sampleFor(shown);
    if (found === undefined) return undefined;
    const mode = await modeOf(reads, tenant);
    const { message, language } = found;
    return (await rendered({ brandingOf, logoFileOf }, { tenant, mode, language }, message)).html;
  };

  async function writtenIn(id: string, tenant: Tenant) {
    const mail = await reads.one(mailsTable, tenant, id);
    const message = mail?.message ?? undefined;
    return mail && message && { message: () => message, language: mail.language };
  }

  function sampleFor({ kind: name, locale: language }: Extract<ShownMail, { kind: string }>) {
    const kind = kinds.find((one) => one.kind === name);
    return kind && { message: sampleOf(kind, language), language };
  }
}
