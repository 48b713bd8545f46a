import { SegmentedControl } from '@mantine/core';
import type { MailContent } from '@tollgate/node';
import { useState } from 'react';
import { Section } from '../kit/detail_page.tsx';
import { Email } from '../kit/email.tsx';
import { FactList } from '../kit/fact_list.tsx';
import { Failure } from '../kit/failure.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import style from './mail_frame.module.css';

type FrameProps = {
  title: string;
  reading: { data: MailContent | undefined; error: unknown; refetch(): unknown };
};

/** What a mail says: its HTML in a sandbox, as programs for mail show it, or its plain text. */
export function MailFrame({ title, reading: { data, error, refetch } }: FrameProps) {
  const [part, setPart] = useState('html');
  return (
    <Section
      title={title}
      isFlush
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Part of the mail"
          value={part}
          onChange={setPart}
          data={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Text' },
          ]}
        />
      }
    >
      {data !== undefined && <Content content={data} part={part} />}
      {data === undefined &&
        (error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />)}
    </Section>
  );
}

function Content({
  content: { sender, to, reply_to, subject, text, url },
  part,
}: {
  content: MailContent;
  part: string;
}) {
  return (
    <>
      <div className={style.head}>
        <FactList
          names="5.5rem"
          facts={[
            ['From', sender],
            ['To', to && <Email key="to" address={to} />],
            ['Replies to', reply_to],
            [
              'Subject',
              <span key="subject" dir="auto">
                {subject}
              </span>,
            ],
          ]}
        />
      </div>
      {part === 'text' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
        <pre className={style.text} tabIndex={0} dir="auto">
          {text}
        </pre>
      ) : (
        // By its path: the address of the gateway may be another one than that of this page.
        <iframe
          key={url}
          className={style.frame}
          title={subject}
          src={new URL(url).pathname}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
        />
      )}
    </>
  );
}
