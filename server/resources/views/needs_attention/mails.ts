import { newId } from '../../../base/id.ts';
import type { MemberNow } from '../../../operations/caller.ts';
import type { Attention } from '../../../operations/extension_points/needs_attention.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { Declared } from '../../../operations/resource.ts';
import { permits, rightToRead } from '../../../operations/role.ts';
import type { Services } from '../../../operations/services.ts';
import { needsAttentionMessage } from './attention_message.ts';
import { type FoundKind, findAttention, urgency } from './find.ts';
import { type AttentionReader, dropReader, type Frequency, readersTable, saveReader } from './store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const daySeconds = 86_400;

/** How often it is looked for something new, and how long after a mail the next one may follow. */
const pace = {
  off: { lookMs: 24 * hourMs, restMs: 0 }, // never due
  at_once: { lookMs: minuteMs, restMs: 10 * minuteMs },
  daily: { lookMs: 15 * minuteMs, restMs: 24 * hourMs },
} as const;

const readersAtATime = 4; // each has a dozen short reads

/** From when on somebody may get the next mail, epoch milliseconds. */
export function restedAt({ mailed_at }: Pick<AttentionReader, 'mailed_at'>, frequency: Frequency): number {
  return mailed_at === null ? 0 : mailed_at.getTime() + pace[frequency].restMs;
}

type FoundAttention = { counts: readonly FoundKind[]; data: readonly (Attention & { kind: string })[] };

/**
 * Writes to each person what is new of what their role can resolve. What was mailed is kept with the row that is leased, and changes in the
 * commit of the mail: two instances write nothing twice, and a killed one leaves nothing half told.
 */
export function attentionMails(services: Services, declared: Declared): Job {
  const job = dueRows(services, 'mails about what needs attention', readersTable, (row) =>
    settle(services, declared, row),
  );
  // Without a mail server everything stays due, and is mailed once there is one.
  return {
    ...job,
    concurrency: readersAtATime,
    lease: async (...given) => (services.mail.isSetUp ? job.lease(...given) : []),
  };
}

async function settle(services: Services, declared: Declared, row: AttentionReader): Promise<void> {
  const { reads, committer, clock, onDue } = services;
  const member = await services.memberNow(row.tenant, row.id);
  if (member === undefined) {
    await committer.commit({ tenant: row.tenant, writes: [dropReader(row)] });
    return;
  }
  const now = clock.now();
  const later = (ms: number) => ({ ...row, version: row.version + 1, due_at: new Date(now + ms), lease_until: null });
  const { lookMs, restMs } = pace[row.frequency];
  if (!member.canWork) {
    await committer.commit({ tenant: row.tenant, writes: [saveReader(later(hourMs))] });
    return;
  }
  const { role, mode } = member;
  const found: FoundAttention = await findAttention(
    declared,
    { reads, tenant: row.tenant },
    {
      mayRead: (scope) => permits(role, mode, rightToRead(scope)),
      hasRight: (right) => permits(role, mode, right),
    },
  );
  const fresh = found.data.filter((item) => row.told[nameOf(item)] === undefined);
  const after = { ...later(lookMs), told: stillTold(row, found, fresh, Math.floor(now / 1_000)) };
  if (fresh.length === 0) {
    await committer.commit({ tenant: row.tenant, writes: [saveReader(after)] });
    return;
  }
  const rested = { ...after, mailed_at: new Date(now), due_at: new Date(now + restMs) };
  await committer.commit({
    tenant: row.tenant,
    writes: [saveReader(rested), ...(await mailWrites(services, member, row, fresh))],
  });
  onDue(now);
}

const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/**
 * What was mailed to somebody stays known while it waits, and for a day after, so that what comes and goes is not mailed each time. Of a kind
 * with more items than are read, nobody knows what is still there.
 */
function stillTold(
  { told }: AttentionReader,
  { counts, data }: FoundAttention,
  fresh: FoundAttention['data'],
  now: number,
) {
  const waiting = new Set(data.map(nameOf));
  const cut = new Set(counts.filter(({ has_more }) => has_more).map(({ kind }) => kind));
  const isKept = ([name, at]: [string, number]) =>
    waiting.has(name) || cut.has(name.slice(0, name.indexOf(' '))) || at > now - daySeconds;
  const kept = Object.entries(told).filter(isKept);
  return Object.fromEntries([...kept, ...fresh.map((item) => [nameOf(item), now] as const)]);
}

async function mailWrites(
  services: Services,
  member: MemberNow,
  { tenant }: AttentionReader,
  fresh: FoundAttention['data'],
) {
  const { publicUrl, clock, mailToPerson } = services;
  const { account, email, mode } = member;
  const message = needsAttentionMessage({
    account: account.name,
    items: fresh.toSorted((one, other) => urgency(one) - urgency(other)),
    url: `${publicUrl()}/dashboard/${account.id}/${mode}/needs-attention`,
  });
  return mailToPerson({ tenant, kind: 'needs_attention', cause: newId('mail', clock.now()), to: email, message });
}
