import { Button, Skeleton } from '@mantine/core';
import type { Me } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useRead } from '../../kit/read.ts';
import { Status, wordsOf } from '../../kit/status.tsx';
import { useTitle } from '../../kit/title.ts';
import { usePlace } from '../../session/place.tsx';
import { aboutRole } from '../../session/role_words.ts';
import { PasswordDialog } from './password.tsx';
import style from './profile.module.css';
import { Sessions } from './sessions.tsx';
import { AuthenticatorActions } from './totp.tsx';

/** What people do for themselves, whatever account they work in. */
export function ProfilePage() {
  useTitle('My profile');
  const { data: me, error, refetch } = useRead(['me'], (api, options) => api.me.retrieve(options));
  return (
    <div className={style.page}>
      <h1>My profile</h1>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && me === undefined && <Skeleton height={238} />}
      {me !== undefined && <Facts me={me} />}
      <Sessions />
    </div>
  );
}

function Facts({ me }: { me: Me }) {
  const { account } = usePlace();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title="Signing in">
      <Row title="Email" text="It is your name here, and stays the same.">
        {me.email}
      </Row>
      <Row title="Role" text={aboutRole[account.role]}>
        {wordsOf(account.role)} of {account.name}
      </Row>
      <Row
        title="Password"
        text="Whoever has it can act as you. Another one ends your other sessions."
        action={
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            Change the password
          </Button>
        }
      >
        ••••••••••••
      </Row>
      <Row title="Authenticator" text={textOf(me)} action={<AuthenticatorActions me={me} />}>
        <Status status={me.totp_enabled ? 'on' : 'off'} tone={me.totp_enabled ? 'good' : 'waiting'} />
      </Row>
      {isChanging && <PasswordDialog email={me.email} onClose={() => setChanging(false)} />}
    </Section>
  );
}

function textOf({ totp_enabled, recovery_codes_left }: Me): string {
  if (!totp_enabled) return 'With an authenticator app, your password alone is not enough to sign in.';
  const left = recovery_codes_left === 1 ? '1 recovery code is left' : `${recovery_codes_left} recovery codes are left`;
  return `Signing in takes a code as well. ${left}.`;
}

type RowProps = { title: string; text: string; action?: ReactNode; children: ReactNode };

function Row({ title, text, action, children }: RowProps) {
  return (
    <div className={style.row}>
      <h3>{title}</h3>
      <div className={style.value}>
        <div>{children}</div>
        <p>{text}</p>
      </div>
      <div className={style.actions}>{action}</div>
    </div>
  );
}
