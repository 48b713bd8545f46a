import type { OutgoingMail, SendingTerms } from '../../../mail/outgoing.ts';
import { renderMessage } from '../../../mail/render.ts';
import type { MailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import type { Job } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { contactOf, storedRow } from './contacts.ts';
import { frameOf } from './frame.ts';
import { afterAttempt, type Mail, type SuppressedReason, suppressed } from './mail.ts';
import { isUnsendable, mailJob, recordOutcome, sendOrRefuse } from './mail_job.ts';
import type { MailPlaces } from './places.ts';
import { addBounce, hasBounced, mailsTable, replaceMail } from './store.ts';

/** Each has a connection to the mail server; those of one account use half of them. */
const mailsAtATime = 10;

const jobName = 'mails';

/** Sends mails to customers. */
export function sendMails(services: Services, contacts: readonly MailContacts[], places: MailPlaces): Job {
  const work = new SendingWork(services, contacts);
  return mailJob(services, places, {
    name: jobName,
    concurrency: mailsAtATime,
    table: mailsTable,
    homeOf: ({ tenant }) => tenant,
    settle: (mail, terms) => work.settle(mail, terms),
  });
}

class SendingWork {
  readonly #services: Services;
  readonly #contacts: readonly MailContacts[];

  constructor(services: Services, contacts: readonly MailContacts[]) {
    this.#services = services;
    this.#contacts = contacts;
  }

  /** Sends a mail, or finds that it must not be sent: false. The outcome is committed only while the lease is still its own. */
  async settle(mail: Mail, terms: SendingTerms): Promise<boolean> {
    const { committer, clock, onDue } = this.#services;
    const isTest = (await modeOf(this.#services.reads, mail.tenant)) === 'test';
    const reason = await this.#reasonToSuppress(mail, isTest);
    if (reason !== undefined) {
      await committer.commit({ tenant: mail.tenant, writes: [replaceMail(suppressed(mail, reason))] });
      return false;
    }
    const outcome = await sendOrRefuse(this.#services, mail, () => this.#composed(mail, isTest), terms);
    const after = afterAttempt(mail, outcome, clock.now());
    const writes = [replaceMail(after), ...(outcome.kind === 'bounced' ? [addBounce(after)] : [])];
    await recordOutcome(committer, { tenant: mail.tenant, writes }, outcome, terms);
    if (after.due_at !== null) onDue(after.due_at.getTime(), jobName);
    return true;
  }

  async #reasonToSuppress(mail: Mail, isTest: boolean): Promise<SuppressedReason | undefined> {
    const { reads, isMember, mail: sender } = this.#services;
    const { tenant, address, message, contact } = mail;
    if (address === null || message === null) return 'customer_deleted';
    const { isGone } = await contactOf(this.#contacts, contact, storedRow(reads, tenant));
    if (isGone) return 'customer_deleted';
    if (isUnsendable(sender, mail)) return 'not_configured';
    // What is only shown here reaches nobody.
    if (isTest && sender.isDelivered && !(await isMember(tenant, address))) return 'test_mode';
    return (await hasBounced(reads, tenant, address)) ? 'bounced_before' : undefined;
  }

  /** As the account shows itself now. */
  async #composed(mail: Mail, isTest: boolean): Promise<OutgoingMail> {
    const { clock, mail: sender } = this.#services;
    const { language } = mail;
    const { frame, branding, attachments } = await frameOf(this.#services, mail.tenant, {
      language,
      isTest,
      logoIs: 'attached',
    });
    return {
      ...renderMessage(mail.message!, frame),
      messageId: `${mail.id}@${sender.domain}`,
      from: { name: branding.name, address: sender.from },
      to: mail.address!,
      ...(branding.supportEmail !== undefined && { replyTo: branding.supportEmail }),
      date: new Date(clock.now()),
      language,
      attachments,
    };
  }
}
