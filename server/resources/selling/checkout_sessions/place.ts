import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { holdsPlace, releasePlace } from '../payment_link_state/places.ts';
import { requireSession, sessionDescriptor } from './descriptor.ts';
import { serializeSession } from './schema.ts';
import { replaceSession } from './store.ts';

/**
 * After a press of the button that began no try. A try that another tab has begun keeps the place; one that is about to begin decides
 * again, because the session has changed. Not an operation of the API: the page runs it.
 */
export const dropPlace: AnyOperation = operation({
  name: 'checkout_sessions.drop_place',
  summary: 'Give back the place of a payment link that a checkout session held for a try',
  route: 'POST /checkout_sessions/:id/drop_place',
  callers: ['shopper'],
  output: sessionDescriptor.output,
  errors: [],
  async run(context) {
    const session = await requireSession(context);
    const { tenant, id } = session;
    const answer = { result: serializeSession(session), objectId: id };
    if (holdsPlace(session)) return answer;
    const changed = { ...session, version: session.version + 1 };
    return { ...answer, writes: [replaceSession(changed), releasePlace(tenant, id)] };
  },
});
