import { Button, Group } from '@mantine/core';
import type { Invitation, NewInvitation } from '@tollgate/node';
import { confirmation, type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { checkboxField, field, form, textField } from '../../kit/form_dialog.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { SectionList } from '../../kit/section_list.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { sendsMail } from '../../session/mail.ts';
import type { Role } from '../../session/rights.ts';
import type { Workspace } from '../../session/workspace.tsx';
import style from './people.module.css';
import { RoleInput } from './role_input.tsx';

type Actions = { onInvite: (earlier: Invitation) => void; onRevoke: (invitation: Invitation) => void };

export function Invitations({ onInvite }: Pick<Actions, 'onInvite'>) {
  const { dialog, open } = useDialog();
  const onRevoke = (invitation: Invitation) => open(revokeInvitation(invitation));
  return (
    <>
      <SectionList
        title="Invitations"
        name={['invitations', 'list']}
        columns={columnsOf({ onInvite, onRevoke })}
        load={(api, params, options) => api.invitations.list(params, options)}
        isUnderWay={({ mail }) => mail?.status === 'queued' && mail.failure === undefined}
        empty="None yet. The operator can also make one, with tollgate users create."
      />
      {dialog}
    </>
  );
}

function columnsOf(actions: Actions): Column<Invitation>[] {
  return [
    {
      id: 'email',
      title: 'Email',
      isText: true,
      cell: (invitation) => (
        <>
          {invitation.email}
          <LinkMail invitation={invitation} />
        </>
      ),
    },
    { id: 'role', title: 'Role', isWideOnly: true, cell: ({ role }) => wordsOf(role) },
    { id: 'status', title: 'Status', cell: ({ status }) => <Status status={status} tone={toneOf(status)} /> },
    { id: 'expires', title: 'Expires', isWideOnly: true, cell: (one) => <Moment seconds={one.expires_at} /> },
    { id: 'created', title: 'Created', isWideOnly: true, cell: ({ created }) => <Moment seconds={created} /> },
    {
      id: 'revoke',
      title: 'Action',
      align: 'right',
      cell: (invitation) => invitation.status === 'pending' && <RowActions invitation={invitation} {...actions} />,
    },
  ];
}

function RowActions({ invitation, onInvite, onRevoke }: Actions & { invitation: Invitation }) {
  return (
    <Group gap="xs" justify="flex-end">
      {isUndelivered(invitation) && (
        <Button size="compact-xs" variant="default" onClick={() => onInvite(invitation)}>
          Invite again
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={() => onRevoke(invitation)}>
        Revoke
      </Button>
    </Group>
  );
}

function toneOf(status: Invitation['status']) {
  return status === 'pending' ? 'waiting' : status === 'accepted' ? 'good' : 'quiet';
}

const isUndelivered = ({ mail }: Invitation) => mail?.status === 'bounced' || mail?.status === 'failed';

/** What became of the mail with the link, and what helps, as long as the link could be used. */
function LinkMail({ invitation }: { invitation: Invitation }) {
  const { status, mail } = invitation;
  if (status !== 'pending' || mail === undefined) return null;
  return (
    <div className={style.mail} data-bad={isUndelivered(invitation) || undefined} dir="auto">
      {mailWords(mail)}
    </div>
  );
}

function mailWords({ status, failure }: NonNullable<Invitation['mail']>): string {
  if (status === 'sent') return 'Mailed.';
  if (failure === undefined) return 'Being mailed.';
  const why = /[.!?]$/.test(failure) ? failure : `${failure}.`;
  if (status === 'queued') return `Not mailed yet: ${why} Another attempt follows.`;
  const helps = status === 'bounced' ? 'Check the address' : 'When the cause is gone';
  return `Not mailed: ${why} ${helps}, invite again, or send a link yourself.`;
}

/** `earlier`: an invitation that was not delivered, which the new one replaces. */
export function invite(
  { account }: Workspace,
  onMade: (made: NewInvitation) => void,
  earlier?: Invitation,
): OpenDialog {
  return form({
    title: earlier === undefined ? 'Invite a team member' : `Invite ${earlier.email} again`,
    fields: {
      email: textField('Email', earlier?.email ?? '', { type: 'email', autoComplete: 'off', hasFocus: true }),
      role: field<Role>(earlier?.role ?? 'developer', (input) => <RoleInput {...input} />),
      link: checkboxField('Show me a link to send, in place of a mail'),
    },
    describe({ email, role, link }) {
      const isMailed = sendsMail() && !link;
      const roleWords = wordsOf(role).toLowerCase();
      const invited = email.trim() === '' ? 'the person who opens it' : email.trim();
      return {
        confirm: `Invite as ${roleWords}`,
        params: /\S@\S/.test(email) ? { email: email.trim(), role, ...(link && { link }) } : undefined,
        preview: [
          isMailed
            ? `A mail with a link is sent. It makes ${invited} ${roleWords} of ${account.name}, and verifies the email.`
            : `A link is created and shown once, for you to send. It makes ${invited} ${roleWords} of ${account.name}.`,
          'It works once, within 7 days, as long as you are an owner. Earlier invitations for the same email stop working.',
        ],
        hidden: sendsMail() ? [] : ['link'],
      };
    },
    run: (api, params, options) => api.invitations.create(params, options),
    done: ({ email, mailed }) => (mailed ? `Invitation for ${email} is being mailed` : `${email} invited`),
    onDone: onMade,
  });
}

function revokeInvitation({ id, email }: Invitation): OpenDialog {
  return confirmation({
    title: `Revoke the invitation of ${email}`,
    confirm: 'Revoke the invitation',
    isDangerous: true,
    preview: ['Its link stops working immediately.', 'You can invite the same email again.'],
    run: (api, options) => api.invitations.revoke(id, {}, options),
    done: () => `Invitation of ${email} revoked`,
  });
}
