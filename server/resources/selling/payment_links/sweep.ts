import type { BackgroundLoop } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { findSessions } from '../checkout_sessions/descriptor.ts';
import { dropOldPlace, findOldPlaces, holdsPlace } from '../payment_link_state/places.ts';

const everyMs = 60_000;
const placesPerRun = 500;
/** A session of a limited link lives for 30 minutes; the commit of its last outcome gives its place back. */
const heldMs = 35 * 60_000;

/** Gives back the places whose process was killed between the hold and the try that it was for. */
export function forgottenPlaces({ durable, reads, clock }: Services): BackgroundLoop {
  return {
    name: 'forgotten places of payment links',
    everyMs,
    isWoken: false,
    async run() {
      const before = new Date(clock.now() - heldMs);
      for (const { tenant, id } of await findOldPlaces(durable, before, placesPerRun)) {
        const session = (await findSessions({ reads, tenant }, [id])).get(id);
        if (session === undefined || !holdsPlace(session)) await dropOldPlace(durable, tenant, id, before);
      }
    },
  };
}
