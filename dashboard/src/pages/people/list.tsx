import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Invitation, Member, NewInvitation } from '@tollgate/node';
import { useState } from 'react';
import { confirmation, type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { checkboxField, field, form, textField } from '../../kit/form_dialog.tsx';
import { Icon } from '../../kit/icon.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { PageLayout } from '../../kit/page_layout.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { SectionList } from '../../kit/section_list.tsx';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { sendsMail } from '../../session/mail.ts';
import { aboutRole, type Role, roles } from '../../session/rights.ts';
import { useWorkspace, type Workspace } from '../../session/workspace.tsx';
import style from './people.module.css';
import { RoleInput } from './role_input.tsx';

/** Who works in the account, and who is invited. */
export function Page() {
  const workspace = useWorkspace();
  const { dialog, open } = useDialog();
  const [made, setMade] = useState<NewInvitation>();
  return (
    <PageLayout
      title="People"
      hasSections
      actions={
        <Button leftSection={<Icon name="plus" size={14} />} onClick={() => open(invite(workspace, setMade))}>
          Invite
        </Button>
      }
    >
      <Members />
      <Invitations />
      <Roles />
      {dialog}
      {made?.url !== undefined && (
        <ShownOnce
          title={`The invitation for ${made.email}`}
          lines={[made.url]}
          name="link"
          confirm="I have copied it"
          onClose={() => setMade(undefined)}
        >
          <p>Send them this link. It is shown once, works once, and makes them {wordsOf(made.role).toLowerCase()}.</p>
          <p>
            It expires <Moment seconds={made.expires_at} />.{' '}
            {sendsMail() ? 'No mail was sent.' : 'This gateway sends no mails.'}
          </p>
        </ShownOnce>
      )}
    </PageLayout>
  );
}

function Members() {
  const { session } = useWorkspace();
  return (
    <SectionList
      title="Members"
      aside={
        <Link to="/request-log" search={{ sent_by: 'person' } as never}>
          Their requests
        </Link>
      }
      name={['users', 'list']}
      columns={memberColumns(session.user.id)}
      load={(api, params, options) => api.users.list(params, options)}
      empty="None."
    />
  );
}

function memberColumns(me: string): Column<Member>[] {
  return [
    {
      id: 'email',
      title: 'Email',
      isText: true,
      cell: ({ id, email, email_verified }) => (
        <>
          <RowLink id={id}>{email}</RowLink>
          {id === me && <span className={style.you}>you</span>}
          {!email_verified && <span className={style.you}>not verified</span>}
        </>
      ),
    },
    { id: 'role', title: 'Role', cell: ({ role }) => wordsOf(role) },
    {
      id: 'authenticator',
      title: 'Authenticator',
      isWideOnly: true,
      cell: ({ totp_enabled }) => <Authenticator isOn={totp_enabled} />,
    },
    {
      id: 'seen',
      title: 'Last seen',
      align: 'right',
      cell: ({ last_seen }) => (last_seen === undefined ? 'Never' : <Moment seconds={last_seen} isRelative />),
    },
  ];
}

/** Whether signing in takes a code as well. */
export function Authenticator({ isOn }: { isOn: boolean }) {
  return <Status status={isOn ? 'on' : 'off'} tone={isOn ? 'good' : 'quiet'} />;
}

function Invitations() {
  const { dialog, open } = useDialog();
  return (
    <>
      <SectionList
        title="Invitations"
        name={['invitations', 'list']}
        columns={invitationColumns((invitation) => open(revokeInvitation(invitation)))}
        load={(api, params, options) => api.invitations.list(params, options)}
        empty="None yet. The operator can also make one, with tollgate users create."
      />
      {dialog}
    </>
  );
}

function invitationColumns(onRevoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    { id: 'email', title: 'Email', isText: true, cell: ({ email }) => email },
    { id: 'role', title: 'Role', isWideOnly: true, cell: ({ role }) => wordsOf(role) },
    { id: 'status', title: 'Status', cell: ({ status }) => <Status status={status} tone={toneOf(status)} /> },
    { id: 'expires', title: 'Expires', isWideOnly: true, cell: (one) => <Moment seconds={one.expires_at} /> },
    { id: 'created', title: 'Created', isWideOnly: true, cell: ({ created }) => <Moment seconds={created} /> },
    {
      id: 'revoke',
      title: 'Action',
      align: 'right',
      cell: (invitation) =>
        invitation.status === 'pending' && (
          <Button size="compact-xs" variant="default" onClick={() => onRevoke(invitation)}>
            Revoke
          </Button>
        ),
    },
  ];
}

function toneOf(status: Invitation['status']) {
  return status === 'pending' ? 'waiting' : status === 'accepted' ? 'good' : 'quiet';
}

/** What each role may do, and which one is one's own. */
function Roles() {
  const { account } = useWorkspace();
  return (
    <Section title="Roles">
      <dl className={style.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>
              {wordsOf(role)}
              {role === account.role && <span className={style.you}>your role</span>}
            </dt>
            <dd>{aboutRole[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function invite({ account }: Workspace, onMade: (made: NewInvitation) => void): OpenDialog {
  return form({
    title: 'Invite a team member',
    fields: {
      email: textField('Email', '', { type: 'email', autoComplete: 'off', hasFocus: true }),
      role: field<Role>('developer', (input) => <RoleInput {...input} />),
      link: checkboxField('Show me a link to send, in place of a mail'),
    },
    describe({ email, role, link }) {
      const isMailed = sendsMail() && !link;
      const roleWords = wordsOf(role).toLowerCase();
      const invited = email.trim() === '' ? 'whoever opens it' : email.trim();
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
    done: ({ email, mailed }) => (mailed ? `Invitation mailed to ${email}` : `${email} invited`),
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
