import { Link } from '@tanstack/react-router';
import type { Member } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { SectionList } from '../../kit/section_list.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { aboutRole } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { auditColumns } from '../audit_log/columns.tsx';
import { changeRole, removeMember } from './actions.tsx';
import { Authenticator } from './list.tsx';

/** Somebody who works in the account. */
export function Detail({ id }: { id: string }) {
  const reading = useRead(['users', id], (api, options) => api.users.retrieve(id, options));
  return (
    <DetailPage<Member>
      reading={reading}
      list={{ path: '/settings/people', title: 'People' }}
      id={id}
      headline={({ email }) => email}
      actions={(user) => <Actions user={user} />}
      facts={factsOf}
    >
      {(user) => <Acts user={user} />}
    </DetailPage>
  );
}

function factsOf({ role, email_verified, totp_enabled, last_seen, created }: Member): Fact[] {
  return [
    [
      'Role',
      <span key="role" title={aboutRole[role]}>
        {wordsOf(role)}
      </span>,
    ],
    ['Email', email_verified ? 'Verified' : 'Not verified. The operator of the gateway can verify it.'],
    ['Authenticator', <Authenticator key="totp" isOn={totp_enabled} />],
    ['Last seen', last_seen === undefined ? 'Never' : <Moment key="seen" seconds={last_seen} />],
    ['User since', <Moment key="created" seconds={created} />],
  ];
}

function Actions({ user }: { user: Member }) {
  const workspace = useWorkspace();
  return (
    <ActionButtons
      actions={[
        { title: 'Change the role', right: 'people', dialog: changeRole(user, workspace) },
        { title: 'Remove', right: 'people', dialog: removeMember(user, workspace) },
      ]}
    />
  );
}

/** What they did here, and were refused. */
function Acts({ user: { id } }: { user: Member }) {
  return (
    <SectionList
      title="Activity"
      aside={
        <Link to={'/settings/audit-log' as string} search={{ user: id } as never}>
          In the audit log
        </Link>
      }
      name={['audit_log', 'of', id]}
      columns={auditColumns.filter(({ id: column, isHidden }) => column !== 'actor' && !isHidden)}
      load={(api, params, options) => api.auditLog.list({ ...params, user: id }, options)}
      empty={<Empty icon="log" title="Nothing yet" text="Changes that they make in this account appear here." />}
    />
  );
}
