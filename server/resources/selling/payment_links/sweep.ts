import { readPlaces } from '../../../base/places/turns.ts';
import type { Pool } from '../../../base/sql.ts';
import type { BackgroundLoop } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { findSessions } from '../checkout_sessions/descriptor.ts';
import { dropOldPlace, findOldPlaces, holdsPlace, type OldPlace } from '../payment_link_state/places.ts';

const everyMs = 60_000;
const placesPerStep = 500;
/** A session of a limited link lives for 30 minutes; the commit of its last outcome gives its place back. */
const heldMs = 35 * 60_000;

type SweepServices = Pick<Services, 'durable' | 'reads' | 'clock'>;

/** Gives back the places whose process was killed between the hold and the try that it was for. */
export function forgottenPlaces(services: SweepServices): BackgroundLoop {
  return {
    name: 'forgotten places of payment links',
    everyMs,
    isWoken: false,
    run: () => dropForgotten(services, placesPerStep),
  };
}

/** Places whose try has had no outcome for long are skipped, so that those after them are reached. */
export async function dropForgotten({ durable, reads, clock }: SweepServices, placesMax: number): Promise<void> {
  const before = new Date(clock.now() - heldMs);
  const dropAt = async (sql: Pool) => {
    let after: OldPlace | undefined;
    for (;;) {
      const found = await findOldPlaces(sql, before, { after, limit: placesMax });
      for (const { tenant, id } of found) {
        const session = (await findSessions({ reads, tenant }, [id])).get(id);
        if (session === undefined || !holdsPlace(session)) await dropOldPlace(sql, tenant, id, before);
      }
      if (found.length < placesMax) return [];
      after = found.at(-1);
    }
  };
  await readPlaces(durable.places('tenant'), dropAt);
}
