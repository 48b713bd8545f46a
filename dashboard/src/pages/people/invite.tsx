import type { Invitation, NewInvitation } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { wordsOf } from '../../kit/status.tsx';
import type { Role } from '../../session/rights.ts';
import type { Workspace } from '../../session/workspace.tsx';
import { RoleInput } from './role_input.tsx';

export function invite({ account }: Workspace, onMade: (made: NewInvitation) => void): OpenDialog {
  return form({
    title: 'Invite a team member',
    fields: {
      email: textField('Email', '', { type: 'email', autoComplete: 'off', hasFocus: true }),
      role: field<Role>('developer', (input) => <RoleInput {...input} />),
    },
    describe({ email, role }) {
      const roleWords = wordsOf(role).toLowerCase();
      const invited = email.trim() === '' ? 'The person who opens it' : email.trim();
      return {
        confirm: `Invite as ${roleWords}`,
        params: /\S@\S/.test(email) ? { email: email.trim(), role } : undefined,
        preview: [
          `A link is created and shown once, for you to send. ${invited} becomes ${roleWords} of ${account.name} with it.`,
          'It works once, within 7 days, as long as you are an owner. Earlier invitations for the same email stop working.',
        ],
      };
    },
    run: (api, params, options) => api.invitations.create(params, options),
    done: ({ email }) => `${email} invited`,
    onDone: onMade,
  });
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
