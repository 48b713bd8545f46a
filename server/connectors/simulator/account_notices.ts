import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Tenant } from '../../base/reads.ts';
import type { AttemptId, Connector, Notice, ProcessorAccountId } from '../contract.ts';
import { type Entry, isExpired, standingOf } from './ledger.ts';
import type { News } from './news.ts';
import { happen } from './notices.ts';
import { asking, knownEntries, newsColumns } from './store.ts';

/** One processor account, and the connections of the simulator. */
export type AccountBooks = { durable: SqlAt; tenant: Tenant; account: ProcessorAccountId };

/** The notices about an attempt, reported before or not. None if the account does not know the attempt. */
export async function noticesAbout(books: AccountBooks, attempt: AttemptId, now: number): Promise<Notice[]> {
  const { durable, tenant, account } = books;
  const known = await knownEntries(asking(durable), tenant, attempt, attempt);
  const entry = known.find((one) => one.attempt === attempt && one.account === account);
  if (entry === undefined) return [];
  const told = await noticesOf(books, await newsAbout(books, entry, now), now);
  if (told.length > 0) return told;
  const kind = isExpired(standingOf(attempt, known), now) ? 'authorization_expired' : 'attempt_changed';
  return [{ id: `${attempt}/${kind}`, tenant, account, kind, attempt }];
}

async function noticesOf({ durable }: AccountBooks, list: readonly News[], now: number): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const news of list) {
    const told = await happen(durable, news, now);
    if (told === 'later') throw new Error(`${news.id} lost too many races`);
    if (told !== 'nothing') notices.push(told);
  }
  return notices;
}

/** Of an authorization all news, of another attempt its own. */
function newsAbout({ durable, tenant, account }: AccountBooks, about: Entry, now: number): Promise<News[]> {
  return asking(durable)<News>(
    `select ${newsColumns} from simulator_news
      where tenant = $1 and account = $2 and authorization_attempt = $3 and at <= $4 and $5 in (authorization_attempt, attempt)
      order by at, id`,
    [tenant, account, about.authorization_attempt, new Date(now), about.attempt],
  );
}

const pageNews = 1_000;
/** News may be committed a little after its time: each poll looks back so far, and reports again what it finds there. */
const overlapMs = 60_000;

/** News of an account since the last poll. A cursor is the time and the id of a piece of news. */
export function accountPoll(books: AccountBooks): NonNullable<Connector['poll']> {
  return async ({ since, now }) => {
    const [at = '0', id = ''] = (since ?? '').split(' ');
    const list = await newsAfter(books, new Date(Number(at)), id, now);
    const last = list.at(-1);
    const next = list.length === pageNews ? `${last!.at.getTime()} ${last!.id}` : `${now - overlapMs} `;
    return { notices: await noticesOf(books, list, now), next };
  };
}

function newsAfter({ durable, tenant, account }: AccountBooks, at: Date, id: string, now: number): Promise<News[]> {
  return asking(durable)<News>(
    `select ${newsColumns} from simulator_news
      where tenant = $1 and account = $2 and at <= $3 and (at, id) > ($4, $5)
      order by at, id
      limit ${pageNews}`,
    [tenant, account, new Date(now), at, id],
  );
}
