import { setTimeout as sleep } from 'node:timers/promises';
import { usualPatience } from '../../base/patient_client.ts';
import { tenantOf } from '../../operations/tenants.ts';
import { RequestTail } from '../../resources/views/request_logs/tail.ts';
import { withConnection } from '../context.ts';
import { parsePast } from '../usage.ts';
import { type LogView, limitMax, type TailOptions } from './view.ts';

const lookEveryMs = 250;

/** The request log of an account in the database. */
export async function tailDatabase(
  { account, live, since }: TailOptions & { account: string },
  { filter, limit, isFollowing, newest, one }: LogView,
): Promise<void> {
  await withConnection(
    async ({ client, at, actor }) => {
      const tenant = await tenantOf(client, account, live ? 'live' : 'test');
      const log = new RequestTail(tenant, parsePast('--since', since, actor.now), filter);
      newest(await at.at(tenant, ({ sql }) => log.last(sql, limit)));
      while (isFollowing) {
        await sleep(lookEveryMs);
        (await at.at(tenant, ({ sql }) => log.news(sql, limitMax))).forEach(one);
      }
    },
    // A PostgreSQL that this command had started would keep the server from starting.
    { mayStart: !isFollowing, ...(isFollowing ? { patience: usualPatience } : {}) },
  );
}
