import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type LocaleTag, localeOf } from '../../../locales/index.ts';
import type { MailMessage } from '../../../mail/message.ts';
import type { MailOutcome, OutgoingMail } from '../../../mail/outgoing.ts';
import { renderMessage } from '../../../mail/render.ts';
import { installation } from '../../../operations/caller.ts';
import type { Job } from '../../../operations/job.ts';
import type { Foundation, Services } from '../../../operations/services.ts';
import { modeOf, tenantsTable } from '../../../operations/tenants.ts';
import { mailFrameOf, peopleFrame } from '../../people/branding/mail_frame.ts';
import { afterAttempt, type MailId, type MailStatus } from './mail.ts';
import { isUnsendable, mailJob, recordOutcome, sendOrRefuse } from './mail_job.ts';
import type { MailPlaces } from './places.ts';
import { hasBounced } from './store.ts';

/** The kinds of mails to people who work with the gateway. They are on wherever mail is set up. */
type WorkMailKind = 'invitation' | 'password_reset' | 'email_code' | 'new_sign_in' | 'key_created' | 'needs_attention';
/** To customers, with a secret: in the name of the account, and kept as briefly as the others. */
type SecretMailKind = 'portal_code';
export type PersonMailKind = WorkMailKind | SecretMailKind;

/** Whether its cause is a row of a tenant; otherwise it is in the directory. */
const isOfTenant = (kind: PersonMailKind) => kind === 'needs_attention' || kind === 'portal_code';

export type NewPersonMail = {
  tenant: Tenant;
  kind: PersonMailKind;
  /** The id of what it is about: an address gets one mail of a kind for it. */
  cause: string;
  to: string;
  message: MailMessage;
  /** Of a mail in the name of the account; otherwise English. */
  language?: LocaleTag;
};

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** The row of a mail to somebody who works with the gateway, for the commit of its cause. None where mail is not set up. */
    mailToPerson: (mail: NewPersonMail) => Write<'both'>[];
    /** What became of the mails of a kind that an account has written, by their causes, for as long as they are kept. */
    personMailsOf: (asked: AskedPersonMails) => Promise<ReadonlyMap<string, PersonMailOutcome>>;
  }
}

export type AskedPersonMails = { account: string; kind: PersonMailKind; causes: readonly string[] };
export type PersonMailOutcome = Pick<PersonMail, 'status' | 'failure' | 'sent_at'>;

/** Shown by no list, and without what it has said once it was sent: that may be a link which signs in. */
type PersonMail = Leasable & {
  id: MailId;
  kind: PersonMailKind;
  cause: string;
  address: string;
  status: Exclude<MailStatus, 'suppressed'>;
  message: Buffer | null;
  attempts: number;
  failure: string | null;
  sent_at: Date | null;
};

export const personMailsTable: Table<PersonMail, 'both'> = table('person_mails', {
  home: 'both',
  int4: 'tenant version attempts',
  text: 'id kind cause address status failure',
  bytea: 'message',
  timestamptz: 'sent_at due_at lease_until',
});

const contextOf = ({ tenant, id }: Pick<PersonMail, 'tenant' | 'id'>) => `mail ${tenant}/${id}`;

export function personMailWriter({ keyring, clock, mail }: Pick<Foundation, 'keyring' | 'clock' | 'mail'>) {
  return ({ tenant, kind, cause, to, message, language }: NewPersonMail): Write<'both'>[] => {
    if (!mail.isSetUp) return [];
    const now = clock.now();
    const id = newId('mail', now);
    const sealed = keyring.seal(
      'mail',
      contextOf({ tenant, id }),
      Buffer.from(JSON.stringify({ ...message, ...(language && { language }) })),
    );
    const row: PersonMail = {
      tenant,
      id,
      version: 1,
      kind,
      cause,
      address: to,
      status: 'queued',
      message: sealed,
      attempts: 0,
      failure: null,
      sent_at: null,
      due_at: new Date(now),
      lease_until: null,
    };
    return [insert(personMailsTable, row)];
  };
}

/** In both modes: people look at what they have in common in either. */
export function personMailReader({ reads }: Pick<Foundation, 'reads'>) {
  return async ({ account, kind, causes }: AskedPersonMails): Promise<ReadonlyMap<string, PersonMailOutcome>> => {
    if (causes.length === 0) return new Map();
    const found = await reads.directory.rows<PersonMailOutcome & { cause: string }>(
      `select cause, status, failure, sent_at from person_mails
        where tenant = any(array(select t.tenant from ${tenantsTable} t where t.account = $1)) and cause = any($2) and kind = $3`,
      [account, causes, kind],
    );
    return new Map(found.map(({ cause, ...outcome }) => [cause, outcome]));
  };
}

const jobName = 'mails to people';
const mailsAtATime = 4;

export function sendPersonMails(services: Services, places: MailPlaces): Job {
  const { reads, clock, committer, mail: sender, onDue } = services;
  return mailJob(services, places, {
    name: jobName,
    concurrency: mailsAtATime,
    table: personMailsTable,
    homeOf: ({ tenant, kind }) => (isOfTenant(kind) ? tenant : installation),
    async settle(mail, terms) {
      const { tenant, kind, address } = mail;
      const isRefused = kind === 'portal_code' && (await hasBounced(reads, tenant, address));
      const outcome: MailOutcome = isRefused
        ? { kind: 'bounced', reason: 'The address was refused before.' }
        : await sendOrRefuse(services, mail, () => composed(mail, services), terms);
      const isLast = outcome.kind === 'unsent' && isUnsendable(sender, mail);
      const after = afterAttempt(mail, isLast ? { ...outcome, kind: 'refused' } : outcome, clock.now());
      const kept = after.due_at === null ? { ...after, message: null } : after;
      const writes = [update(personMailsTable, kept)];
      await recordOutcome(committer, isOfTenant(kind) ? { tenant, writes } : { writes }, outcome, terms);
      if (after.due_at !== null) onDue(after.due_at.getTime(), jobName);
      return true;
    },
  });
}

async function composed(mail: PersonMail, services: Services): Promise<OutgoingMail> {
  const { keyring, clock, mail: sender } = services;
  const opened = keyring.unseal('mail', contextOf(mail), mail.message!);
  const { language, ...message } = JSON.parse(opened.toString()) as MailMessage & { language?: LocaleTag };
  const { frame, replyTo } = language === undefined ? { frame: peopleFrame } : await frameOf(mail, language, services);
  return {
    ...renderMessage(message, frame),
    messageId: `${mail.id}@${sender.domain}`,
    from: { name: frame.sender, address: sender.from },
    to: mail.address,
    ...(replyTo !== undefined && { replyTo }),
    date: new Date(clock.now()),
    language: frame.language,
    attachments: [],
  };
}

/** As the account shows itself now. */
async function frameOf({ tenant }: PersonMail, language: LocaleTag, { reads, brandingOf }: Services) {
  const [branding, mode] = await Promise.all([brandingOf(tenant), modeOf(reads, tenant)]);
  const frame = mailFrameOf(branding, { locale: localeOf(language), isTest: mode === 'test' });
  return { frame, replyTo: branding.supportEmail };
}
