import { useState } from 'react';
import { useTitle } from '../kit/title.ts';
import { DoorPage } from './door.tsx';
import { secretInAddress } from './secrets.ts';

/** Where `#invitation=…` leads. The token is at hand for the operation that accepts it. */
export function InvitationPage() {
  useTitle('Invitation');
  const [token] = useState(() => secretInAddress('invitation'));
  return (
    <DoorPage title="Invitation">
      <p>
        {token === undefined
          ? 'The address has no invitation. Open the link that you were given once more.'
          : 'This version of the dashboard cannot accept invitations.'}
      </p>
    </DoorPage>
  );
}
