import type { Tenant } from '../../../base/reads.ts';
import type { MailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import type { BackgroundLoop } from '../../../operations/job.ts';
import { isOfEvent, type MailKind, type MailOfTime } from '../../../operations/mail_kind.ts';
import type { Services } from '../../../operations/services.ts';
import { storedRow } from './contacts.ts';
import { addMail, findWritten } from './store.ts';
import { mailOf } from './write.ts';

const everyMs = 3 * 3_600_000;
const pageRows = 200;

type SweptKind = Extract<MailKind, MailOfTime>;

/** Writes the mails that no event causes. Every instance looks; the unique index of causes lets each be written once. */
export function mailSweep(
  services: Services,
  kinds: readonly MailKind[],
  contacts: readonly MailContacts[],
): BackgroundLoop {
  return {
    name: 'mails that a time causes',
    everyMs,
    isWoken: false,
    async run(stopping) {
      for (const kind of kinds) if (!isOfEvent(kind)) await sweep(services, kind as SweptKind, contacts, stopping);
    },
  };
}

async function sweep(
  services: Services,
  kind: SweptKind,
  contacts: readonly MailContacts[],
  stopping: AbortSignal,
): Promise<void> {
  const round = kind.roundAt(services.clock.now());
  if (round === undefined) return;
  for (const tenant of await services.tenantsWithMail(kind.kind)) {
    let after = '';
    for (let rows = pageRows; rows === pageRows && !stopping.aborted; ) {
      const found = await kind.find(services.reads, { tenant, round, after, limit: pageRows });
      await writeAbout(services, contacts, { tenant, kind: kind.kind, round, found });
      after = found.at(-1)?.id ?? after;
      rows = found.length;
    }
  }
}

type DuePage = { tenant: Tenant; kind: string; round: string; found: Awaited<ReturnType<SweptKind['find']>> };

async function writeAbout(
  services: Services,
  contacts: readonly MailContacts[],
  { tenant, kind, round, found }: DuePage,
): Promise<void> {
  const { reads, committer } = services;
  const causeOf = (id: string) => `${id}/${round}`;
  const causes = found.map(({ id }) => causeOf(id));
  const written = await findWritten(reads, tenant, kind, causes);
  const row = storedRow(reads, tenant);
  const unwritten = found.filter(({ id }) => !written.has(causeOf(id)));
  await Promise.all(
    unwritten.map(async ({ id, draft }) => {
      const mail = await mailOf(services, contacts, { tenant, kind, cause: causeOf(id), drafted: draft, row });
      // In a unit each: another instance may have written one of them by now.
      if (mail !== undefined) await committer.commit({ tenant, writes: [addMail(mail)] });
    }),
  );
}
