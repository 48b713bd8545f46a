import { TextInput } from '@mantine/core';
import type { Invitation, InvitationsCreateParameters, NewInvitation } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog, confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { wordsOf } from '../../kit/status.tsx';
import type { Role } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { RoleInput } from './role_input.tsx';

export function InviteDialog({ onMade, onClose }: { onMade(made: NewInvitation): void; onClose(): void }) {
  const { account } = useWorkspace();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const who = email.trim() === '' ? 'The person who opens it' : email.trim();
  const params: InvitationsCreateParameters | undefined = /\S@\S/.test(email)
    ? { email: email.trim(), role }
    : undefined;
  return (
    <ActionDialog
      title="Invite a team member"
      confirm={`Invite as ${wordsOf(role).toLowerCase()}`}
      params={params}
      preview={[
        `A link is created and shown once, for you to send. ${who} becomes ${wordsOf(role).toLowerCase()} of ${account.name} with it.`,
        'It works once, within 7 days, as long as you are an owner. Earlier invitations for the same email stop working.',
      ]}
      run={async (api, sent, options) => {
        const made = await api.invitations.create(sent, options);
        onMade(made);
        return made;
      }}
      done={(made) => `${made.email} invited`}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleInput role={role} onChange={setRole} />
    </ActionDialog>
  );
}

export function revokeInvitation({ id, email }: Invitation): OpenDialog {
  return confirmation({
    title: `Revoke the invitation of ${email}`,
    confirm: 'Revoke the invitation',
    isDangerous: true,
    preview: ['Its link stops working immediately.', 'You can invite the same email again.'],
    run: (api, options) => api.invitations.revoke(id, {}, options),
    done: () => `Invitation of ${email} revoked`,
  });
}
