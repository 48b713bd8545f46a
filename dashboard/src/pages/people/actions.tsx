import type { Member } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { aboutRole } from '../../session/rights.ts';
import type { Workspace } from '../../session/workspace.tsx';
import { RoleInput } from './role_input.tsx';

export function changeRole(user: Member, { session, account }: Workspace): OpenDialog {
  const isMe = user.id === session.user.id;
  return form({
    title: 'Change the role',
    fields: { role: field(user.role, (role, onChange) => <RoleInput role={role} onChange={onChange} />) },
    describe: ({ role }) => ({
      confirm: role === user.role ? 'Select another role' : `Change the role to ${role}`,
      isDangerous: isMe,
      params: role === user.role ? undefined : { role },
      preview:
        role === user.role
          ? [`${user.email} is ${role} of ${account.name}.`]
          : [
              `${user.email} is ${role} of ${account.name} instead of ${user.role}: ${inSentence(aboutRole[role])}`,
              'Takes effect within a second, including in open pages. Roles in other accounts do not change.',
              ...(isMe ? ['This is you. Only another owner can give you the role back.'] : []),
            ],
    }),
    run: (api, params, options) => api.users.update(user.id, params, options),
    done: (after) => `${after.email} is now ${after.role}`,
  });
}

const inSentence = (sentence: string) => sentence.slice(0, 1).toLowerCase() + sentence.slice(1);

export function removeMember(user: Member, { account }: Workspace): OpenDialog {
  return confirmation({
    title: `Remove ${user.email}`,
    confirm: 'Remove from the account',
    isDangerous: true,
    preview: [
      `${user.email} loses the role of ${user.role} in ${account.name} within a second.`,
      ...(user.role === 'owner' ? ['Their invitations stop working.'] : []),
      'They stay in other accounts. API keys that they created keep working: revoke those that they know.',
    ],
    run: (api, options) => api.users.remove(user.id, options),
    done: () => `${user.email} removed`,
    leadsTo: () => '/settings/people',
  });
}
