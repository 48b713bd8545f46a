import type { SqlAt } from '../../base/places/sql_at.ts';
import { readPlaces } from '../../base/places/turns.ts';
import { type Pool, query } from '../../base/sql.ts';
import type { Connector, Notice } from '../contract.ts';
import { happening } from './happenings.ts';
import type { News } from './news.ts';
import { asking, knownEntries, newsColumns, untilCommitted } from './store.ts';

/**
 * Notices of the simulator, for all its accounts. News happens when the gateway polls: what is due is decided on the entries of that
 * moment and committed before it is reported, by the simulator itself in either place.
 */
export function createNotices(durable: SqlAt): Required<Pick<Connector, 'notices' | 'acknowledge'>> {
  return {
    async notices({ now, limit }) {
      const notices: Notice[] = [];
      const over: News[] = [];
      let after: Position = { at: new Date(0), id: '' };
      // News without a notice does not count towards the limit: a page of it must not look like the end.
      while (notices.length < limit) {
        const due = await oldestNews(durable, now, after, limit - notices.length);
        for (const news of due) {
          const told = await happen(durable, news, now);
          if (told === 'nothing') over.push(news);
          else if (told !== 'later') notices.push(told);
        }
        const last = due.at(-1);
        if (last === undefined) break;
        after = last;
      }
      await takeNote(durable, over, now);
      return notices;
    },
    acknowledge: (notices, now) => takeNote(durable, notices, now),
  };
}

/** The notice of a piece of news that is due. later: too many races were lost; the next poll tries again. */
export async function happen(durable: SqlAt, news: News, now: number): Promise<Notice | 'nothing' | 'later'> {
  const happened = await untilCommitted(durable, news.tenant, async () => {
    const known = await knownEntries(asking(durable), news.tenant, news.attempt, news.authorization_attempt);
    const { notice, ...rows } = happening(news, known, now);
    return { notice, rows: { ...rows, challenges: [] } };
  });
  if (happened === undefined) return 'later';
  const { notice } = happened;
  if (notice === undefined) return 'nothing';
  return news.account === null ? notice : { ...notice, account: news.account };
}

type Position = Pick<News, 'at' | 'id'>;

async function oldestNews(durable: SqlAt, now: number, after: Position, limit: number): Promise<News[]> {
  const found = await readPlaces(durable.places('tenant'), (sql) => dueNewsAt(sql, now, after, limit));
  const isLater = (one: News, other: News) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1);
  return found.toSorted(isLater).slice(0, limit);
}

/** Due news of all tenants: a processor reports to the gateway as a whole, and each notice names its tenant. */
function dueNewsAt(pool: Pool, now: number, after: Position, limit: number): Promise<News[]> {
  return query<News>(
    pool,
    `select ${newsColumns}
       from simulator_news
      where told_at is null and at <= $1 and (at, id) > ($2, $3)
      order by at, id
      limit $4`,
    [new Date(now), after.at, after.id, limit],
    'simulator_due_news',
  );
}

type ToldNews = Pick<News, 'tenant' | 'id'>;

async function takeNote(durable: SqlAt, list: readonly ToldNews[], now: number): Promise<void> {
  if (list.length === 0) return;
  await durable.each(
    list,
    ({ tenant }) => tenant,
    async (sql, told) => {
      await noteTold(sql, told, now);
      return [];
    },
  );
}

async function noteTold(pool: Pool, list: readonly ToldNews[], now: number): Promise<void> {
  await query(
    pool,
    `update simulator_news set told_at = $1
      where told_at is null and (tenant, id) in (select tenant, id from unnest($2::int4[], $3::text[]) as told (tenant, id))`,
    [new Date(now), list.map(({ tenant }) => tenant), list.map(({ id }) => id)],
  );
}
