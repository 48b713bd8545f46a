import type { Member } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { aboutRole } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { RoleInput } from './role_input.tsx';

export function RoleDialog({ user, onClose }: { user: Member; onClose(): void }) {
  const { session, account } = useWorkspace();
  const [role, setRole] = useState(user.role);
  const isSame = role === user.role;
  const isMe = user.id === session.user.id;
  return (
    <ActionDialog
      title="Change the role"
      confirm={isSame ? 'Select another role' : `Change the role to ${role}`}
      isDangerous={isMe}
      params={isSame ? undefined : { id: user.id, role }}
      preview={
        isSame
          ? [`${user.email} is ${role} of ${account.name}.`]
          : [
              `${user.email} is ${role} of ${account.name} instead of ${user.role}: ${inSentence(aboutRole[role])}`,
              'Takes effect within a second, including in open pages. Roles in other accounts do not change.',
              ...(isMe ? ['This is you. Only another owner can give you the role back.'] : []),
            ]
      }
      run={(api, { id, ...sent }, options) => api.users.update(id, sent, options)}
      done={(after) => `${after.email} is now ${after.role}`}
      onClose={onClose}
    >
      <RoleInput role={role} onChange={setRole} />
    </ActionDialog>
  );
}

const inSentence = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

type RemoveProps = { user: Member; onRemoved(): void; onClose(): void };

export function RemoveDialog({ user, onRemoved, onClose }: RemoveProps) {
  const { account } = useWorkspace();
  return (
    <ActionDialog
      title={`Remove ${user.email}`}
      confirm="Remove from the account"
      isDangerous
      params={{ id: user.id }}
      preview={[
        `${user.email} loses the role of ${user.role} in ${account.name} within a second.`,
        ...(user.role === 'owner' ? ['Their invitations stop working.'] : []),
        'They stay in other accounts. API keys that they created keep working: revoke those that they know.',
      ]}
      run={async (api, { id }, options) => {
        const removed = await api.users.remove(id, options);
        onRemoved();
        return removed;
      }}
      done={() => `${user.email} removed`}
      onClose={onClose}
    />
  );
}
