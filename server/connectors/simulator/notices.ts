import { type Pool, query } from '../../base/sql.ts';
import type { Connector, Notice } from '../contract.ts';
import { happening } from './happenings.ts';
import type { News } from './news.ts';
import { asking, commitRows, knownEntries, triesMax } from './store.ts';

/**
 * What the processor tells without being asked. Things happen when somebody listens: then their time has come, and what they depend
 * on is read. They are committed here in either place, before they are told.
 */
export function createNotices(pool: Pool): Required<Pick<Connector, 'notices' | 'acknowledge'>> {
  const ask = asking(pool);

  /** later: the race was lost so often that it is left for the next time. */
  async function happen(news: News, now: number): Promise<Notice | 'nothing' | 'later'> {
    for (let tries = 0; tries < triesMax; tries++) {
      const known = await knownEntries(ask, news.tenant, news.attempt, news.authorization_attempt);
      const { notice, ...rows } = happening(news, known, now);
      if (rows.entries.length === 0 || (await commitRows(pool, { ...rows, challenges: [] })))
        return notice ?? 'nothing';
    }
    return 'later';
  }

  return {
    async notices({ now, limit }) {
      const notices: Notice[] = [];
      const over: News[] = [];
      let after: Position = { at: new Date(0), id: '' };
      // What comes to nothing makes room for what is behind it, so that a page of such news does not look like the end.
      while (notices.length < limit) {
        const due = await dueNews(pool, now, after, limit - notices.length);
        for (const news of due) {
          const told = await happen(news, now);
          if (told === 'nothing') over.push(news);
          else if (told !== 'later') notices.push(told);
        }
        const last = due.at(-1);
        if (last === undefined) break;
        after = last;
      }
      await takeNote(pool, over, now);
      return notices;
    },
    acknowledge: (notices, now) => takeNote(pool, notices, now),
  };
}

type Position = Pick<News, 'at' | 'id'>;

/** Of all tenants: it is the processor that has something to tell, and each piece of news says whose it is. */
function dueNews(pool: Pool, now: number, after: Position, limit: number): Promise<News[]> {
  return query<News>(
    pool,
    `select tenant, id, kind, attempt, authorization_attempt, at
       from simulator.news
      where told_at is null and at <= $1 and (at, id) > ($2, $3)
      order by at, id
      limit $4`,
    [new Date(now), after.at, after.id, limit],
  );
}

async function takeNote(pool: Pool, list: readonly Pick<News, 'tenant' | 'id'>[], now: number): Promise<void> {
  if (list.length === 0) return;
  await query(
    pool,
    `update simulator.news set told_at = $1
      where told_at is null and (tenant, id) in (select tenant, id from unnest($2::int4[], $3::text[]) as told (tenant, id))`,
    [new Date(now), list.map(({ tenant }) => tenant), list.map(({ id }) => id)],
  );
}
