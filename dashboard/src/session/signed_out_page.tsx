import type { ReactNode } from 'react';
import style from './signed_out_page.module.css';

/** A page without the navigation: for somebody who has not signed in, or who first has to set up an authenticator. */
export function SignedOutPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={style.page}>
      <div className={style.card}>
        <img src="/docs/assets/icon.svg" alt="" width={36} height={36} />
        <h1>{title}</h1>
        {children}
      </div>
      <p className={style.links}>
        <a href="/">About this server</a>
        <a href="/docs">API reference</a>
      </p>
    </main>
  );
}

export function SignedOutText({ children }: { children: ReactNode }) {
  return <p className={style.text}>{children}</p>;
}
