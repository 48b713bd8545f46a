import type { Write } from '../../../base/commit/index.ts';
import { renewLease } from '../../../base/lease.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import { localeOf } from '../../../locales/index.ts';
import type { MailOutcome, OutgoingMail } from '../../../mail/outgoing.ts';
import { renderMessage } from '../../../mail/render.ts';
import type { MailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { type Job, leasesOf } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { mailFrameOf } from '../../people/branding/mail_frame.ts';
import { contactOf, storedRow } from './contacts.ts';
import { afterAttempt, type Mail, type SuppressedReason, suppressed } from './mail.ts';
import { addBounce, hasBounced, mailsTable, release, replaceMail, takePlaces } from './store.ts';

/** Each has a connection to the mail server; those of one account use half of them. */
const mailsAtATime = 10;

const minuteMs = 60_000;

const jobName = 'mails';

const logoId = 'logo';
const logoBytesMax = 32_768; // a larger one weighs more than everything else in a mail

/** Sends mails that are due. Two instances never lease the same one. */
export function sendMails(services: Services, contacts: readonly MailContacts[], places: MailPlaces): Job {
  const { durable, clock } = services;
  const work = new SendingWork(services, contacts);
  const leases = leasesOf(durable, mailsTable, clock);
  return {
    name: jobName,
    concurrency: mailsAtATime,
    async lease(limit, shares) {
      if (places.areTaken) return [];
      const leased = await leases(limit, shares);
      const allowed = await places.take(leased.length);
      await release(durable, mailsTable, leased.slice(allowed));
      return leased.slice(0, allowed).map((mail) => ({
        tenant: mail.tenant,
        run: (stopping?: AbortSignal) => work.settle(mail, stopping),
        renew: () => renewLease(durable, mailsTable as never, mail),
      }));
    },
  };
}

/** How many mails may be sent in this minute, by all instances together. */
export class MailPlaces {
  readonly #services: Pick<Services, 'durable' | 'clock' | 'mail' | 'onDue'>;
  /** Until then there are none, in epoch milliseconds. */
  #takenUntil = 0;

  constructor(services: Pick<Services, 'durable' | 'clock' | 'mail' | 'onDue'>) {
    this.#services = services;
  }

  get areTaken(): boolean {
    return this.#services.clock.now() < this.#takenUntil;
  }

  async take(wanted: number): Promise<number> {
    const { durable, clock, mail, onDue } = this.#services;
    const { perMinute: max } = mail;
    if (max === 0 || wanted === 0) return wanted;
    const start = Math.floor(clock.now() / minuteMs) * minuteMs;
    const taken = await takePlaces(durable, { minute: new Date(start), wanted, max });
    if (taken < wanted) {
      this.#takenUntil = start + minuteMs;
      onDue(this.#takenUntil);
    }
    return taken;
  }
}

class SendingWork {
  readonly #services: Services;
  readonly #contacts: readonly MailContacts[];
  readonly #modes = new Map<Tenant, Mode>(); // a tenant never changes its mode

  constructor(services: Services, contacts: readonly MailContacts[]) {
    this.#services = services;
    this.#contacts = contacts;
  }

  /** Sends a mail, or finds that it must not be sent. The outcome is committed only while the lease is still its own. */
  async settle(mail: Mail, stopping?: AbortSignal): Promise<void> {
    const { committer, clock, mail: sender, onDue } = this.#services;
    const isTest = (await this.#modeOf(mail.tenant)) === 'test';
    const reason = await this.#reasonToSuppress(mail, isTest);
    const outcome = reason === undefined ? await sender.send(await this.#composed(mail, isTest), stopping) : undefined;
    const after = outcome === undefined ? suppressed(mail, reason!) : afterAttempt(mail, outcome, clock.now());
    await committer.commit({ writes: writesOf(after, outcome) });
    if (after.due_at !== null) onDue(after.due_at.getTime(), jobName);
  }

  async #modeOf(tenant: Tenant): Promise<Mode> {
    const mode = this.#modes.get(tenant) ?? (await modeOf(this.#services.reads, tenant));
    this.#modes.set(tenant, mode);
    return mode;
  }

  async #reasonToSuppress(
    { tenant, address, message, contact }: Mail,
    isTest: boolean,
  ): Promise<SuppressedReason | undefined> {
    const { reads, isMember, mail } = this.#services;
    if (address === null || message === null) return 'customer_deleted';
    const { isGone } = await contactOf(this.#contacts, contact, storedRow(reads, tenant));
    if (isGone) return 'customer_deleted';
    if (!mail.isSetUp) return 'not_configured';
    if (isTest && !(await isMember(tenant, address))) return 'test_mode';
    return (await hasBounced(reads, tenant, address)) ? 'bounced_before' : undefined;
  }

  /** As the account shows itself now. */
  async #composed(mail: Mail, isTest: boolean): Promise<OutgoingMail> {
    const { brandingOf, logoFileOf, clock, mail: sender } = this.#services;
    const branding = await brandingOf(mail.tenant);
    const found = await logoFileOf(mail.tenant);
    const file = found && found.bytes.length <= logoBytesMax ? found : undefined;
    const logo = file &&
      branding.logo && { contentId: logoId, width: branding.logo.width, height: branding.logo.height };
    const frame = mailFrameOf(branding, { locale: localeOf(mail.language), isTest, logo });
    return {
      ...renderMessage(mail.message!, frame),
      messageId: `${mail.id}@${sender.domain}`,
      from: { name: branding.name, address: sender.from },
      to: mail.address!,
      ...(branding.supportEmail !== undefined && { replyTo: branding.supportEmail }),
      date: new Date(clock.now()),
      language: mail.language,
      // Within the mail: a picture on a server would say when the mail is read.
      attachments: file && logo ? [{ contentId: logoId, name: file.name, type: file.type, bytes: file.bytes }] : [],
    };
  }
}

function writesOf(after: Mail, outcome: MailOutcome | undefined): Write[] {
  return [replaceMail(after), ...(outcome?.kind === 'bounced' ? [addBounce(after)] : [])];
}
