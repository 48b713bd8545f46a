import { firstIdAt } from '../../../base/id.ts';
import { chooseLocale } from '../../../locales/choose.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { JobServices } from '../../../operations/resource.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { findCustomersByEmail } from '../../payments/customers/operations.ts';
import { openCode, type PortalCode, sealCode } from './code.ts';
import { portalCodeMessage } from './message.ts';
import { countForAddress, portalCodesTable, replaceCode } from './store.ts';

const hourMs = 3_600_000;
/** In an hour. A customer who reads their mails needs no more. */
const perAddressMax = 10;

/** Writes the mails of codes, to those who are customers. For all others nothing happens, at a time that nobody sees. */
export function mailCodes(services: JobServices): Job {
  const { reads, keyring, clock, committer, brandingOf, mailToPerson, onDue } = services;
  return dueRows(services, 'portal codes', portalCodesTable, async (row) => {
    const { tenant, id, version } = row;
    const { email, code, language } = openCode(keyring, row);
    const [customer] = await findCustomersByEmail({ reads, tenant }, email, 1);
    const isWanted = code !== undefined && customer?.email != null && (await mayWrite(services, row, customer.email));
    const locale = chooseLocale(customer?.locale ?? undefined, language);
    const { name: merchant } = await brandingOf(tenant);
    const mail = isWanted
      ? mailToPerson({
          tenant,
          kind: 'portal_code',
          cause: id,
          to: customer.email!,
          language: locale.tag,
          message: portalCodeMessage({ code, email: customer.email! }, { locale, merchant }),
        })
      : [];
    const isShown = mail.length > 0 && (await isShownHere(services, row));
    const sealed = sealCode(keyring, row, { email, language, ...(isShown && { code: code! }) });
    const settled: PortalCode = { ...row, version: version + 1, sealed, due_at: null, lease_until: null };
    await committer.commit({ tenant, writes: [replaceCode(settled), ...mail] });
    if (mail.length > 0) onDue(clock.now());
  });
}

/** In development without a mail server nothing is delivered. So that the portal can be tried there, the dashboard shows the codes of test mode. */
async function isShownHere({ reads, mail }: JobServices, { tenant }: PortalCode): Promise<boolean> {
  return !mail.isDelivered && (await modeOf(reads, tenant)) === 'test';
}

/** Test mode writes to members of the account alone, where mails leave this gateway. */
async function mayWrite(services: JobServices, row: PortalCode, email: string): Promise<boolean> {
  const { reads, isMember, mail } = services;
  const { tenant, expires_at } = row;
  const isTest = (await modeOf(reads, tenant)) === 'test';
  if (isTest && mail.isDelivered && !(await isMember(tenant, email))) return false;
  return (await countForAddress(reads, row, firstIdAt('pc', expires_at.getTime() - hourMs))) <= perAddressMax;
}
