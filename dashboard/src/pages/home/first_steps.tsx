import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { localCaFile } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { curlOf } from '../../kit/curl.ts';
import { Section } from '../../kit/detail_page.tsx';
import { PageHeader } from '../../kit/page_layout.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { GetPaid } from './get_paid.tsx';
import style from './home.module.css';

/** For an account without a payment: how to make the first one. It appears without a reload. */
export function FirstSteps({ waiting }: { waiting: ReactNode }) {
  const { mode, may } = useWorkspace();
  return (
    <Stack gap="md">
      <PageHeader title="Home" />
      <div className={style.sized}>
        <div className={style.beside}>
          <Stack gap="md">
            {may('payment_links.create') && <GetPaid />}
            <Section title="Or from your server">
              <ol className={style.steps}>{mode === 'test' ? <TestSteps /> : <LiveSteps />}</ol>
            </Section>
          </Stack>
          <Stack gap="md">
            {waiting}
            <Section title="After that" isFlush>
              <ul className={`divided ${style.next}`}>
                {nextSteps(mode).map((step) => (
                  <li key={step.title}>
                    <Link to={step.path as string}>{step.title}</Link>
                    <p>{step.text}</p>
                  </li>
                ))}
              </ul>
            </Section>
          </Stack>
        </div>
      </div>
    </Stack>
  );
}

/** What most people set up next. Only who makes keys sees it, and may do all of it. */
function nextSteps(mode: 'test' | 'live') {
  return [
    { path: '/webhooks', title: 'Receive events', text: 'Your server hears of every payment, refund and dispute.' },
    { path: '/prices', title: 'Charge again and again', text: 'Create a price, then subscribe customers to it.' },
    mode === 'test'
      ? {
          path: '/test-clocks',
          title: 'Try a year in a minute',
          text: 'A test clock moves subscriptions through time.',
        }
      : {
          path: '/settings/routing',
          title: 'Route payments',
          text: 'Choose the processor by currency, amount or brand.',
        },
  ];
}

function TestSteps() {
  return (
    <>
      <KeyStep mode="test" />
      <Step
        title="Create a page to pay on"
        text="Paste this into a terminal, with your key. The answer has the url of the page: open it and pay."
      >
        <Command text={sessionCommand('test')} />
      </Step>
      <Step
        title="See it here"
        text={
          <>
            This page shows the payment as soon as it is made. Use other card numbers to test declines, authentication
            and disputes: <Link to={'/test-cards' as string}>test cards</Link>. For the program of a shop, see{' '}
            <a href="/docs/guides/sell-from-a-shop">Sell from a shop</a>.
          </>
        }
      />
    </>
  );
}

function LiveSteps() {
  return (
    <>
      <Step
        title="Add a processor"
        text={
          <>
            Live payments need an account at a processor. See <a href="/docs/guides/going-live">Going live</a>.
          </>
        }
      />
      <KeyStep mode="live" />
      <Step
        title="Create a page to pay on"
        text="Your server creates one for each order, with the live key, and sends its customer there. Real money moves."
      >
        <Command text={sessionCommand('live')} />
      </Step>
    </>
  );
}

function KeyStep({ mode }: { mode: 'test' | 'live' }) {
  return (
    <Step
      title={`Create a ${mode} key`}
      text={
        <>
          On the page <Link to={'/api-keys' as string}>API keys</Link>. The key is shown once.
        </>
      }
    />
  );
}

function Step({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </li>
  );
}

function sessionCommand(mode: 'test' | 'live'): string {
  const request = curlOf({
    origin: location.origin,
    method: 'POST',
    path: '/v1/checkout_sessions',
    parameters: { amount: 2000, currency: 'eur', description: 'Coffee beans' },
    key: '$key',
    caFile: localCaFile(),
  });
  return `key=sk_${mode}_tg_…\n${request}`;
}
