import { Link } from '@tanstack/react-router';
import type { Member } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { field, form } from '../../kit/form_dialog.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { SectionList } from '../../kit/section_list.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { sendsMail } from '../../session/mail.ts';
import { aboutRole } from '../../session/rights.ts';
import { useWorkspace, type Workspace } from '../../session/workspace.tsx';
import { auditColumns } from '../audit_log/columns.tsx';
import { Authenticator } from './list.tsx';
import { RoleInput } from './role_input.tsx';

/** Somebody who works in the account. */
export function Detail({ id }: { id: string }) {
  const { account } = useWorkspace();
  const reading = useRead(['users', id], (api, options) => api.users.retrieve(id, options));
  return (
    <DetailPage<Member>
      reading={reading}
      list={{ path: '/settings/people', title: 'People' }}
      id={id}
      headline={({ email }) => email}
      story={({ role }) => `${wordsOf(role)} of ${account.name}. ${aboutRole[role]}`}
      actions={(user) => <Actions user={user} />}
      facts={factsOf}
    >
      {(user) => <Acts user={user} />}
    </DetailPage>
  );
}

const whoVerifies = sendsMail()
  ? 'They can verify it by mail, in their profile.'
  : 'The operator of the gateway can verify it.';

function factsOf({ role, email_verified, totp_enabled, last_seen, created }: Member): Fact[] {
  return [
    ['Role', wordsOf(role)],
    ['Email', email_verified ? 'Verified' : `Not verified. ${whoVerifies}`],
    ['Authenticator', <Authenticator key="totp" isOn={totp_enabled} />],
    ['Last seen', last_seen === undefined ? 'Never' : <Moment key="seen" seconds={last_seen} isRelative />],
    ['User since', <Moment key="created" seconds={created} />],
  ];
}

function Actions({ user }: { user: Member }) {
  const workspace = useWorkspace();
  return (
    <ActionButtons
      actions={[
        { title: 'Change the role', calls: 'users.update', dialog: changeRole(user, workspace) },
        { title: 'Remove', calls: 'users.remove', dialog: removeMember(user, workspace) },
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
      empty="None yet. Changes that they make in this account appear here."
    />
  );
}

function changeRole(user: Member, { session, account }: Workspace): OpenDialog {
  const isMe = user.id === session.user.id;
  return form({
    title: 'Change the role',
    fields: { role: field(user.role, (input) => <RoleInput {...input} />) },
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

function removeMember(user: Member, { account }: Workspace): OpenDialog {
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
