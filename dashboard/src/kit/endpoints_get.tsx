import type { Event } from '@tollgate/node';
import type { ReactNode } from 'react';

/** For previews: the event that follows a change. */
export function endpointsGet(event: Event['type']): ReactNode {
  return (
    <>
      Your webhook endpoints get <code>{event}</code>.
    </>
  );
}
