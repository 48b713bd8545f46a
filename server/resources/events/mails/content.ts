import type { Mode, Tenant } from '../../../base/reads.ts';
import { type LocaleTag, localeOf, localeTags } from '../../../locales/index.ts';
import type { MailMessage } from '../../../mail/message.ts';
import { type RenderedMail, renderMessage } from '../../../mail/render.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { OptionalChoice, Parameters } from '../../../operations/schemas.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { peopleFrame } from '../../people/branding/mail_frame.ts';
import { requireMail } from './descriptor.ts';
import { apiError } from './errors.ts';
import { frameOf } from './frame.ts';
import { KindParameter, MailContentOutput, MailSetupOutput } from './schema.ts';
import { mailPagePath, type ShownMail } from './shown_page.ts';
import { mailsTable } from './store.ts';

/** `writer`: whose name it comes in. */
type WrittenMail = RenderedMail & { writer: string; replyTo?: string | undefined };

type MailKinds = Pick<Declared, 'mailKinds' | 'personMailKinds'>;

type Branded = Pick<Context, 'brandingOf' | 'logoFileOf'>;

/** A mail as it would look if it were sent now. */
async function rendered(
  services: Branded,
  { tenant, mode, language }: { tenant: Tenant; mode: Mode; language: LocaleTag },
  message: (merchant: string) => MailMessage,
): Promise<WrittenMail> {
  const isTest = mode === 'test';
  const { frame, branding } = await frameOf(services, tenant, { language, isTest, logoIs: 'within' });
  return { ...renderMessage(message(branding.name), frame), writer: branding.name, replyTo: branding.supportEmail };
}

type WantedSample = Parameters<typeof rendered>[1] & { kind: string };

/** A sample in the language of a customer; those to people who work with the gateway are in English. Undefined: there is no such kind. */
async function renderedSample(
  services: Branded,
  { mailKinds, personMailKinds }: MailKinds,
  { kind: name, ...wanted }: WantedSample,
): Promise<WrittenMail | undefined> {
  const [toCustomer, toPerson] = [find(mailKinds, name), find(personMailKinds, name)];
  if (toPerson !== undefined) return { ...renderMessage(toPerson.sample(), peopleFrame), writer: peopleFrame.sender };
  const locale = localeOf(wanted.language);
  return toCustomer && rendered(services, wanted, (merchant) => toCustomer.sample({ locale, merchant }));
}

const find = <Kind extends { kind: string }>(kinds: readonly Kind[], name: string) =>
  kinds.find(({ kind }) => kind === name);

function contentIn(context: Context, shown: ShownMail, content: WrittenMail) {
  const { keyring, publicUrl, tenant, now, mail: sender } = context;
  const { subject, text, html, writer, replyTo } = content;
  return {
    object: 'mail_content',
    ...(sender.isSetUp && { sender: `${writer} <${sender.from}>` }),
    ...(replyTo && { reply_to: replyTo }),
    subject,
    text,
    html,
    url: `${publicUrl()}${mailPagePath(keyring, { tenant, shown }, now)}`,
  };
}

export function contentOperations(kinds: MailKinds): readonly AnyOperation[] {
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
      'Returns a mail of a kind with sample data, as the account shows itself now: to customers by the name of its switch, and to those who work with the gateway. Nothing is sent.',
    route: 'GET /mails/sample',
    right: 'read',
    input: Parameters({
      kind: KindParameter([...kinds.mailKinds, ...kinds.personMailKinds].map(({ kind }) => kind)),
      locale: OptionalChoice(
        localeTags,
        'The language of the customer; `en` when not given. Mails to those who work with the gateway are in English.',
      ),
    }),
    output: MailContentOutput,
    answersByCaller: true,
    async run(context, { kind, locale = 'en' }) {
      const shown = await renderedSample(context, kinds, { ...context, language: locale, kind });
      return { result: contentIn(context, { kind, locale }, shown!) };
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
export function shownHtml({ reads, brandingOf, logoFileOf }: JobServices, kinds: MailKinds) {
  const services = { brandingOf, logoFileOf };
  return async ({ tenant, shown }: { tenant: Tenant; shown: ShownMail }): Promise<string | undefined> => {
    const mode = await modeOf(reads, tenant);
    if ('kind' in shown)
      return (await renderedSample(services, kinds, { tenant, mode, language: shown.locale, kind: shown.kind }))?.html;
    const { message = null, language = 'en' } = (await reads.one(mailsTable, tenant, shown.mail)) ?? {};
    return message === null ? undefined : (await rendered(services, { tenant, mode, language }, () => message)).html;
  };
}
