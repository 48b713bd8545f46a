import { Button } from '@mantine/core';
import type { OwnSession } from '@tollgate/node';
import { confirmation, type OpenDialog, useDialog } from '../../kit/action_dialog.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { SectionList } from '../../kit/section_list.tsx';
import { shortened } from '../../kit/shortened.ts';
import { Status } from '../../kit/status.tsx';
import { forget, useSignOut } from '../../session/session.ts';
import { browserWords } from './browser_words.ts';
import style from './profile.module.css';

/** Where somebody is signed in. */
export function Sessions() {
  const { dialog, open } = useDialog();
  const signOut = useSignOut();
  const end = (session: OwnSession) => (session.current ? signOut() : open(endSession(session)));
  return (
    <>
      <SectionList
        title="Sessions"
        aside={
          <Button size="xs" variant="default" onClick={() => open(endAllSessions())}>
            Sign out everywhere
          </Button>
        }
        name={['me', 'sessions']}
        columns={columnsOf(end)}
        load={(api, params, options) => api.me.listSessions(params, options)}
        empty="None. They have all ended."
      />
      {dialog}
    </>
  );
}

function columnsOf(onEnd: (session: OwnSession) => void): Column<OwnSession>[] {
  return [
    {
      id: 'browser',
      title: 'Browser',
      isText: true,
      room: 14,
      cell: ({ browser, current }) => (
        <>
          <span className={style.browser} title={browser}>
            {browserWords(browser)}
          </span>
          {current && <Status status="this session" tone="good" />}
        </>
      ),
    },
    { id: 'address', title: 'From', isWideOnly: true, cell: ({ address }) => address },
    { id: 'used', title: 'Last used', room: 9, cell: ({ last_used }) => <Moment seconds={last_used} isRelative /> },
    { id: 'created', title: 'Signed in', isWideOnly: true, cell: ({ created }) => <Moment seconds={created} /> },
    { id: 'expires', title: 'Expires', isWideOnly: true, cell: (session) => <Moment seconds={session.expires_at} /> },
    {
      id: 'end',
      title: 'Action',
      align: 'right',
      cell: (session) => (
        <Button size="compact-xs" variant="default" onClick={() => onEnd(session)}>
          Sign out
        </Button>
      ),
    },
  ];
}

function endSession({ id, browser, address }: OwnSession): OpenDialog {
  const words = shortened(browserWords(browser));
  return confirmation({
    title: 'End this session',
    confirm: `Sign out ${words}`,
    isDangerous: true,
    preview: [`${words} at ${address} has to sign in again.`, 'If it was not you, change your password too.'],
    run: (api, options) => api.me.endSession(id, options),
    done: () => 'Session ended',
  });
}

function endAllSessions(): OpenDialog {
  return confirmation({
    title: 'Sign out everywhere',
    confirm: 'Sign out everywhere',
    isDangerous: true,
    preview: ['All your sessions end, including this one.', 'You sign in again with your password.'],
    run: async (api, options) => {
      const ended = await api.sessions.endAll(options);
      await forget();
      return ended;
    },
    done: ({ count }) => (count === 1 ? 'Your session has ended' : `Your ${count} sessions have ended`),
  });
}
