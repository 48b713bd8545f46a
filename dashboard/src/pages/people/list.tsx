import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Member, NewInvitation } from '@tollgate/node';
import { useState } from 'react';
import { useDialog } from '../../kit/action_dialog.tsx';
import { Section } from '../../kit/detail_page.tsx';
import { Icon } from '../../kit/icon.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { PageLayout } from '../../kit/page_layout.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { SectionList } from '../../kit/section_list.tsx';
import { ShownOnce } from '../../kit/shown_once.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { sendsMail } from '../../session/mail.ts';
import { aboutRole, roles } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { Invitations, invite } from './invitations.tsx';
import style from './people.module.css';

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
      <Invitations onInvite={(earlier) => open(invite(workspace, setMade, earlier))} />
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
