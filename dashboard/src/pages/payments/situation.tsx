import { Link } from '@tanstack/react-router';
import type { Payment } from '@tollgate/node';
import { Command, Copy } from '../../kit/copy.tsx';
import { Notice } from '../../kit/notice.tsx';
import style from './payments.module.css';

/** What the payment waits for, or why it failed. */
export function Situation({ payment }: { payment: Payment }) {
  const { status, next_action, failure_message, failure_code, id, dispute } = payment;
  if (status === 'requires_action' && next_action !== undefined)
    return <Challenge url={next_action.redirect_to_url.url} />;
  if (status === 'processing')
    return (
      <Notice tone="waiting" title="The outcome is unknown">
        The processor is asked until it answers. If it does not within three days, ask the processor yourself. The
        operator of the gateway then records what it says:
        <Command text={`npx tollgate payments settle ${id} --as succeeded`} />
      </Notice>
    );
  if (status === 'failed')
    return (
      <Notice tone="bad" title="The payment has failed">
        {failure_message} {failure_code && <code>{failure_code}</code>}
      </Notice>
    );
  if (dispute !== undefined)
    return (
      <Notice tone="waiting" title="The cardholder has disputed this payment">
        <Link to={`/disputes/${dispute}` as string}>See the dispute</Link>
      </Notice>
    );
  return null;
}

function Challenge({ url }: { url: string }) {
  const isAddress = /^https?:\/\//.test(url);
  return (
    <Notice tone="waiting" title="The cardholder must authenticate, within an hour">
      Only the cardholder may have this link: anybody who has it can decide.
      <div className={style.link}>
        {isAddress && (
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open the page of the bank
          </a>
        )}
        <Copy text={url} label="Copy the link" />
      </div>
    </Notice>
  );
}
