import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../kit/logo.tsx';
import style from './signed_out_page.module.css';

/** A page without the navigation: for somebody who has not signed in, or who first has to set up an authenticator. */
export function SignedOutPage({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <Stack component="main" align="center" gap={20} mih="100dvh" className={style.page}>
      <div className={style.card}>
        <div className={style.brand}>
          <Logo size={28} /> Tollgate
        </div>
        <h1>{title}</h1>
        {about !== undefined && <p className={style.about}>{about}</p>}
        {children}
      </div>
      <Group component="p" gap={20} fz="sm">
        <a href="/">About this server</a>
        <a href="/docs">API reference</a>
      </Group>
    </Stack>
  );
}

export function SignedOutText({ children }: { children: ReactNode }) {
  return <p className={style.text}>{children}</p>;
}
